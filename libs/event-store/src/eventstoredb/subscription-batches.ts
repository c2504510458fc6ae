import type {
  AllStreamRecordedEvent,
  AllStreamSubscription,
  Position as GlobalPosition,
  RecordedEvent as StoredEvent,
} from '@eventstore/db-client';
import { setImmediate as endOfTurn } from 'node:timers/promises';
import { EventStoreUnavailableError, type JsonObject, type Position, type RecordedEvent } from '../port.js';
import { WakeSignal } from '../wake-signal.js';

/** The digits of the largest unsigned 64-bit number, so that positions compare as plain strings. */
const DIGITS = 20;
const GLOBAL_POSITION = /^(\d{20})\/(\d{20})$/;

export function formatGlobalPosition({ commit, prepare }: GlobalPosition): Position {
  return `${digits(commit)}/${digits(prepare)}`;
}

export function parseGlobalPosition(position: Position): GlobalPosition {
  const [, commit, prepare] = GLOBAL_POSITION.exec(position) ?? [];
  if (commit === undefined || prepare === undefined) {
    throw new RangeError(`not a position of this store: ${position}`);
  }
  return { commit: BigInt(commit), prepare: BigInt(prepare) };
}

function digits(part: bigint): string {
  return part.toString().padStart(DIGITS, '0');
}

/** System streams and types start with $. `readAll` cannot filter them, and a subscription filters by either stream or type. */
export function isProductEvent(event: StoredEvent | AllStreamRecordedEvent): boolean {
  return !event.streamId.startsWith('$') && !event.type.startsWith('$') && event.isJson;
}

export function recordedEventOf(event: StoredEvent | AllStreamRecordedEvent): RecordedEvent {
  if (event.position === undefined) throw new TypeError(`event ${event.id} has no position`);
  return {
    id: event.id,
    type: event.type,
    data: event.data as JsonObject,
    metadata: (event.metadata ?? {}) as JsonObject,
    streamId: event.streamId,
    revision: Number(event.revision),
    position: formatGlobalPosition(event.position),
  };
}

/** A subscription with a callback for when its buffer is empty. */
export type DrainableSubscription = AllStreamSubscription & { readonly onDrained: () => void };

interface BatchesOptions {
  readonly size: number;
  /** How long to wait for the server's confirmation. */
  readonly confirmMs: number;
  readonly signal: AbortSignal;
}

/**
 * Events of a subscription in batches, until the signal aborts.
 * @throws when the subscription fails or ends
 */
export async function* batchesOf(
  subscription: DrainableSubscription,
  { size, confirmMs, signal }: BatchesOptions,
): AsyncGenerator<RecordedEvent[]> {
  const changed = new WakeSignal();
  let failure: Error | undefined;
  const wake = (): void => changed.wake();
  const fail = (error?: Error): void => {
    failure ??= error ?? new EventStoreUnavailableError('the subscription ended');
    wake();
  };
  subscription.on('readable', wake).on('error', fail);
  subscription.on('end', fail).on('close', fail);
  const unconfirmed = setTimeout(
    () => fail(new EventStoreUnavailableError('the subscription was not confirmed in time')),
    confirmMs,
  );
  subscription.on('confirmation', () => clearTimeout(unconfirmed));
  try {
    while (!signal.aborted) {
      const since = changed.version;
      const batch = takeBatch(subscription, size);
      if (batch.length > 0) yield batch;
      else {
        subscription.onDrained();
        if (failure !== undefined) throw failure;
        await changed.wait({ since, signal });
        // The events of one append arrive individually: wait for the rest of this event loop turn.
        await endOfTurn();
      }
    }
  } finally {
    clearTimeout(unconfirmed);
  }
}

/** Unread events put back pressure on the server. */
function takeBatch(subscription: AllStreamSubscription, batchSize: number): RecordedEvent[] {
  const batch: RecordedEvent[] = [];
  while (batch.length < batchSize) {
    const resolved = subscription.read() as { event?: Parameters<typeof recordedEventOf>[0] } | null;
    if (resolved === null) break;
    if (resolved.event && isProductEvent(resolved.event)) batch.push(recordedEventOf(resolved.event));
  }
  return batch;
}
