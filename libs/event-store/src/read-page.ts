import { asStored } from './lazy-values.js';
import type { EventStore, Json, ReadAllOptions, RecordedEvent } from './port.js';

const DEFAULT_BATCH_SIZE = 500;

export function limitOf(limit: number | undefined): number {
  if (limit === undefined) return Number.MAX_SAFE_INTEGER;
  if (!Number.isSafeInteger(limit) || limit < 0) throw new RangeError(`not a limit: ${limit}`);
  return limit;
}

export function batchSizeOf(batchSize = DEFAULT_BATCH_SIZE): number {
  if (!Number.isSafeInteger(batchSize) || batchSize < 1)
    throw new RangeError(`not a batch size: ${batchSize}`);
  return batchSize;
}

/** Events per call: a store bounds a page by count only. */
const FIRST_CHUNK = 250;
const MAX_CHUNK = 1_000;

export interface EventPage {
  readonly events: RecordedEvent[];
  /** The end of the range or of the log is reached. */
  readonly isLast: boolean;
}

/**
 * A page of the log bounded by count and by bytes: event sizes differ by a factor of a thousand, so a count does not bound memory.
 * Overshoots the byte limit by one call to the store at most.
 */
export async function readPage(
  store: Pick<EventStore, 'readAll'>,
  { limit, maxBytes, ...range }: ReadAllOptions & { readonly maxBytes: number },
): Promise<EventPage> {
  const events: RecordedEvent[] = [];
  let bytes = 0;
  while (events.length < limit && bytes < maxBytes) {
    const fitting = events.length === 0 ? FIRST_CHUNK : ((maxBytes - bytes) / bytes) * events.length;
    const count = Math.min(Math.max(1, Math.floor(fitting)), MAX_CHUNK, limit - events.length);
    const last = events.at(-1)?.position;
    const chunk = await store.readAll({
      ...range,
      ...(last !== undefined && { after: last }),
      limit: count,
    });
    for (const event of chunk) {
      events.push(event);
      bytes += weightOfEvent(event);
    }
    if (chunk.length < count) return { events, isLast: true };
  }
  return { events, isLast: false };
}

/** Bytes of the fields common to all events. */
const ENVELOPE_BYTES = 400;

/** Approximate bytes in memory. Lazy values count in their stored form and are not computed. */
export const weightOfEvent = ({ data }: { readonly data: object }): number =>
  ENVELOPE_BYTES + weightOf(asStored(data));

export function weightOf(value: Json | object | undefined): number {
  if (typeof value === 'string') return 16 + 2 * value.length;
  if (typeof value !== 'object' || value === null) return 8;
  let bytes = 16;
  if (Array.isArray(value)) {
    for (const item of value as readonly Json[]) bytes += 16 + weightOf(item);
    return bytes;
  }
  const parts = value as Readonly<Record<string, Json>>;
  // Three times as fast as Object.values.
  for (const name in parts) bytes += 16 + weightOf(parts[name]);
  return bytes;
}
