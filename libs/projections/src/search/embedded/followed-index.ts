import type { Queryable } from '../../queryable.js';
import { InvertedIndex } from './inverted-index.js';
import { Turn } from '@nimo/projection-engine';

/** Rows that an index follows, each with the version by which it is told from what was seen already. */
export interface FollowedRow {
  readonly version: number;
}

export interface Source<Row extends FollowedRow> {
  /** Rows newer than the version, oldest first, at most `limit`. */
  read(db: Queryable, spaceId: string, after: number, limit: number): Promise<readonly Row[]>;
  /** Where `read` tells of other spaces, too: for all that was there before. */
  readonly first?: FirstLook<Row>;
  /** Takes one row into the index, or out of it. */
  take(index: InvertedIndex, row: Row, spaceId: string): void;
}

export interface FirstLook<Row extends FollowedRow> {
  /** The version that the newest row of all spaces has now. */
  head(db: Queryable): Promise<number>;
  /** As `Source.read`, but of the space alone. */
  read(db: Queryable, spaceId: string, after: number, limit: number): Promise<readonly Row[]>;
}

const ROWS_AT_ONCE = 500;

/** An index in memory of one space's rows, which catches up with the read side before each answer; whoever asks meanwhile waits. */
export class FollowedIndex<Row extends FollowedRow = FollowedRow> {
  private index = new InvertedIndex();
  private version = 0;
  private generation: number | undefined;
  /** Up to where the first look goes, until it is over: others' rows from before are nothing to follow. */
  private firstUntil: number | undefined;
  private isBegun = false;
  private catchingUp: Promise<void> = Promise.resolve();
  private next: Promise<void> | undefined;

  constructor(
    private readonly source: Source<Row>,
    private readonly spaceId: string,
  ) {}

  /** Documents in memory, those included that are gone. */
  get weight(): number {
    return this.index.room;
  }

  /** As it was when it was asked for, or later: whoever asks while others wait shares their look. */
  async current(db: Queryable): Promise<InvertedIndex> {
    this.next ??= this.catchingUp
      .catch(() => undefined)
      .then(() => {
        this.next = undefined;
        this.catchingUp = this.catchUp(db);
        return this.catchingUp;
      });
    await this.next;
    return this.index;
  }

  private async catchUp(db: Queryable): Promise<void> {
    const generation = await liveGeneration(db);
    // Another generation may tell words in another way, under the same versions.
    if (generation !== this.generation || this.index.isWorn) this.forget(generation);
    const { source } = this;
    if (source.first && !this.isBegun) await this.lookFirst(db, source.first);
    this.isBegun = true;
    await this.readOn(db, source);
  }

  private async lookFirst(db: Queryable, first: FirstLook<Row>): Promise<void> {
    // Before the rows: what changes meanwhile is followed afterwards.
    this.firstUntil ??= await first.head(db);
    await this.readOn(db, first);
    this.version = Math.max(this.version, this.firstUntil);
  }

  private async readOn(db: Queryable, from: Pick<Source<Row>, 'read'>): Promise<void> {
    for (;;) {
      const rows = await from.read(db, this.spaceId, this.version, ROWS_AT_ONCE);
      await this.takeAll(rows);
      this.version = rows.at(-1)?.version ?? this.version;
      if (rows.length < ROWS_AT_ONCE) return;
    }
  }

  /** A large space takes seconds: nobody else waits for them. */
  private async takeAll(rows: readonly Row[]): Promise<void> {
    const turn = new Turn();
    for (const row of rows) {
      this.source.take(this.index, row, this.spaceId);
      if (turn.isOver) await turn.pass();
    }
  }

  private forget(generation: number | undefined): void {
    this.index = new InvertedIndex();
    this.version = 0;
    this.firstUntil = undefined;
    this.isBegun = false;
    this.generation = generation;
  }
}

export async function liveGeneration(db: Queryable): Promise<number | undefined> {
  const { rows } = await db.query<{ generation: number }>({
    name: 'search-generation',
    text: `select generation from read.projection_generations where name = 'search' and status = 'live'`,
  });
  return rows[0]?.generation;
}
