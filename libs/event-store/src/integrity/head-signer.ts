import type { Pool } from 'pg';
import type { ChainTip } from './event-chain.js';
import type { Misfit } from './misfits.js';
import {
  isGenuineHead,
  type PublicKey,
  type SignedHead,
  signHead,
  type SigningKey,
  type HeadWitness,
} from './signed-head.js';
import { standingHeads, type StandingHeads } from './witness-faults.js';

interface HeadSignerOptions {
  readonly pool: Pool;
  /** Where heads are written, in this order; without the first nothing counts as signed. */
  readonly witnesses: readonly [HeadWitness, ...HeadWitness[]];
  readonly key: SigningKey;
  /** Former keys, whose heads are believed. */
  readonly formerKeys?: readonly PublicKey[];
  readonly clock: () => Date;
  readonly onError: (error: unknown) => void;
  /** The chain does not hold what was signed: nothing is signed until it does again. */
  readonly onMisfit: (misfit: Misfit) => void;
  /** A head is signed after so many events … */
  readonly everyEvents: number;
  /** … or after so long, where something came. */
  readonly everyMs: number;
}

/** Heads that a witness which was away is brought at a time. */
const CATCH_UP = 1000;

/** Signs the chain now and then and writes that out of the database: at most so many events are without a witness. */
export class HeadSigner {
  private readonly options: HeadSignerOptions;
  private tip: ChainTip | undefined;
  private signed = 0;
  /** A misfit was found: looked at again by the clock, not with every batch. */
  private refuses = false;
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> = Promise.resolve();

  constructor(options: HeadSignerOptions) {
    this.options = options;
  }

  start(): void {
    this.timer = setInterval(() => void this.sign().catch(this.options.onError), this.options.everyMs);
  }

  /** The chain was written so far. */
  async see(tip: ChainTip): Promise<void> {
    this.tip = tip;
    if (!this.refuses && tip.ordinal - this.signed >= this.options.everyEvents) await this.sign();
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.sign();
  }

  /** A disk that is full must not stop the chain: it is told, and the next time signs for the events until then. */
  private sign(): Promise<void> {
    this.writing = this.writing.then(async () => {
      const tip = this.tip;
      if (tip === undefined || tip.ordinal <= this.signed) return;
      try {
        await this.signUnlessMisfit(tip);
      } catch (error) {
        this.options.onError(error);
      }
    });
    return this.writing;
  }

  private async signUnlessMisfit(tip: ChainTip): Promise<void> {
    const { pool, witnesses, key, clock, onError, onMisfit } = this.options;
    const standing = await standingHeads({ pool, witnesses, keys: this.keys });
    this.refuses = standing.misfit !== null;
    if (standing.misfit) {
      onMisfit(standing.misfit);
      return;
    }
    for (const { name, error } of standing.unreachable) {
      if (name === witnesses[0].name) throw error;
      onError(error);
    }
    const whole = await this.bringUp(standing);
    this.signed = standing.newest?.ordinal ?? 0;
    if (tip.ordinal <= this.signed) return;
    const head = signHead(tip, key, clock());
    await witnesses[0].append([head]);
    this.signed = tip.ordinal;
    for (const witness of witnesses.slice(1)) if (whole.has(witness)) await this.tell(witness, [head]);
  }

  /**
   * A witness that was away, or the folder of a machine that did not lead, gets what others have meanwhile. In order, so that a gap is
   * never made; those that are whole then get the new head, too.
   */
  private async bringUp({ standings, newest }: StandingHeads): Promise<ReadonlySet<HeadWitness>> {
    const source = standings.find(({ last }) => last !== undefined && last.ordinal === newest?.ordinal);
    const whole = new Set<HeadWitness>();
    for (const { witness, last } of standings) {
      const isFirst = witness === this.options.witnesses[0];
      let after = last?.ordinal ?? 0;
      for (let rounds = 0; source && newest && after < newest.ordinal; rounds += 1) {
        if (rounds > 0 && !isFirst) break;
        const { heads } = await source.witness.read(after, CATCH_UP);
        const genuine = heads.filter((head) => this.keys.some((key) => isGenuineHead(head, key)));
        if (!(await this.tell(witness, genuine))) break;
        after = heads.at(-1)?.ordinal ?? newest.ordinal;
      }
      if (after >= (newest?.ordinal ?? 0)) whole.add(witness);
    }
    return whole;
  }

  private async tell(witness: HeadWitness, heads: readonly SignedHead[]): Promise<boolean> {
    try {
      await witness.append(heads);
      return true;
    } catch (error) {
      this.options.onError(error);
      return false;
    }
  }

  private get keys(): readonly PublicKey[] {
    return [this.options.key, ...(this.options.formerKeys ?? [])];
  }
}
