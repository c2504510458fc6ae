import { setImmediate } from 'node:timers/promises';
import type { Queryable } from '@nimo/projections';
import type { Ids } from './ids.js';
import { InvertedIndex } from './inverted-index.js';

/** Rows that an index follows, each with the version by which it is told from what was seen already. */
export interface FollowedRow {
  readonly version: number;
}

/** Rows as one statement saw them, and of which generation of the projection they are. */
export interface FollowedRows<Row> {
  readonly generation: number | undefined;
  readonly rows: readonly Row[];
}

/** Rows newer than the version, oldest first, at most `limit`. */
export type ReadNewer<Row> = (
  db: Queryable,
  spaceId: string,
  after: number,
  limit: number,
) => Promise<FollowedRows<Row>>;

export interface Source<Row extends FollowedRow> {
  readonly read: ReadNewer<Row>;
  /** Where `read` tells of other spaces, too: for all that was there before. */
  readonly first?: FirstLook<Row>;
  /** Takes one row into the index, or out of it. */
  take(index: InvertedIndex, row: Row, spaceId: string): void;
}

export interface FirstLook<Row extends FollowedRow> {
  /** The version that the newest row of all spaces has now. */
  head(db: Queryable): Promise<number>;
  /** As `Source.read`, but of the space alone. */
  readonly read: ReadNewer<Row>;
}

export interface Followed<Row extends FollowedRow> {
  readonly source: Source<Row>;
  readonly spaceId: string;
  readonly ids: Ids;
}

const ROWS_AT_ONCE = 500;
const TURN_MS = 5;

/** The rows of one generation, read from the beginning and then on. */
class Following<Row extends FollowedRow> {
  readonly index: InvertedIndex;
  /** Everything that was there at first is in the index. */
  isWhole = false;
  private generation: number | undefined;
  private version = 0;
  /** Up to where the first look goes, until it is over: others' rows from before are nothing to follow. */
  private firstUntil: number | undefined;
  private isBegun = false;

  constructor(private readonly followed: Followed<Row>) {
    this.index = new InvertedIndex(followed.ids);
  }

  /** @returns false where some of what was read is of another generation */
  async readOn(db: Queryable): Promise<boolean> {
    const { source } = this.followed;
    if (source.first && !this.isBegun) await this.lookFirst(db, source.first);
    this.isBegun = true;
    const isSame = await this.readFrom(db, source.read);
    // What came in one go is put next to each other, which takes a fraction of its room.
    if (isSame && !this.isWhole) this.index.fold();
    this.isWhole ||= isSame;
    return isSame;
  }

  private async lookFirst(db: Queryable, first: FirstLook<Row>): Promise<void> {
    // Before the rows: what changes meanwhile is followed afterwards.
    this.firstUntil ??= await first.head(db);
    await this.readFrom(db, first.read);
    this.version = Math.max(this.version, this.firstUntil);
  }

  /** The next rows are on their way while those that came are taken. */
  private async readFrom(db: Queryable, read: ReadNewer<Row>): Promise<boolean> {
    const { spaceId } = this.followed;
    let coming: ReturnType<ReadNewer<Row>> | undefined = read(db, spaceId, this.version, ROWS_AT_ONCE);
    for (;;) {
      const { generation, rows }: FollowedRows<Row> = await coming;
      this.generation ??= generation;
      const last = rows.at(-1)?.version ?? this.version;
      coming = rows.length < ROWS_AT_ONCE ? undefined : read(db, spaceId, last, ROWS_AT_ONCE);
      // Whoever awaits it is told; until then nobody listens.
      coming?.catch(() => undefined);
      await this.takeAll(rows);
      this.version = last;
      if (!coming) return generation === this.generation;
    }
  }

  /** Searches of other spaces share the thread. */
  private async takeAll(rows: readonly Row[]): Promise<void> {
    const { source, spaceId } = this.followed;
    let began = performance.now();
    for (const row of rows) {
      source.take(this.index, row, spaceId);
      if (performance.now() - began < TURN_MS) continue;
      await setImmediate();
      began = performance.now();
    }
  }
}

/** An index in memory of one space's rows, which catches up with the read side before each answer; whoever asks meanwhile waits. */
export class FollowedIndex<Row extends FollowedRow = FollowedRow> {
  private following: Following<Row>;
  private successor: Promise<void> | undefined;
  /** Of a newer generation, complete; in use from the next look on. */
  private succeeding: Following<Row> | undefined;
  private catchingUp: Promise<unknown> = Promise.resolve();
  private next: Promise<InvertedIndex> | undefined;

  constructor(private readonly followed: Followed<Row>) {
    this.following = new Following(followed);
  }

  /** Documents in memory, those included that are gone. */
  get weight(): number {
    return this.following.index.room;
  }

  /** As it was when it was asked for, or later: whoever asks while others wait shares their look. */
  current(db: Queryable): Promise<InvertedIndex> {
    this.next ??= this.catchingUp
      .catch(() => undefined)
      .then(() => {
        this.next = undefined;
        const look = this.catchUp(db);
        this.catchingUp = look;
        return look;
      });
    return this.next;
  }

  /** Once the index of a newer generation is made, where one is. */
  async settled(): Promise<void> {
    await this.successor;
  }

  private async catchUp(db: Queryable): Promise<InvertedIndex> {
    this.following = this.succeeding ?? this.following;
    this.succeeding = undefined;
    if (await this.following.readOn(db)) return this.following.index;
    if (!this.following.isWhole) {
      this.following = new Following(this.followed);
      return this.catchUp(db);
    }
    this.successor ??= this.succeed(db).finally(() => (this.successor = undefined));
    return this.following.index;
  }

  /**
   * Another generation may tell words in another way, under the same versions: all of them are read. What is newer is followed meanwhile by the
   * index that there is, so that no search waits for seconds. One that fails is begun again by the next search.
   */
  private async succeed(db: Queryable): Promise<void> {
    const next = new Following(this.followed);
    const isSame = await next.readOn(db).catch(() => false);
    if (isSame) this.succeeding = next;
  }
}

export async function liveGeneration(db: Queryable): Promise<number | undefined> {
  const { rows } = await db.query<{ generation: number }>({
    name: 'search-generation',
    text: `select generation from read.projection_generations where name = 'search' and status = 'live'`,
  });
  return rows[0]?.generation;
}
