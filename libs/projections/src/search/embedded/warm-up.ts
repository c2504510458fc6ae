import type { Queryable } from '../../queryable.js';
import { liveGeneration } from './followed-index.js';
import type { SpaceIndexes } from './space-indexes.js';

interface ChangedSpace {
  readonly space_id: string;
  readonly version: number;
}

/** Keeps the indexes in memory up to date, so that no reader waits for one to be made. */
export class WarmUp {
  private generation: number | undefined;
  private version = 0;

  constructor(
    private readonly db: Queryable,
    private readonly indexes: SpaceIndexes,
  ) {}

  /** Every space that changed since the last round, in the first one all of them: the largest first, as far as there is room. */
  async round(signal: AbortSignal): Promise<void> {
    const generation = await liveGeneration(this.db);
    const changed = await this.changedSince(generation === this.generation ? this.version : 0);
    const known = changed.filter(({ space_id }) => this.indexes.has(space_id));
    for (const { space_id } of known) {
      if (!signal.aborted) await this.indexes.warm(space_id);
    }
    const missing = changed.filter((space) => !known.includes(space)).map(({ space_id }) => space_id);
    for (const { space_id, documents } of await this.largestFirst(missing)) {
      if (!signal.aborted && this.indexes.hasRoomFor(documents)) await this.indexes.warm(space_id);
    }
    this.generation = generation;
    this.version = Math.max(this.version, ...changed.map(({ version }) => version));
  }

  private async changedSince(version: number): Promise<readonly ChangedSpace[]> {
    const { rows } = await this.db.query<ChangedSpace>({
      text: `select space_id, max(version)::float8 as version from read.search_documents
             where version > $1 group by space_id`,
      values: [version],
    });
    return rows;
  }

  private async largestFirst(
    spaceIds: readonly string[],
  ): Promise<readonly { readonly space_id: string; readonly documents: number }[]> {
    if (spaceIds.length === 0) return [];
    const { rows } = await this.db.query<{ space_id: string; documents: number }>({
      text: `select space_id, count(*)::int as documents from read.search_documents
             where space_id = any($1::text[]) group by space_id order by documents desc`,
      values: [spaceIds],
    });
    return rows;
  }
}
