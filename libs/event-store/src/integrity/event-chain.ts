import { hash } from 'node:crypto';
import type { RecordedEvent } from '../port.js';

/**
 * Canonical JSON by RFC 8785 (JSON Canonicalization Scheme): no whitespace, keys sorted by UTF-16 code units, numbers and strings as
 * `JSON.stringify` writes them. Stores may differ in whitespace, key order and number notation; parsing (the last of two equal keys wins)
 * and canonicalizing yields the same text.
 *
 * Optimized, since it runs for every event of a log: skips sorting if the keys are sorted. `__proto__` is an ordinary key.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'number') return canonicalNumber(value);
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value !== 'object') throw new TypeError(`${typeof value} is not a JSON value`);
  if (Array.isArray(value)) {
    let text = '[';
    for (let index = 0; index < value.length; index++) {
      text += (index === 0 ? '' : ',') + canonicalJson(value[index]);
    }
    return text + ']';
  }
  const members = value as Readonly<Record<string, unknown>>;
  let text = '{';
  for (const key of sortedKeys(members)) {
    text += (text.length === 1 ? '' : ',') + JSON.stringify(key) + ':' + canonicalJson(members[key]);
  }
  return text + '}';
}

/** `JSON.parse` reads 1e400 as Infinity, which the RFC forbids and `JSON.stringify` would write as null. */
function canonicalNumber(value: number): string {
  if (!Number.isFinite(value)) throw new TypeError(`${value} is not a JSON number`);
  return JSON.stringify(value);
}

/** The default sort compares UTF-16 code units, as the RFC requires. */
function sortedKeys(value: object): string[] {
  const keys = Object.keys(value);
  for (let index = 1; index < keys.length; index++) {
    const [before, key] = [keys[index - 1], keys[index]];
    if (before !== undefined && key !== undefined && before > key) return keys.sort();
  }
  return keys;
}

/** A stored event with encrypted personal data. Erasing a person destroys a key and changes no event. */
export type StoredEvent = Omit<RecordedEvent, 'position'>;

/** State of the chain after an event. */
export interface ChainTip {
  /** Number of product events; 0 for an empty log. */
  readonly ordinal: number;
  readonly head: Buffer;
}

export interface ChainLink extends ChainTip {
  readonly eventId: string;
  readonly leaf: Buffer;
}

export const HASH_BYTES = 32;
const HEAD_PREFIX = Uint8Array.of(1);
export const CHAIN_NAME = 'nimo-event-chain-v1';

/**
 * Definition of the chain (‖ concatenates bytes):
 *
 *     leaf(n) = SHA-256( 0x00 ‖ JCS({data, id, metadata, ordinal: n, revision, stream, type}) )
 *     head(0) = SHA-256( "nimo-event-chain-v1" )
 *     head(n) = SHA-256( 0x01 ‖ head(n−1) ‖ leaf(n) )
 *
 * JCS is RFC 8785 in UTF-8. The prefix bytes separate leaves from heads, as in RFC 6962 (Certificate Transparency), section 2.1. Ordinals
 * count product events from 1. The store's positions are not included, so a log has the same chain in every store.
 */
export const EMPTY_CHAIN: ChainTip = {
  ordinal: 0,
  head: hash('sha256', CHAIN_NAME, 'buffer'),
};

/** The text hashed into a leaf; also a line of an exported log. */
export function canonicalEvent(ordinal: number, event: StoredEvent): string {
  const { data, id, metadata, revision, streamId, type } = event;
  return (
    `{"data":${canonicalJson(data)},"id":${JSON.stringify(id)},"metadata":${canonicalJson(metadata)},` +
    `"ordinal":${ordinal},"revision":${revision},"stream":${JSON.stringify(streamId)},"type":${JSON.stringify(type)}}`
  );
}

/** One-shot hashing is several times faster than a hash object per event. */
export function leafOf(canonical: string): Buffer {
  return hash('sha256', `\u0000${canonical}`, 'buffer');
}

export function nextHead(head: Uint8Array, leaf: Uint8Array): Buffer {
  return hash('sha256', Buffer.concat([HEAD_PREFIX, head, leaf]), 'buffer');
}

function linkOf(before: ChainTip, event: StoredEvent): ChainLink {
  const ordinal = before.ordinal + 1;
  const leaf = leafOf(canonicalEvent(ordinal, event));
  return { ordinal, eventId: event.id, leaf, head: nextHead(before.head, leaf) };
}

export function linksOf(before: ChainTip, events: readonly StoredEvent[]): ChainLink[] {
  let tip = before;
  return events.map((event) => {
    const link = linkOf(tip, event);
    tip = link;
    return link;
  });
}

/** Undefined for an event that could not have been appended, such as one with a number out of range. */
export function tryLinkOf(before: ChainTip, event: RecordedEvent): ChainLink | undefined {
  try {
    return linkOf(before, event);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}
