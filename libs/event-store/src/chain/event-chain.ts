import { hash } from 'node:crypto';
import type { RecordedEvent } from '../port.js';
import { canonicalJson } from './canonical-json.js';

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

export function linkOf(before: ChainTip, event: StoredEvent): ChainLink {
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
