import { setTimeout as delay } from 'node:timers/promises';
import {
  type AppendResult,
  CancelledError,
  type EventStoreDBClient,
  jsonEvent,
  NotLeaderError,
  UnavailableError,
} from '@eventstore/db-client';
import type { PreparedAppend } from '../prepare-append.js';
import type { Append } from '../port.js';
import { Deadlines, isTransportError } from './transport-errors.js';

/** The client recovers from these itself; NotLeaderError makes it connect to the leader. */
const RECOVERED_BY_CLIENT = [NotLeaderError, UnavailableError, CancelledError];
const DISPOSE_TIMEOUT_MS = 1_000;

/**
 * Sends appends over one long-lived call. The client keeps pending appends of all calls in one process-wide table: an error of any call
 * rejects them all, and a response to an append no longer in the table crashes the process with an uncatchable exception. Two calls must
 * therefore never be open at once: after an error, new appends wait until those in flight have settled and the previous call has ended.
 * For the same reason, a process may open only one store for appending.
 */
export class AppendClient {
  private readonly connect: () => EventStoreDBClient;
  private readonly deadlineMs: number;
  private readonly deadlines: Deadlines;
  private client: EventStoreDBClient;
  private settling: Promise<void> | undefined;
  private readonly inFlight = new Set<Promise<unknown>>();

  constructor(connect: () => EventStoreDBClient, deadlineMs: number) {
    this.connect = connect;
    this.deadlineMs = deadlineMs;
    this.deadlines = new Deadlines(deadlineMs);
    this.client = connect();
  }

  /** A single attempt. After a transient error, the append may be sent again with the same ids. */
  async send(append: Append, prepared: PreparedAppend): Promise<AppendResult> {
    while (this.settling) await this.settling;
    const sent = this.deadlines.enforce(this.write(append, prepared));
    this.inFlight.add(sent);
    try {
      return await sent;
    } catch (error) {
      if (isTransportError(error)) this.settling ??= this.settle(error);
      throw error;
    } finally {
      this.inFlight.delete(sent);
    }
  }

  async close(): Promise<void> {
    await this.settling;
    await dispose(this.client);
  }

  /** Also replaces a client whose feature discovery failed, since it caches the failure. */
  private async settle(error: unknown): Promise<void> {
    await Promise.allSettled(this.inFlight);
    await dispose(this.client);
    if (!RECOVERED_BY_CLIENT.some((type) => error instanceof type)) this.client = this.connect();
    this.settling = undefined;
  }

  private write(
    { streamId, expectedRevision, events }: Append,
    prepared: PreparedAppend,
  ): Promise<AppendResult> {
    const expected = expectedRevision === 'no-stream' ? 'no_stream' : expectedRevision;
    return this.client.appendToStream(
      streamId,
      events.map(({ id, type, data }, index) =>
        // The client sends bytes as they are; it would serialize an object again, to base64, and decode that twice.
        jsonEvent({ id, type, data, metadata: UTF8.encode(prepared.events[index]?.metadata) }),
      ),
      {
        expectedRevision: typeof expected === 'number' ? BigInt(expected) : expected,
        deadline: this.deadlineMs,
        requiresLeader: true,
      },
    );
  }
}

const UTF8 = new TextEncoder();

async function dispose(client: EventStoreDBClient): Promise<void> {
  await Promise.race([client.dispose(), delay(DISPOSE_TIMEOUT_MS, undefined, { ref: false })]);
}
