import { Inject, Injectable } from '@nestjs/common';
import type { EventStore } from '@nimo/event-store';
import { knowsPicturesUpTo, picturesWithoutUse } from '@nimo/projections';
import { Pool } from 'pg';
import type { FileStore } from '../../platform/adapters/files/file-store.js';
import { FILES } from '../../platform/adapters/tokens.js';
import { EVENT_STORE } from '../../platform/config/tokens.js';
import { keyAt, locationOf, STORED_AT } from './picture-access.js';

const MAX_AT_ONCE = 500;

/**
 * Deletes pictures that nothing shows and nothing can show again: never used, taken off, or of a post that is deleted for good.
 * Twice seen without use, a day apart: what is asked of the read side must not be the end of a file by one mistake of it.
 */
@Injectable()
export class PictureSweep {
  /** Where the round over all uploads has got to. */
  private after = '';

  constructor(
    private readonly pool: Pool,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(FILES) private readonly files: FileStore,
  ) {}

  /** One part of the round. @returns how many pictures were deleted */
  async sweep(): Promise<number> {
    const head = await this.store.head();
    if (head === undefined || !(await knowsPicturesUpTo(this.pool, head))) return 0;
    const keys = await this.next();
    if (keys.length === 0) return 0;
    const unused = (await picturesWithoutUse(this.pool, keys.map(locationOf))).flatMap(
      (location) => keyAt(location) ?? [],
    );
    return this.settle(keys, unused);
  }

  /** Of those that somebody may still be about to show none. */
  private async next(): Promise<string[]> {
    const { rows } = await this.pool.query<{ key: string }>(
      `select key from state.upload
       where key > $1 and status in ('received', 'ready') and expires_at < now() - interval '1 day'
       order by key limit ${MAX_AT_ONCE}`,
      [this.after],
    );
    this.after = rows.length < MAX_AT_ONCE ? '' : (rows.at(-1)?.key ?? '');
    return rows.map(({ key }) => key);
  }

  private async settle(keys: readonly string[], unused: readonly string[]): Promise<number> {
    await this.pool.query(
      `update state.upload set unused_since = case when key = any($2::text[]) then now() end
       where key = any($1::text[]) and (unused_since is null) = (key = any($2::text[]))`,
      [keys, unused],
    );
    const { rows } = await this.pool.query<{ key: string }>(
      `select key from state.upload where key = any($1::text[]) and unused_since < now() - interval '1 day'`,
      [unused],
    );
    for (const { key } of rows) await this.drop(key);
    return rows.length;
  }

  /** The files first: a row without files is swept again, files without a row never. */
  private async drop(key: string): Promise<void> {
    for (const place of Object.values(STORED_AT)) await this.files.remove(place(key));
    await this.pool.query('delete from state.upload where key = $1', [key]);
  }
}
