import type { Pool } from 'pg';
import type { EventStore, Position, RecordedEvent } from '../port.js';
import { findLinks, readChainPlace, readChainTip, readLinks } from './chain-table.js';
import { type ChainLink, type ChainTip, EMPTY_CHAIN, tryLinkOf } from './event-chain.js';
import { type Mismatch, explainMismatch, generalMismatch, missingTail, missingLinks } from './mismatches.js';
import { isGenuineHead, type PublicKey, type SignedHead } from './signed-head.js';

export interface VerifyLogOptions {
  readonly pool: Pool;
  readonly log: EventStore;
  readonly heads: readonly SignedHead[];
  /** Keys whose signatures are trusted. */
  readonly keys: readonly PublicKey[];
  /** First ordinal to verify. The chain before it is taken from the chain table. */
  readonly from?: number;
  /** Result of an earlier verification to continue from, instead of `from` and the chain table. */
  readonly start?: VerifiedPlace;
  /** Last ordinal to verify. Defaults to the current end of the log. */
  readonly to?: number;
  /** Position of an ordinal, if the store can find it without reading the log. */
  readonly seek?: (ordinal: number) => Promise<Position | undefined>;
  readonly onProgress?: (ordinal: number) => void;
  /** Called in order for each event that matches the chain. */
  readonly onVerified?: (event: RecordedEvent, ordinal: number) => void;
  readonly signal?: AbortSignal;
}

/** Point up to which the log is verified. */
export interface VerifiedPlace {
  readonly ordinal: number;
  /** Hexadecimal. */
  readonly head: string;
  /** Position of the last event; null at the beginning. */
  readonly position: Position | null;
}

export interface VerifyReport {
  readonly from: number;
  /** Ordinal of the last event verified. */
  readonly ordinal: number;
  readonly head: string;
  /** Position of that event; null if there is none. */
  readonly position: Position | null;
  /** Number of events not yet in the chain, which a worker writes asynchronously. */
  readonly chainLag: number;
  /** Number of signed heads that were compared, have an unknown key, or have an invalid signature. */
  readonly signedHeads: {
    readonly compared: number;
    readonly last: number | null;
    readonly unknownKey: number;
    readonly forged: number;
  };
  readonly mismatch: Mismatch | null;
}

const PAGE_SIZE = 2000;

/**
 * Recomputes the chain from the events and compares it with the chain table and the signed heads. Stops at the first mismatch. Uses
 * constant memory and ignores events appended meanwhile.
 */
export async function verifyLog(options: VerifyLogOptions): Promise<VerifyReport> {
  return new Verification(options).run();
}

class Verification {
  private readonly options: VerifyLogOptions;
  private readonly heads: ReadonlyMap<number, readonly SignedHead[]>;
  private readonly unknownKey: number;
  private readonly forged: number;
  private compared = 0;
  private lastHead = 0;
  private tip: ChainTip = EMPTY_CHAIN;
  private position: Position | null = null;
  private chainLag = 0;
  /** End of the chain table at the start; later rows are ignored. */
  private tableEnd = 0;

  constructor(options: VerifyLogOptions) {
    this.options = options;
    const keys = new Map(options.keys.map((key) => [key.keyId, key]));
    const known = options.heads.filter(({ keyId }) => keys.has(keyId));
    const genuine = known.filter((head) => {
      const key = keys.get(head.keyId);
      return key !== undefined && isGenuineHead(head, key);
    });
    this.unknownKey = options.heads.length - known.length;
    this.forged = known.length - genuine.length;
    const byOrdinal = new Map<number, SignedHead[]>();
    for (const head of genuine) byOrdinal.set(head.ordinal, [...(byOrdinal.get(head.ordinal) ?? []), head]);
    this.heads = byOrdinal;
  }

  async run(): Promise<VerifyReport> {
    const { log, pool, start } = this.options;
    const from = this.first;
    // In this order, so that everything chained or signed is also in the log that is read.
    const chained = (await readChainPlace(pool)).ordinal;
    this.tableEnd = (await readChainTip(pool)).ordinal;
    const surplus = this.tableEnd > chained ? await this.checkSurplus() : null;
    const until = await log.head();
    const mismatch =
      surplus ??
      (start && (await this.checkStart(start, until))) ??
      (await this.verifyFrom(from, until)) ??
      (await this.checkEnd(chained));
    return {
      from,
      ordinal: this.tip.ordinal,
      head: this.tip.head.toString('hex'),
      position: this.position,
      chainLag: this.chainLag,
      signedHeads: {
        compared: this.compared,
        last: this.lastHead === 0 ? null : this.lastHead,
        unknownKey: this.unknownKey,
        forged: this.forged,
      },
      mismatch,
    };
  }

  /** Rows and place are written atomically, so a place read after the rows is never behind. */
  private async checkSurplus(): Promise<Mismatch | null> {
    const { ordinal } = await readChainPlace(this.options.pool);
    return this.tableEnd > ordinal
      ? generalMismatch(
          'chain-changed',
          ordinal + 1,
          `The chain table ends at ordinal ${this.tableEnd}, but only ${ordinal} rows were written.`,
        )
      : null;
  }

  private async verifyFrom(from: number, until: Position | undefined): Promise<Mismatch | null> {
    if (until === undefined) return null;
    let after = await this.startAt(from);
    this.position = after ?? null;
    for (;;) {
      this.options.signal?.throwIfAborted();
      const page = (await this.read(after, until)).slice(0, this.remaining());
      const last = page.at(-1);
      if (last === undefined) return null;
      const mismatch = await this.checkPage(page, until);
      if (mismatch) return mismatch;
      this.options.onProgress?.(this.tip.ordinal);
      after = last.position;
      this.position = after;
    }
  }

  private remaining(): number {
    return (this.options.to ?? Infinity) - this.tip.ordinal;
  }

  private read(after: Position | undefined, until: Position): Promise<RecordedEvent[]> {
    return this.options.log.readAll({ ...(after !== undefined && { after }), until, limit: PAGE_SIZE });
  }

  /** Detects events changed since they were verified, without reading them, if the chain was changed with them. */
  private async checkStart(
    { ordinal, head, position }: VerifiedPlace,
    until: Position | undefined,
  ): Promise<Mismatch | null> {
    this.tip = { ordinal, head: Buffer.from(head, 'hex') };
    this.position = position;
    if (ordinal === 0) return null;
    if (until === undefined || (position !== null && until < position))
      return generalMismatch(
        'missing',
        ordinal,
        `The log ends before ordinal ${ordinal}, which was verified earlier.`,
      );
    const link = (await findLinks(this.options.pool, [ordinal])).get(ordinal);
    if (link?.head.toString('hex') === head) return null;
    return link
      ? generalMismatch(
          'rewritten',
          ordinal,
          `The chain was changed at or before ordinal ${ordinal} after it was verified.`,
        )
      : missingLinks(ordinal, ordinal + 1);
  }

  /** Takes the chain before an ordinal from its table, and returns the position to continue from. */
  private async startAt(from: number): Promise<Position | undefined> {
    const before = from - 1;
    const { pool, seek, start } = this.options;
    if (start) return start.position ?? undefined;
    if (before === 0) return undefined;
    const link = (await findLinks(pool, [before])).get(before);
    if (!link) throw new RangeError(`the chain has no ordinal ${before} to start from`);
    this.tip = link;
    return seek ? seek(before) : this.skip(before);
  }

  private async skip(events: number): Promise<Position | undefined> {
    let after: Position | undefined;
    for (let left = events; left > 0;) {
      const page = await this.options.log.readAll({
        ...(after !== undefined && { after }),
        limit: Math.min(left, PAGE_SIZE),
      });
      if (page.length === 0) return after;
      after = page.at(-1)?.position;
      left -= page.length;
    }
    return after;
  }

  private async checkPage(events: readonly RecordedEvent[], until: Position): Promise<Mismatch | null> {
    const { pool } = this.options;
    const first = this.tip.ordinal;
    const links = new Map(
      (await readLinks(pool, first, Math.min(first + events.length, this.tableEnd))).map((link) => [
        link.ordinal,
        link,
      ]),
    );
    for (const event of events) {
      const mismatch = await this.checkEvent(event, links, until);
      if (mismatch) return mismatch;
      this.options.onVerified?.(event, this.tip.ordinal);
    }
    return null;
  }

  private async checkEvent(
    event: RecordedEvent,
    links: ReadonlyMap<number, ChainLink>,
    until: Position,
  ): Promise<Mismatch | null> {
    const { pool, log } = this.options;
    const before = this.tip;
    const found = tryLinkOf(before, event);
    const ordinal = before.ordinal + 1;
    const link = links.get(ordinal);
    if (link === undefined) this.chainLag += 1;
    else if (this.chainLag > 0) return missingLinks(ordinal - this.chainLag, ordinal);
    else if (!found || !isSame(link, found)) {
      return explainMismatch({ pool, log, until }, { event, before, link, found });
    }
    if (!found) return explainMismatch({ pool, log, until }, { event, before, link, found });
    this.tip = found;
    return this.checkHeads(event);
  }

  /** Detects changes made to both the events and the chain table. */
  private checkHeads(event: RecordedEvent): Mismatch | null {
    const { ordinal, head } = this.tip;
    const signed = this.heads.get(ordinal);
    if (!signed) return null;
    const hex = head.toString('hex');
    const other = signed.find((each) => each.head !== hex);
    if (!other) {
      this.compared += signed.length;
      this.lastHead = ordinal;
      return null;
    }
    return {
      kind: 'rewritten',
      ordinal,
      since: Math.max(this.lastHead + 1, this.first),
      eventId: event.id,
      streamId: event.streamId,
      revision: event.revision,
      detail:
        `The chain differs from the head signed at ${other.at} for ordinal ${ordinal}: the log and its chain were changed together, ` +
        `between ordinals ${Math.max(this.lastHead, this.first)} and ${ordinal}.`,
    };
  }

  private get first(): number {
    const { start, from = 1 } = this.options;
    return start ? start.ordinal + 1 : from;
  }

  private async checkEnd(chained: number): Promise<Mismatch | null> {
    const { ordinal } = this.tip;
    const expected = Math.min(chained, this.options.to ?? chained);
    if (this.remaining() <= 0)
      return this.tableEnd < expected ? missingLinks(this.tableEnd + 1, expected + 1) : null;
    const signed = Math.max(0, ...this.heads.keys());
    const furthest = Math.max(this.tableEnd, chained, signed);
    if (furthest > ordinal) {
      const link = (await findLinks(this.options.pool, [ordinal + 1])).get(ordinal + 1);
      return missingTail(ordinal, furthest, link?.eventId ?? null, signed > ordinal);
    }
    return this.tableEnd < chained ? missingLinks(this.tableEnd + 1, chained + 1) : null;
  }
}

const isSame = (link: ChainLink, found: ChainLink): boolean =>
  link.eventId === found.eventId && link.leaf.equals(found.leaf) && link.head.equals(found.head);
