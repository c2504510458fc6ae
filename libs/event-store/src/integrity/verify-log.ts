import type { Pool } from 'pg';
import type { EventStore, Position, RecordedEvent } from '../port.js';
import { findLinks, readChainPlace, readChainTip, readLinks } from './chain-table.js';
import { type ChainLink, type ChainTip, EMPTY_CHAIN, hashOf } from './event-chain.js';
import { type Misfit, misfitAt, misfitOfWitness, tailMissing, uncovered } from './misfits.js';
import { isGenuineHead, type PublicKey, type SignedHead } from './signed-head.js';

export interface VerifyLogOptions {
  readonly pool: Pool;
  readonly log: EventStore;
  readonly heads: readonly SignedHead[];
  /** Keys whose signatures are believed. */
  readonly keys: readonly PublicKey[];
  /** First ordinal to look at; what lies before is taken from the chain's table. */
  readonly from?: number;
  /** Where an earlier verification ended, in place of `from`: the chain before it is taken from there, and not from the table. */
  readonly start?: VerifiedPlace;
  /** Last ordinal to look at; unless given, all that is in the log now. */
  readonly to?: number;
  /** Position of the event with an ordinal, where the store can tell it without reading the log. */
  readonly seek?: (ordinal: number) => Promise<Position | undefined>;
  readonly onProgress?: (ordinal: number) => void;
  /** Each event that fits, in order. */
  readonly onVerified?: (event: RecordedEvent, ordinal: number) => void;
  readonly signal?: AbortSignal;
}

/** A place up to which all was found to fit. */
export interface VerifiedPlace {
  readonly ordinal: number;
  /** Hexadecimal. */
  readonly head: string;
  /** Of the last event; null at the beginning. */
  readonly position: Position | null;
}

export interface VerifyReport {
  readonly from: number;
  /** Ordinal of the last event that was looked at. */
  readonly ordinal: number;
  readonly head: string;
  /** Of that event; null where none was looked at from the beginning of the log. */
  readonly position: Position | null;
  /** Events that the chain does not have yet: a worker writes it behind the log. */
  readonly chainLag: number;
  /** Genuine signed heads that were compared, those of keys unknown here, and those whose signature is wrong. */
  readonly signedHeads: {
    readonly compared: number;
    readonly last: number | null;
    readonly unknownKey: number;
    readonly forged: number;
  };
  readonly misfit: Misfit | null;
}

const PAGE = 2000;

/**
 * Computes the chain anew from the events and compares it with the chain's table and with every signed head. Ends at the first
 * event that does not fit. Constant memory; events appended meanwhile are left for the next time.
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
  private lag = 0;
  /** Where the chain's table ended at the start: what is chained meanwhile is not looked at. */
  private recorded = 0;

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
    // In this order: what is chained or signed by now is in the log by then.
    const chained = (await readChainPlace(pool)).ordinal;
    this.recorded = (await readChainTip(pool)).ordinal;
    const surplus = this.recorded > chained ? await this.surplus() : null;
    const until = await log.head();
    const misfit =
      surplus ??
      (start && (await this.startMisfit(start, until))) ??
      (await this.walk(from, until)) ??
      (await this.end(chained));
    return {
      from,
      ordinal: this.tip.ordinal,
      head: this.tip.head.toString('hex'),
      position: this.position,
      chainLag: this.lag,
      signedHeads: {
        compared: this.compared,
        last: this.lastHead === 0 ? null : this.lastHead,
        unknownKey: this.unknownKey,
        forged: this.forged,
      },
      misfit,
    };
  }

  /** Rows and place are written in one: read after them, the place is never behind. */
  private async surplus(): Promise<Misfit | null> {
    const { ordinal } = await readChainPlace(this.options.pool);
    return this.recorded > ordinal
      ? misfitOfWitness(
          'chain-changed',
          ordinal + 1,
          `The chain's table ends with ordinal ${this.recorded}, and only ${ordinal} were written.`,
        )
      : null;
  }

  private async walk(from: number, until: Position | undefined): Promise<Misfit | null> {
    if (until === undefined) return null;
    let after = await this.startAt(from);
    this.position = after ?? null;
    for (;;) {
      this.options.signal?.throwIfAborted();
      const page = (await this.read(after, until)).slice(0, this.left());
      const last = page.at(-1);
      if (last === undefined) return null;
      const misfit = await this.checkPage(page, until);
      if (misfit) return misfit;
      this.options.onProgress?.(this.tip.ordinal);
      after = last.position;
      this.position = after;
    }
  }

  private left(): number {
    return (this.options.to ?? Infinity) - this.tip.ordinal;
  }

  private read(after: Position | undefined, until: Position): Promise<RecordedEvent[]> {
    return this.options.log.readAll({ ...(after !== undefined && { after }), until, limit: PAGE });
  }

  /** What was verified before and is changed since gives itself away without being read again, where the chain was changed with it. */
  private async startMisfit(
    { ordinal, head, position }: VerifiedPlace,
    until: Position | undefined,
  ): Promise<Misfit | null> {
    this.tip = { ordinal, head: Buffer.from(head, 'hex') };
    this.position = position;
    if (ordinal === 0) return null;
    if (until === undefined || (position !== null && until < position))
      return misfitOfWitness(
        'missing',
        ordinal,
        `The log ends before ordinal ${ordinal}, which was verified before.`,
      );
    const link = (await findLinks(this.options.pool, [ordinal])).get(ordinal);
    if (link?.head.toString('hex') === head) return null;
    return link
      ? misfitOfWitness(
          'rewritten',
          ordinal,
          `The chain was changed at or before ordinal ${ordinal}, after that was verified.`,
        )
      : uncovered(ordinal, ordinal + 1);
  }

  /** Takes the chain before an ordinal from its table and gives the position to go on from. */
  private async startAt(from: number): Promise<Position | undefined> {
    const before = from - 1;
    const { pool, seek, start } = this.options;
    if (start) return start.position ?? undefined;
    if (before === 0) return undefined;
    const link = (await findLinks(pool, [before])).get(before);
    if (!link) throw new RangeError(`the chain has no ordinal ${before} to start from`);
    this.tip = link;
    return seek ? seek(before) : this.passOver(before);
  }

  private async passOver(events: number): Promise<Position | undefined> {
    let after: Position | undefined;
    for (let left = events; left > 0;) {
      const page = await this.options.log.readAll({
        ...(after !== undefined && { after }),
        limit: Math.min(left, PAGE),
      });
      if (page.length === 0) return after;
      after = page.at(-1)?.position;
      left -= page.length;
    }
    return after;
  }

  private async checkPage(events: readonly RecordedEvent[], until: Position): Promise<Misfit | null> {
    const { pool } = this.options;
    const first = this.tip.ordinal;
    const links = new Map(
      (await readLinks(pool, first, Math.min(first + events.length, this.recorded))).map((link) => [
        link.ordinal,
        link,
      ]),
    );
    for (const event of events) {
      const misfit = await this.checkEvent(event, links, until);
      if (misfit) return misfit;
      this.options.onVerified?.(event, this.tip.ordinal);
    }
    return null;
  }

  private async checkEvent(
    event: RecordedEvent,
    links: ReadonlyMap<number, ChainLink>,
    until: Position,
  ): Promise<Misfit | null> {
    const { pool, log } = this.options;
    const before = this.tip;
    const found = hashOf(before, event);
    const ordinal = before.ordinal + 1;
    const link = links.get(ordinal);
    if (link === undefined) this.lag += 1;
    else if (this.lag > 0) return uncovered(ordinal - this.lag, ordinal);
    else if (!found || !isSame(link, found)) {
      return misfitAt({ pool, log, until }, { event, before, link, found });
    }
    if (!found) return misfitAt({ pool, log, until }, { event, before, link, found });
    this.tip = found;
    return this.checkHeads(event);
  }

  /** Who changed the events and the chain's table alike cannot change what was signed and written elsewhere. */
  private checkHeads(event: RecordedEvent): Misfit | null {
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
        `The head signed at ${other.at} for ordinal ${ordinal} is another: the log and its chain were changed together, ` +
        `between ordinal ${Math.max(this.lastHead, this.first)} and ${ordinal}.`,
    };
  }

  private get first(): number {
    const { start, from = 1 } = this.options;
    return start ? start.ordinal + 1 : from;
  }

  private async end(chained: number): Promise<Misfit | null> {
    const { ordinal } = this.tip;
    const wanted = Math.min(chained, this.options.to ?? chained);
    if (this.left() <= 0) return this.recorded < wanted ? uncovered(this.recorded + 1, wanted + 1) : null;
    const signed = Math.max(0, ...this.heads.keys());
    const longest = Math.max(this.recorded, chained, signed);
    if (longest > ordinal) {
      const link = (await findLinks(this.options.pool, [ordinal + 1])).get(ordinal + 1);
      return tailMissing(ordinal, longest, link?.eventId ?? null, signed > ordinal);
    }
    return this.recorded < chained ? uncovered(this.recorded + 1, chained + 1) : null;
  }
}

const isSame = (link: ChainLink, found: ChainLink): boolean =>
  link.eventId === found.eventId && link.leaf.equals(found.leaf) && link.head.equals(found.head);
