import { rm } from 'node:fs/promises';
import type { EventStore } from '../../port.js';
import { DatabaseHeads } from '../log-heads.js';
import { readMismatches } from '../mismatches.js';
import { LogWatch } from '../log-watch.js';
import { ChainedLog } from './chained-log.js';
import { HeadList } from './head-list.js';

const HOUR_MS = 3_600_000;

/** Levels of tampering: which proofs an attacker rewrites along with events. Each hides the change from one more check. */
export const COVERS = [
  'nothing',
  'the chain',
  'the chain and log.signed_heads',
  'everything on the machine',
] as const;
export type Cover = (typeof COVERS)[number];

/** A log with three signed heads that is fully verified. Restored before each test. */
export class TamperedLog {
  readonly external = new HeadList();

  private constructor(readonly log: ChainedLog) {}

  static async create(store?: EventStore): Promise<TamperedLog> {
    const log = await ChainedLog.create(store);
    const tampered = new TamperedLog(log);
    for (const count of [5, 5, 4]) {
      await log.append(count);
      await log.chain();
    }
    tampered.external.heads = [...(await log.folder.read()).heads];
    await tampered.verify();
    await log.save();
    return tampered;
  }

  get headsFile(): string {
    return this.log.headsFile;
  }

  restore(): Promise<void> {
    return this.log.restore();
  }

  /** @param from first ordinal that differs */
  async cover(cover: Cover, from: number): Promise<void> {
    const depth = COVERS.indexOf(cover);
    if (depth >= 1) {
      await this.log.rewriteChain();
      await this.log.tamper(
        `update state.log_chain_position set ordinal = (select coalesce(max(ordinal), 0) from log.chain),
           position = (select lpad(max(position)::text, 19, '0') from log.events)`,
      );
    }
    if (depth >= 2) await this.log.tamper(`delete from log.signed_heads where ordinal >= ${from}`);
    if (depth < 3) return;
    const remaining = (await this.log.folder.read()).heads.filter(({ ordinal }) => ordinal < from);
    await rm(this.headsFile);
    await this.log.folder.append(remaining);
    await this.log.tamper('update state.log_verification set mark = null, owner = null, expires_at = null');
  }

  /** Mismatches found by a new worker in two steps. `store` replaces the log. */
  async verify(store: EventStore = this.log.log, retentionMs = 2 * HOUR_MS): Promise<string[]> {
    const { pool, folder, key } = this.log;
    const watch = new LogWatch({
      pool,
      log: store,
      externalCheckpoints: [folder, new DatabaseHeads(pool), this.external],
      key,
      // An hour later, so that checkpoints that are behind are reported.
      clock: () => new Date(Date.now() + HOUR_MS),
      onMismatch: () => undefined,
      onError: (error) => {
        throw error;
      },
      roundEveryMs: 0,
      retentionMs,
    });
    await watch.step();
    await watch.step();
    await watch.stop();
    return (await readMismatches(pool)).map(({ detail }) => detail);
  }
}
