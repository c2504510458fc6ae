import { type ChainLink, type ChainTip, EMPTY_CHAIN, hashOf } from '../integrity/event-chain.js';
import type { EventStore, Position, RecordedEvent } from '../port.js';
import { StreamHeads } from './import-log.js';

interface CompareLogsOptions {
  readonly from: Pick<EventStore, 'readAll'>;
  readonly to: Pick<EventStore, 'readAll'>;
  /** Last ordinal to compare; until one of them ends unless given. */
  readonly until?: number;
  /** Sees every event that is the same in both, as each has it. */
  readonly onSame?: (here: RecordedEvent, there: RecordedEvent, tip: ChainTip) => void;
  readonly onProgress?: (ordinal: number) => void;
  readonly signal?: AbortSignal;
}

/** One log as far as it was the same as the other. */
interface Walked {
  readonly tip: ChainTip;
  /** Of the last event that was the same. */
  readonly position: Position | undefined;
  readonly streams: number;
  readonly streamsDigest: string;
}

export interface Comparison {
  readonly from: Walked;
  readonly to: Walked;
  /** What comes next in each: two events that differ, or one where the other log has ended. */
  readonly next: { readonly from: RecordedEvent | undefined; readonly to: RecordedEvent | undefined };
}

/** Of both logs, and the same of each: a bound in bytes would end them at different events. */
const PAGE = 250;

/** Reads two logs side by side and hashes each for itself, up to the first event in which they differ. A page of each is in memory. */
export async function compareLogs(options: CompareLogsOptions): Promise<Comparison> {
  const { onSame, onProgress, signal, until = Infinity } = options;
  const [from, to] = [new Walk(options.from), new Walk(options.to)];
  while (from.ordinal < until) {
    signal?.throwIfAborted();
    const limit = Math.min(PAGE, until - from.ordinal);
    const [here, there] = await Promise.all([from.page(limit), to.page(limit)]);
    for (let index = 0; index < limit; index++) {
      const pair = { from: here[index], to: there[index] };
      if (!pair.from || !pair.to || !advance(from, to, pair.from, pair.to))
        return { from: from.walked(), to: to.walked(), next: pair };
      onSame?.(pair.from, pair.to, from.tip);
    }
    onProgress?.(from.ordinal);
  }
  return { from: from.walked(), to: to.walked(), next: { from: undefined, to: undefined } };
}

/** Takes an event into both walks if it is the same. */
function advance(from: Walk, to: Walk, here: RecordedEvent, there: RecordedEvent): boolean {
  const [link, other] = [from.linkOf(here), to.linkOf(there)];
  if (!link || !other?.head.equals(link.head)) return false;
  from.take(here, link);
  to.take(there, other);
  return true;
}

class Walk {
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
    return hashOf(this.tip, event);
  }

  take(event: RecordedEvent, link: ChainLink): void {
    this.tip = link;
    this.position = event.position;
    this.heads.take(event, link.leaf);
  }

  walked(): Walked {
    return {
      tip: this.tip,
      position: this.position,
      streams: this.heads.streams,
      streamsDigest: this.heads.digest(),
    };
  }
}
