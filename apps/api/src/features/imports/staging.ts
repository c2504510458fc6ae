import { newClient } from '@nimo/event-store';
import pg from 'pg';
import { connectionName } from '../../platform/database/pool.js';
import { DUMP_FILES, FILE_NAMES, type Dump, type DumpFile } from './dump-files.js';
import { readRows } from './dump-reader.js';
import { dumpRow, type DumpRow, type RowContent } from './dump-row.js';
import { ImportError } from './import-error.js';
import { COUNT_SKIPPED, PLAN_STATEMENTS, READ_PLAN, STAGE_ROWS, STAGING_TABLES } from './staging.sql.js';

const PAGE = 500;

export type PlannedKind =
  | 'topic'
  | 'person'
  | 'stand-in'
  | 'question'
  | 'answer'
  | 'comment'
  | 'up'
  | 'down'
  | 'bookmark'
  | 'accept';

/** Something that the import does, with the row of the dump that says so. */
export interface Planned {
  readonly place: number;
  /** Null where no row of its own tells it: topics, stand-ins, people known by their posts alone. */
  readonly file: DumpFile | null;
  readonly id: number | null;
  readonly kind: PlannedKind;
  /** The tag of a topic. */
  readonly author: string | null;
  readonly post: number | null;
  readonly question: number | null;
  readonly postKind: 'question' | 'answer' | null;
  readonly questionAuthor: string | null;
  readonly at: Date;
  /** Which of the stand-ins votes. */
  readonly voter: number | null;
  readonly content: RowContent | null;
  /** How many people before have the same user name, with this one. */
  readonly nth: number | null;
  readonly participants: readonly Participant[] | null;
}

export interface Participant {
  readonly author: string;
  readonly name: string;
}

export interface SkippedRows {
  readonly file: DumpFile;
  readonly reason: string;
  readonly rows: number;
}

export interface StagedRows {
  readonly rows: Readonly<Record<DumpFile, number>>;
  readonly skipped: readonly SkippedRows[];
  readonly planned: number;
  /** Of the earliest thing planned. */
  readonly firstAt: Date;
}

/** The dump in temporary tables of one connection, so that memory does not grow with its size. */
export class Staging {
  private readonly client: pg.Client;

  /** @param directUrl not through a pooler, which may change the connection between statements */
  constructor(directUrl: string) {
    this.client = newClient({
      connectionString: directUrl,
      application_name: connectionName('cli', 'import'),
    });
  }

  async open(): Promise<void> {
    await this.client.connect();
    await this.client.query(STAGING_TABLES);
  }

  async close(): Promise<void> {
    await this.client.end();
  }

  async fill(dump: Dump, onBytes: (count: number) => void, signal: AbortSignal): Promise<StagedRows> {
    const counts = { users: 0, posts: 0, comments: 0, votes: 0 };
    const skipped: SkippedRows[] = [];
    for (const file of DUMP_FILES) {
      const unreadable = { rows: 0, repeated: 0 };
      for await (const batch of readRows(dump.path[file], onBytes)) {
        signal.throwIfAborted();
        counts[file] += batch.length;
        const rows = batch.map((row) => dumpRow(file, row)).filter((row) => row !== undefined);
        unreadable.rows += batch.length - rows.length;
        unreadable.repeated += rows.length - (await this.insert(file, rows));
      }
      skipped.push(
        { file, reason: 'without a number or a date', rows: unreadable.rows },
        { file, reason: 'a number that was there already', rows: unreadable.repeated },
      );
    }
    for (const statement of PLAN_STATEMENTS) {
      signal.throwIfAborted();
      await this.client.query(statement);
    }
    return this.summary(counts, skipped);
  }

  /** What is to be done, in order. */
  async *plan(): AsyncGenerator<Planned> {
    for (let place = 0; ; place += PAGE) {
      const { rows } = await this.client.query<Omit<Planned, 'place' | 'id'> & { place: number }>({
        text: READ_PLAN,
        values: [place, PAGE],
        types: { getTypeParser: numbersForBigints },
      });
      yield* rows as unknown as Planned[];
      if (rows.length < PAGE) return;
    }
  }

  private async insert(file: DumpFile, rows: readonly DumpRow[]): Promise<number> {
    if (rows.length === 0) return 0;
    // PostgreSQL knows no NUL in a text, and none of them means anything.
    const json = JSON.stringify(rows).replaceAll('\\u0000', '');
    const { rowCount } = await this.client.query(STAGE_ROWS, [file, json]);
    return rowCount ?? 0;
  }

  private async summary(counts: StagedRows['rows'], unreadable: readonly SkippedRows[]): Promise<StagedRows> {
    const { rows: judged } = await this.client.query<SkippedRows>(COUNT_SKIPPED);
    const { rows } = await this.client.query<{ planned: number; first: Date | null }>(
      'select count(*)::int as planned, min(at) as first from plan',
    );
    const first = rows[0]?.first;
    if (!first)
      throw new ImportError(
        `There is nothing to import: ${Object.values(FILE_NAMES).join(', ')} have no rows.`,
      );
    const skipped = [...unreadable, ...judged].filter(({ rows: count }) => count > 0);
    return { rows: counts, skipped, planned: rows[0]?.planned ?? 0, firstAt: first };
  }
}

function numbersForBigints(...wanted: Parameters<typeof pg.types.getTypeParser>): unknown {
  return wanted[0] === pg.types.builtins.INT8 && wanted[1] !== 'binary'
    ? Number
    : pg.types.getTypeParser(...wanted);
}
