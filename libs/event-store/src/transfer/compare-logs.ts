import { type ChainLink, type ChainTip, EMPTY_CHAIN, tryLinkOf } from '../integrity/event-chain.js';
import type { EventStore, Position, RecordedEvent } from '../port.js';
import { StreamHeads } from './import-log.js';

interface CompareLogsOptions {
  readonly from: Pick<EventStore, 'readAll'>;
  readonly to: Pick<EventStore, 'readAll'>;
  /** Last ordinal to compare. Defaults to the end of the shorter log. */
  readonly until?: number;
  /** Called for every event that is identical in both logs. */
  readonly onSame?: (source: RecordedEvent, target: RecordedEvent, tip: ChainTip) => void;
  readonly onProgress?: (ordinal: number) => void;
  readonly signal?: AbortSignal;
}

/** State of a log after the common prefix. */
interface CursorState {
  readonly tip: ChainTip;
  /** Position of the last common event. */
  readonly position: Position | undefined;
  readonly streams: number;
  readonly streamsDigest: string;
}

export interface Comparison {
  readonly from: CursorState;
  readonly to: CursorState;
  /** The next event of each log: they differ, or one is missing. */
  readonly next: { readonly from: RecordedEvent | undefined; readonly to: RecordedEvent | undefined };
}

/** Bounded by count only: a byte limit would end the two pages at different events. */
const PAGE_SIZE = 250;

/** Reads two logs in parallel and chains each independently, up to the first difference. Holds one page of each in memory. */
export async function compareLogs(options: CompareLogsOptions): Promise<Comparison> {
  const { onSame, onProgress, signal, until = Infinity } = options;
  const [from, to] = [new LogCursor(options.from), new LogCursor(options.to)];
  while (from.ordinal < until) {
    signal?.throwIfAborted();
    const limit = Math.min(PAGE_SIZE, until - from.ordinal);
    const [fromPage, toPage] = await Promise.all([from.page(limit), to.page(limit)]);
    for (let index = 0; index < limit; index++) {
      const pair = { from: fromPage[index], to: toPage[index] };
      if (!pair.from || !pair.to || !advanceBoth(from, to, pair.from, pair.to))
        return { from: from.state(), to: to.state(), next: pair };
      onSame?.(pair.from, pair.to, from.tip);
    }
    onProgress?.(from.ordinal);
  }
  return { from: from.state(), to: to.state(), next: { from: undefined, to: undefined } };
}

/** Advances both cursors if their events are identical. */
function advanceBoth(from: LogCursor, to: LogCursor, source: RecordedEvent, target: RecordedEvent): boolean {
  const [link, other] = [from.linkOf(source), to.linkOf(target)];
  if (!link || !other?.head.equals(link.head)) return false;
  from.advance(source, link);
  to.advance(target, other);
  return true;
}

class LogCursor {
  tip: ChainTip = EMPTY_CHAIN;
  private readonly log: Pick<EventStore, 'readAll'>;
  private readonly heads = new StreamHeads();
  private position: Position | undefined;

  constructor(log: Pick<EventStore, 'readAll'>) {
    this.log = log;
  }

  get ordinal(): number {
    return this.tip.ordinal;
  }

  page(limit: number): Promise<RecordedEvent[]> {
    return this.log.readAll({ ...(this.position !== undefined && { after: this.position }), limit });
  }

  linkOf(event: RecordedEvent): ChainLink | undefined {
    return tryLinkOf(this.tip, event);
  }

  advance(event: RecordedEvent, link: ChainLink): void {
    this.tip = link;
    this.position = event.position;
    this.heads.add(event, link.leaf);
  }

  state(): CursorState {
    return {
      tip: this.tip,
      position: this.position,
      streams: this.heads.streams,
      streamsDigest: this.heads.digest(),
    };
  }
}
