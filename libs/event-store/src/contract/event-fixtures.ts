import { randomUUID } from 'node:crypto';
import type {
  Append,
  AppendOutcome,
  EventStore,
  JsonObject,
  NewEvent,
  Position,
  RecordedEvent,
} from '../port.js';

/** Generous, so that a slow machine does not fail a test. */
const TIMEOUT_MS = 200_000;

export function newStreamId(): string {
  return `contract-${randomUUID()}`;
}

export function newEvent(data: JsonObject = { n: 1 }): NewEvent {
  return { id: randomUUID(), type: 'ThingHappened', data, metadata: { commandId: randomUUID() } };
}

export function newEvents(count: number): NewEvent[] {
  return Array.from({ length: count }, (_, n) => newEvent({ n }));
}

export async function appendOne(store: EventStore, append: Append): Promise<AppendOutcome> {
  const [outcome] = await store.append([append]);
  if (outcome === undefined) throw new Error('no outcome');
  return outcome;
}

export async function appended(
  store: EventStore,
  append: Append,
): Promise<Extract<AppendOutcome, { kind: 'appended' }>> {
  const outcome = await appendOne(store, append);
  if (outcome.kind !== 'appended') throw new Error(`conflict at ${outcome.actualRevision}`);
  return outcome;
}

/** The event as the writer sent it, without the fields the log adds. */
export function asWritten({ id, type, data, metadata }: RecordedEvent): NewEvent {
  return { id, type, data, metadata };
}

export interface CollectOptions {
  readonly after: Position | undefined;
  readonly batchSize?: number;
  /** Ids of the events to wait for. */
  readonly until: readonly string[];
  readonly onBatch?: (batch: readonly RecordedEvent[]) => Promise<void> | void;
}

/**
 * Subscribes until the events have arrived, and returns everything received.
 * @throws after 200 s
 */
export async function collect(store: EventStore, options: CollectOptions): Promise<RecordedEvent[]> {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), TIMEOUT_MS);
  const missing = new Set(options.until);
  const seen: RecordedEvent[] = [];
  const { after, batchSize } = options;
  const subscription = store.subscribe({
    signal: controller.signal,
    ...(after === undefined ? {} : { after }),
    ...(batchSize === undefined ? {} : { batchSize }),
  });
  try {
    for await (const batch of subscription) {
      if (batch.length === 0) throw new Error('an empty batch');
      seen.push(...batch);
      for (const { id } of batch) missing.delete(id);
      await options.onBatch?.(batch);
      if (missing.size === 0) break;
    }
  } finally {
    clearTimeout(timer);
  }
  if (missing.size > 0) throw new Error(`${missing.size} of ${options.until.length} events never arrived`);
  return seen;
}

/** Reads all events after a position, page by page. */
export async function readFrom(
  store: EventStore,
  after: Position | undefined,
  limit = 100,
): Promise<RecordedEvent[]> {
  const events: RecordedEvent[] = [];
  for (;;) {
    const last = events.at(-1)?.position ?? after;
    const page = await store.readAll({ limit, ...(last === undefined ? {} : { after: last }) });
    if (page.length === 0) return events;
    events.push(...page);
  }
}
