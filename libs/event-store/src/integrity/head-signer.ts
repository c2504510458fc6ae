import type { Pool } from 'pg';
import type { ChainTip } from './event-chain.js';
import type { Mismatch } from './mismatches.js';
import {
  isGenuineHead,
  type PublicKey,
  type SignedHead,
  signHead,
  type SigningKey,
  type ExternalCheckpoint,
} from './signed-head.js';
import { readCheckpointState, type CheckpointState } from './checkpoint-faults.js';

interface HeadSignerOptions {
  readonly pool: Pool;
  /** Written in this order. Nothing counts as signed until the first one has it. */
  readonly externalCheckpoints: readonly [ExternalCheckpoint, ...ExternalCheckpoint[]];
  readonly key: SigningKey;
  /** Former keys whose signatures remain valid. */
  readonly formerKeys?: readonly PublicKey[];
  readonly clock: () => Date;
  readonly onError: (error: unknown) => void;
  /** The chain contradicts a signed head. Nothing is signed until this is resolved. */
  readonly onMismatch: (mismatch: Mismatch) => void;
  /** Signs a head after this many events … */
  readonly everyEvents: number;
  /** … or after this time, if there are new events. */
  readonly everyMs: number;
}

/** Heads per batch when a checkpoint catches up. */
const CATCH_UP_BATCH = 1000;

/** Regularly signs the chain head and sends it to external checkpoints, which bounds the number of events without one. */
export class HeadSigner {
  private readonly options: HeadSignerOptions;
  private tip: ChainTip | undefined;
  private signed = 0;
  /** A mismatch was found. Checked again on the timer, not with every batch. */
  private isBlocked = false;
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> = Promise.resolve();

  constructor(options: HeadSignerOptions) {
    this.options = options;
  }

  start(): void {
    this.timer = setInterval(() => void this.sign().catch(this.options.onError), this.options.everyMs);
  }

  /** Call after the chain was written up to this tip. */
  async advance(tip: ChainTip): Promise<void> {
    this.tip = tip;
    if (!this.isBlocked && tip.ordinal - this.signed >= this.options.everyEvents) await this.sign();
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.sign();
  }

  /** Errors such as a full disk are reported but do not stop the chain; the next head covers the same events. */
  private sign(): Promise<void> {
    this.writing = this.writing.then(async () => {
      const tip = this.tip;
      if (tip === undefined || tip.ordinal <= this.signed) return;
      try {
        await this.signUnlessMismatch(tip);
      } catch (error) {
        this.options.onError(error);
      }
    });
    return this.writing;
  }

  private async signUnlessMismatch(tip: ChainTip): Promise<void> {
    const { pool, externalCheckpoints, key, clock, onError, onMismatch } = this.options;
    const state = await readCheckpointState({ pool, externalCheckpoints, keys: this.keys });
    this.isBlocked = state.mismatch !== null;
    if (state.mismatch) {
      onMismatch(state.mismatch);
      return;
    }
    for (const { name, error } of state.unreachable) {
      if (name === externalCheckpoints[0].name) throw error;
      onError(error);
    }
    const upToDate = await this.catchUp(state);
    this.signed = state.newest?.ordinal ?? 0;
    if (tip.ordinal <= this.signed) return;
    const head = signHead(tip, key, clock());
    await externalCheckpoints[0].append([head]);
    this.signed = tip.ordinal;
    for (const checkpoint of externalCheckpoints.slice(1))
      if (upToDate.has(checkpoint)) await this.send(checkpoint, [head]);
  }

  /**
   * Sends missing heads to checkpoints that are behind, in order so that they never have gaps.
   * @returns the checkpoints that are up to date and can receive the new head
   */
  private async catchUp({ checkpoints, newest }: CheckpointState): Promise<ReadonlySet<ExternalCheckpoint>> {
    const source = checkpoints.find(({ last }) => last !== undefined && last.ordinal === newest?.ordinal);
    const upToDate = new Set<ExternalCheckpoint>();
    for (const { checkpoint, last } of checkpoints) {
      const isFirst = checkpoint === this.options.externalCheckpoints[0];
      let after = last?.ordinal ?? 0;
      for (let rounds = 0; source && newest && after < newest.ordinal; rounds += 1) {
        if (rounds > 0 && !isFirst) break;
        const { heads } = await source.checkpoint.read(after, CATCH_UP_BATCH);
        const genuine = heads.filter((head) => this.keys.some((key) => isGenuineHead(head, key)));
        if (!(await this.send(checkpoint, genuine))) break;
        after = heads.at(-1)?.ordinal ?? newest.ordinal;
      }
      if (after >= (newest?.ordinal ?? 0)) upToDate.add(checkpoint);
    }
    return upToDate;
  }

  private async send(checkpoint: ExternalCheckpoint, heads: readonly SignedHead[]): Promise<boolean> {
    try {
      await checkpoint.append(heads);
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
