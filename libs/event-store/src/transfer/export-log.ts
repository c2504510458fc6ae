import { canonicalEvent, type ChainTip, EMPTY_CHAIN, leafOf, nextHead } from '../chain/event-chain.js';
import type { SignedHead } from '../chain/signed-head.js';
import type { EventStore, Position } from '../port.js';
import { readWithin } from '../read-within.js';
import { endLine, headerLine, LogDiffersError } from './log-file.js';

export interface ExportLogOptions {
  readonly log: EventStore;
  /** How far to export; what comes later is left for the next time. */
  readonly tip: ChainTip;
  readonly signed: SignedHead;
  readonly onProgress?: (ordinal: number) => void;
  readonly signal?: AbortSignal;
}

const PAGE = 1000;
const PAGE_BYTES = 8 * 2 ** 20;

/**
 * The whole log as text, a page at a time.
 * @throws LogDiffersError before the end is written, where the events do not lead to the chain's head
 */
export async function* exportLog({
  log,
  tip,
  signed,
  onProgress,
  signal,
}: ExportLogOptions): AsyncGenerator<string> {
  const wanted = tip.head.toString('hex');
  yield headerLine({ events: tip.ordinal, head: wanted, signed });
  let { ordinal, head } = EMPTY_CHAIN;
  let after: Position | undefined;
  while (ordinal < tip.ordinal) {
    signal?.throwIfAborted();
    const limit = Math.min(PAGE, tip.ordinal - ordinal);
    const range = { ...(after !== undefined && { after }), limit, mostBytes: PAGE_BYTES };
    const { events: page } = await readWithin(log, range);
    if (page.length === 0)
      throw new LogDiffersError(`The log ends with ordinal ${ordinal}, its chain with ${tip.ordinal}.`);
    let text = '';
    for (const event of page) {
      const line = canonicalEvent(++ordinal, event);
      head = nextHead(head, leafOf(line));
      text += `${line}\n`;
    }
    after = page.at(-1)?.position;
    yield text;
    onProgress?.(ordinal);
  }
  if (head.toString('hex') !== wanted)
    throw new LogDiffersError(
      'The events do not lead to the head of their chain; nimo log verify names the first that does not fit.',
    );
  yield endLine(ordinal, wanted);
}
