import { setImmediate } from 'node:timers/promises';
import type { Queryable } from '@nimo/projections';
import type { Ids } from './ids.js';
import { InvertedIndex } from './inverted-index.js';

/** A row with the version of its last change. */
export interface VersionedRow {
  readonly version: number;
}

/** Rows read by one statement, with the projection generation they belong to. */
export interface RowBatch<Row> {
  readonly generation: number | undefined;
  readonly rows: readonly Row[];
}

/** Rows newer than the version, oldest first, at most `limit`. */
export type ReadNewer<Row> = (
  db: Queryable,
  spaceId: string,
  after: number,
  limit: number,
) => Promise<RowBatch<Row>>;

export interface Source<Row extends VersionedRow> {
  readonly read: ReadNewer<Row>;
  /** Loads existing rows if `read` also returns rows of other spaces. */
  readonly initial?: InitialLoad<Row>;
  /** Adds one row to the index or removes it. */
  apply(index: InvertedIndex, row: Row, spaceId: string): void;
}

export interface InitialLoad<Row extends VersionedRow> {
  /** The newest version across all spaces. */
  head(db: Queryable): Promise<number>;
  /** Like `Source.read`, limited to the space. */
  readonly read: ReadNewer<Row>;
}

export interface SyncedIndexOptions<Row extends VersionedRow> {
  readonly source: Source<Row>;
  readonly spaceId: string;
  readonly ids: Ids;
}

const BATCH_SIZE = 500;
const YIELD_AFTER_MS = 5;

/** The index of one projection generation. */
class GenerationIndex<Row extends VersionedRow> {
  readonly index: InvertedIndex;
  /** Whether all rows that existed at the start are in the index. */
  isComplete = false;
  private generation: number | undefined;
  private version = 0;
  /** Head at the start of the initial load; older rows of other spaces are skipped. */
  private initialHead: number | undefined;
  private hasStarted = false;

  constructor(private readonly options: SyncedIndexOptions<Row>) {
    this.index = new InvertedIndex(options.ids);
  }

  /** @returns false if some rows belong to another generation */
  async readNewer(db: Queryable): Promise<boolean> {
    const { source } = this.options;
    if (source.initial && !this.hasStarted) await this.loadInitial(db, source.initial);
    this.hasStarted = true;
    const isSame = await this.readBatches(db, source.read);
    // Compacted postings take a fraction of the memory.
    if (isSame && !this.isComplete) this.index.compact();
    this.isComplete ||= isSame;
    return isSame;
  }

  private async loadInitial(db: Queryable, initial: InitialLoad<Row>): Promise<void> {
    // Read before the rows, so that concurrent changes are picked up afterwards.
    this.initialHead ??= await initial.head(db);
    await this.readBatches(db, initial.read);
    this.version = Math.max(this.version, this.initialHead);
  }

  /** Prefetches the next batch while applying the current one. */
  private async readBatches(db: Queryable, read: ReadNewer<Row>): Promise<boolean> {
    const { spaceId } = this.options;
    let pending: ReturnType<ReadNewer<Row>> | undefined = read(db, spaceId, this.version, BATCH_SIZE);
    for (;;) {
      const { generation, rows }: RowBatch<Row> = await pending;
      this.generation ??= generation;
      const last = rows.at(-1)?.version ?? this.version;
      pending = rows.length < BATCH_SIZE ? undefined : read(db, spaceId, last, BATCH_SIZE);
      // Handled by the await above; prevents an unhandled rejection until then.
      pending?.catch(() => undefined);
      await this.applyAll(rows);
      this.version = last;
      if (!pending) return generation === this.generation;
    }
  }

  /** Yields regularly, because searches of other spaces share the thread. */
  private async applyAll(rows: readonly Row[]): Promise<void> {
    const { source, spaceId } = this.options;
    let startedAt = performance.now();
    for (const row of rows) {
      source.apply(this.index, row, spaceId);
      if (performance.now() - startedAt < YIELD_AFTER_MS) continue;
      await setImmediate();
      startedAt = performance.now();
    }
  }
}

/** In-memory index of one space that catches up with the read side before each query. Queries meanwhile wait. */
export class SyncedIndex<Row extends VersionedRow = VersionedRow> {
  private live: GenerationIndex<Row>;
  private replacementBuild: Promise<void> | undefined;
  /** Complete index of a newer generation, used from the next query on. */
  private replacement: GenerationIndex<Row> | undefined;
  private catchingUp: Promise<unknown> = Promise.resolve();
  private next: Promise<InvertedIndex> | undefined;

  constructor(private readonly options: SyncedIndexOptions<Row>) {
    this.live = new GenerationIndex(options);
  }

  /** Documents in memory, including removed ones. */
  get documentCount(): number {
    return this.live.index.slotCount;
  }

  /** The index as of the call or later. Concurrent calls share one catch-up. */
  current(db: Queryable): Promise<InvertedIndex> {
    this.next ??= this.catchingUp
      .catch(() => undefined)
      .then(() => {
        this.next = undefined;
        const catchUp = this.catchUp(db);
        this.catchingUp = catchUp;
        return catchUp;
      });
    return this.next;
  }

  /** Waits for the build of a newer generation, if one is running. */
  async settled(): Promise<void> {
    await this.replacementBuild;
  }

  private async catchUp(db: Queryable): Promise<InvertedIndex> {
    this.live = this.replacement ?? this.live;
    this.replacement = undefined;
    if (await this.live.readNewer(db)) return this.live.index;
    if (!this.live.isComplete) {
      this.live = new GenerationIndex(this.options);
      return this.catchUp(db);
    }
    this.replacementBuild ??= this.buildReplacement(db).finally(() => (this.replacementBuild = undefined));
    return this.live.index;
  }

  /**
   * A new generation may have other words under the same versions, so all rows are read again. Meanwhile the existing index stays
   * current and in use. The next search retries a failed build.
   */
  private async buildReplacement(db: Queryable): Promise<void> {
    const next = new GenerationIndex(this.options);
    const isSame = await next.readNewer(db).catch(() => false);
    if (isSame) this.replacement = next;
  }
}

export async function liveGeneration(db: Queryable): Promise<number | undefined> {
  const { rows } = await db.query<{ generation: number }>({
    name: 'search-generation',
    text: `select generation from read.projection_generations where name = 'search' and status = 'live'`,
  });
  return rows[0]?.generation;
}
