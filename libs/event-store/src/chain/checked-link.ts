import type { RecordedEvent } from '../port.js';
import { type ChainLink, type ChainTip, linkOf } from './event-chain.js';

/** Undefined for what no appender could have written, such as a number beyond all doubles. */
export function hashOf(before: ChainTip, event: RecordedEvent): ChainLink | undefined {
  try {
    return linkOf(before, event);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}
