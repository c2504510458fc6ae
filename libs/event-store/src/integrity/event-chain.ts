import { hash } from 'node:crypto';
import type { RecordedEvent } from '../port.js';

/**
 * The one text of a JSON value, by RFC 8785 (JSON Canonicalization Scheme): no blanks, keys in the order of their UTF-16 code units,
 * numbers and strings as ECMAScript writes them, which is what `JSON.stringify` does. Stores may keep other blanks, orders of keys,
 * `1.0` or `1e2`; after `JSON.parse` (the last of two equal keys wins) the same value has the same text.
 *
 * By hand, since it runs for every event of a log: sorting is skipped where keys are sorted already, and `__proto__` is a key like any other.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'number') return canonicalNumber(value);
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value !== 'object') throw new TypeError(`${typeof value} is no JSON value`);
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

/** `JSON.parse` reads 1e400 as Infinity, which the RFC refuses and `JSON.stringify` would write as null. */
function canonicalNumber(value: number): string {
  if (!Number.isFinite(value)) throw new TypeError(`${value} is no JSON number`);
  return JSON.stringify(value);
}

/** `sort` without a comparison goes by UTF-16 code units, as the RFC wants it. */
function sortedKeys(value: object): string[] {
  const keys = Object.keys(value);
  for (let index = 1; index < keys.length; index++) {
    const [before, key] = [keys[index - 1], keys[index]];
    if (before !== undefined && key !== undefined && before > key) return keys.sort();
  }
  return keys;
}

/** An event as it is stored, personal data sealed: erasing somebody destroys a key and changes no event. */
export type StoredEvent = Omit<RecordedEvent, 'position'>;

/** The chain up to and with an event. */
export interface ChainTip {
  /** Count of product events; 0 is the empty log. */
  readonly ordinal: number;
  readonly head: Buffer;
}

export interface ChainLink extends ChainTip {
  readonly eventId: string;
  readonly leaf: Buffer;
}

export const HASH_BYTES = 32;
const HEAD_MARK = Uint8Array.of(1);
export const CHAIN_NAME = 'nimo-event-chain-v1';

/**
 * The chain, for whoever wants to compute it elsewhere (‖ joins bytes):
 *
 *     leaf(n) = SHA-256( 0x00 ‖ JCS({data, id, metadata, ordinal: n, revision, stream, type}) )
 *     head(0) = SHA-256( "nimo-event-chain-v1" )
 *     head(n) = SHA-256( 0x01 ‖ head(n−1) ‖ leaf(n) )
 *
 * JCS is RFC 8785 in UTF-8. The first bytes keep a leaf from being taken for a head, as in RFC 6962 (Certificate Transparency), section 2.1.
 * The ordinal counts product events from 1. The store's position is no part: the same log in another engine has the same chain.
 */
export const EMPTY_CHAIN: ChainTip = {
  ordinal: 0,
  head: hash('sha256', CHAIN_NAME, 'buffer'),
};

/** The bytes of a leaf, and a line of an exported log. */
export function canonicalEvent(ordinal: number, event: StoredEvent): string {
  const { data, id, metadata, revision, streamId, type } = event;
  return (
    `{"data":${canonicalJson(data)},"id":${JSON.stringify(id)},"metadata":${canonicalJson(metadata)},` +
    `"ordinal":${ordinal},"revision":${revision},"stream":${JSON.stringify(streamId)},"type":${JSON.stringify(type)}}`
  );
}

/** In one call: a hash object each would cost several times what the hashing does. */
export function leafOf(canonical: string): Buffer {
  return hash('sha256', `\u0000${canonical}`, 'buffer');
}

export function nextHead(head: Uint8Array, leaf: Uint8Array): Buffer {
  return hash('sha256', Buffer.concat([HEAD_MARK, head, leaf]), 'buffer');
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

/** Undefined for what no appender could have written, such as a number beyond all doubles. */
export function hashOf(before: ChainTip, event: RecordedEvent): ChainLink | undefined {
  try {
    return linkOf(before, event);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}
