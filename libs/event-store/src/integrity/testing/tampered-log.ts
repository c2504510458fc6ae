import { rm } from 'node:fs/promises';
import type { EventStore } from '../../port.js';
import { DatabaseHeads } from '../log-heads.js';
import { knownMisfits } from '../misfits.js';
import { LogWatch } from '../log-watch.js';
import { ChainedLog } from './chained-log.js';
import { HeadList } from './head-list.js';

const HOUR_MS = 3_600_000;

/** How much else is rewritten by whoever changes events: each of them hides the change from one more look. */
export const COVERS = [
  'nothing',
  'the chain',
  'the chain and log.signed_heads',
  'all of the machine',
] as const;
export type Cover = (typeof COVERS)[number];

/** A log that was signed three times and verified as a whole, put back to that before each way to tamper with it. */
export class TamperedLog {
  readonly outside = new HeadList();

  private constructor(readonly log: ChainedLog) {}

  static async create(store?: EventStore): Promise<TamperedLog> {
    const log = await ChainedLog.create(store);
    const tampered = new TamperedLog(log);
    for (const count of [5, 5, 4]) {
      await log.append(count);
      await log.chain();
    }
    tampered.outside.heads = [...(await log.folder.read()).heads];
    await tampered.verify();
    await log.keep();
    return tampered;
  }

  get headsFile(): string {
    return this.log.headsFile;
  }

  putBack(): Promise<void> {
    return this.log.putBack();
  }

  /** @param from the first ordinal that is another */
  async cover(cover: Cover, from: number): Promise<void> {
    const depth = COVERS.indexOf(cover);
    if (depth >= 1) {
      await this.log.rewriteChain();
      await this.log.tamper(
        `update state.log_chain_place set ordinal = (select coalesce(max(ordinal), 0) from log.chain),
           position = (select lpad(max(position)::text, 19, '0') from log.events)`,
      );
    }
    if (depth >= 2) await this.log.tamper(`delete from log.signed_heads where ordinal >= ${from}`);
    if (depth < 3) return;
    const kept = (await this.log.folder.read()).heads.filter(({ ordinal }) => ordinal < from);
    await rm(this.headsFile);
    await this.log.folder.append(kept);
    await this.log.tamper('update state.log_verification set mark = null, owner = null, expires_at = null');
  }

  /** What a worker finds that starts now, by looking twice; `store` is the log where it is another. */
  async verify(store: EventStore = this.log.log, keepMs = 2 * HOUR_MS): Promise<string[]> {
    const { pool, folder, key } = this.log;
    const watch = new LogWatch({
      pool,
      log: store,
      witnesses: [folder, new DatabaseHeads(pool), this.outside],
      key,
      // What was signed is old by now, so that a witness that is behind is not waited for.
      clock: () => new Date(Date.now() + HOUR_MS),
      onMisfit: () => undefined,
      onError: (error) => {
        throw error;
      },
      roundEveryMs: 0,
      keepMs,
    });
    await watch.step();
    await watch.step();
    await watch.stop();
    return (await knownMisfits(pool)).map(({ detail }) => detail);
  }
}
