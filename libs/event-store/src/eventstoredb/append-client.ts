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

/** The client finds its way by itself after these, after NotLeader to the leader. */
const HANDLED_BY_THE_CLIENT = [NotLeaderError, UnavailableError, CancelledError];
const DISPOSE_MS = 1_000;

/**
 * The connection that appends go over. The client sends them on one call that stays open, and keeps what waits for an answer in one
 * table for the whole process: an error of any such call rejects everything in that table, and an answer to what is no longer in it
 * would end the process by an exception that nobody can catch. So two calls must never be open at once: after an error new appends
 * wait here until those in flight have settled and the former call has ended. A process opens one store that appends.
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

  /** One try. What fails in passing may be sent again, with the same ids. */
  async send(append: Append, prepared: PreparedAppend): Promise<AppendResult> {
    while (this.settling) await this.settling;
    const sent = this.deadlines.hold(this.write(append, prepared));
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
    await disposed(this.client);
  }

  /** Also a client whose question for the server's abilities has failed is of no use any more: it keeps the failure. */
  private async settle(error: unknown): Promise<void> {
    await Promise.allSettled(this.inFlight);
    await disposed(this.client);
    if (!HANDLED_BY_THE_CLIENT.some((type) => error instanceof type)) this.client = this.connect();
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
        // As bytes the client takes the text as it is; of an object it would make it anew, in base64, and decode that twice.
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

async function disposed(client: EventStoreDBClient): Promise<void> {
  await Promise.race([client.dispose(), delay(DISPOSE_MS, undefined, { ref: false })]);
}
