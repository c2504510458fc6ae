import { Inject, Injectable } from '@nestjs/common';
import type { EventStore } from '@nimo/event-store';
import { hasPicturesUpTo, findUnusedPictures } from '@nimo/projections';
import { Pool } from 'pg';
import type { FileStore } from '../../platform/adapters/files/file-store.js';
import { FILES } from '../../platform/adapters/tokens.js';
import { EVENT_STORE } from '../../platform/config/tokens.js';
import { keyAt, locationOf, STORAGE_PATHS } from './picture-access.js';

const BATCH_SIZE = 500;

/**
 * Deletes pictures that can never be shown again: never used, removed by their author, or of a permanently deleted post.
 * A picture must be found unused twice, a day apart, so that a single projection fault cannot delete files.
 */
@Injectable()
export class PictureSweep {
  /** Cursor of the current pass over all uploads. */
  private after = '';

  constructor(
    private readonly pool: Pool,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(FILES) private readonly files: FileStore,
  ) {}

  /** Processes the next batch. @returns the number of deleted pictures */
  async sweep(): Promise<number> {
    const head = await this.store.head();
    if (head === undefined || !(await hasPicturesUpTo(this.pool, head))) return 0;
    const keys = await this.nextBatch();
    if (keys.length === 0) return 0;
    const unused = (await findUnusedPictures(this.pool, keys.map(locationOf))).flatMap(
      (location) => keyAt(location) ?? [],
    );
    return this.deleteUnused(keys, unused);
  }

  /** The next batch of keys. Skips fresh uploads, which may be about to be posted. */
  private async nextBatch(): Promise<string[]> {
    const { rows } = await this.pool.query<{ key: string }>(
      `select key from state.upload
       where key > $1 and status in ('received', 'ready') and expires_at < now() - interval '1 day'
       order by key limit ${BATCH_SIZE}`,
      [this.after],
    );
    this.after = rows.length < BATCH_SIZE ? '' : (rows.at(-1)?.key ?? '');
    return rows.map(({ key }) => key);
  }

  private async deleteUnused(keys: readonly string[], unused: readonly string[]): Promise<number> {
    await this.pool.query(
      `update state.upload set unused_since = case when key = any($2::text[]) then now() end
       where key = any($1::text[]) and (unused_since is null) = (key = any($2::text[]))`,
      [keys, unused],
    );
    const { rows } = await this.pool.query<{ key: string }>(
      `select key from state.upload where key = any($1::text[]) and unused_since < now() - interval '1 day'`,
      [unused],
    );
    for (const { key } of rows) await this.delete(key);
    return rows.length;
  }

  /** Deletes the files first: a row without files is retried, files without a row never are. */
  private async delete(key: string): Promise<void> {
    for (const pathOf of Object.values(STORAGE_PATHS)) await this.files.remove(pathOf(key));
    await this.pool.query('delete from state.upload where key = $1', [key]);
  }
}
