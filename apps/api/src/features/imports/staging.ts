import { newClient } from '@nimo/event-store';
import pg from 'pg';
import { connectionName } from '../../platform/database/open-database.js';
import { type Dump, readRows } from './dump-reader.js';
import {
  dumpRow,
  type DumpRow,
  type RowContent,
  DUMP_FILES,
  type DumpFile,
  FILE_NAMES,
  ImportError,
} from './dump-row.js';
import { FileCheck, type Problem, wrongFiles } from './file-check.js';
import { absoluteAddresses } from './import-ids.js';
import {
  COUNT_LOST,
  COUNT_PLANNED,
  COUNT_SKIPPED,
  PLAN_STATEMENTS,
  READ_PLAN,
  STAGE_ROWS,
  STAGING_TABLES,
} from './staging.sql.js';

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

interface Participant {
  readonly author: string;
  readonly name: string;
}

export interface SkippedRows {
  readonly file: DumpFile;
  readonly reason: string;
  readonly rows: number;
}

/** Something imported otherwise than it stands in the file. */
export interface ChangedRows {
  readonly file: DumpFile;
  readonly what: string;
  readonly count: number;
}

interface PlannedRows {
  readonly file: DumpFile | null;
  readonly kind: PlannedKind;
  readonly rows: number;
  readonly first: Date;
  readonly last: Date;
}

export interface StagedRows {
  readonly rows: Readonly<Record<DumpFile, number>>;
  readonly skipped: readonly SkippedRows[];
  readonly changed: readonly ChangedRows[];
  readonly planned: readonly PlannedRows[];
  /** Dates of the earliest and the latest planned item. */
  readonly firstAt: Date;
  readonly lastAt: Date;
}

interface Filling {
  /** The source's address, for what its texts link to within it. */
  readonly origin: string | undefined;
  readonly now: Date;
  readonly onBytes: (count: number) => void;
  readonly signal: AbortSignal;
}

interface StagedFile {
  readonly file: DumpFile;
  readonly rows: number;
  readonly repeated: number;
  readonly changed: readonly ChangedRows[];
  readonly problems: readonly Problem[];
  /** It was not read to its end. */
  readonly isCut: boolean;
}

interface Lost {
  readonly file: DumpFile;
  readonly column: string;
  readonly target: DumpFile;
  readonly rows: number;
  readonly lost: number;
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

  /** @throws ImportError that names everything that is wrong in the files */
  async fill(dump: Dump, filling: Filling): Promise<StagedRows> {
    const { signal } = filling;
    const read: StagedFile[] = [];
    const problems: Problem[] = [];
    for (const file of DUMP_FILES) {
      const missing = dump.missing.get(file);
      if (missing === undefined) read.push(await this.read(file, dump.path[file], filling));
      else problems.push({ file, rule: missing, rows: 0 });
    }
    problems.push(...read.flatMap((staged) => staged.problems));
    await this.client.query('analyze dump_row');
    const isWhole = read.length === DUMP_FILES.length && !read.some(({ isCut }) => isCut);
    if (isWhole) problems.push(...(await this.lost()));
    if (problems.length > 0) throw wrongFiles(problems);
    for (const statement of PLAN_STATEMENTS) {
      signal.throwIfAborted();
      await this.client.query(statement);
    }
    return this.summary(read);
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

  private async read(
    file: DumpFile,
    path: string,
    { origin, now, onBytes, signal }: Filling,
  ): Promise<StagedFile> {
    const check = new FileCheck(file, now);
    const changes = new Map<string, number>();
    const note = (what: string, count = 1): void => void changes.set(what, (changes.get(what) ?? 0) + count);
    const reading = { note, addresses: absoluteAddresses(origin, note) };
    let [rows, repeated] = [0, 0];
    for await (const batch of readRows(path, check, onBytes)) {
      signal.throwIfAborted();
      for (const row of batch) check.row(row);
      const staged = batch.flatMap(({ attributes }) => dumpRow(file, attributes, reading) ?? []);
      const inserted = await this.insert(file, staged);
      rows += batch.length;
      repeated += staged.length - inserted;
    }
    for (const [kind, count] of check.droppedCharacters) changes.set(`${kind} dropped`, count);
    const changed = Array.from(changes, ([what, count]) => ({ file, what, count }));
    return { file, rows, repeated, changed, problems: check.problems(), isCut: check.isStopped };
  }

  private async insert(file: DumpFile, rows: readonly DumpRow[]): Promise<number> {
    if (rows.length === 0) return 0;
    const { rowCount } = await this.client.query(STAGE_ROWS, [file, JSON.stringify(rows)]);
    return rowCount ?? 0;
  }

  /** Real dumps name some posts that were deleted; files of two communities name hardly anything else. */
  private async lost(): Promise<Problem[]> {
    const { rows } = await this.client.query<Lost>(COUNT_LOST);
    return rows
      .filter(({ rows: all, lost }) => lost * 2 > all)
      .map(({ file, column, target, rows: all, lost }) => ({
        file,
        rule: `${lost} of ${all} rows have a ${column} that is not in ${FILE_NAMES[target]}: not of one dump`,
        rows: 0,
      }));
  }

  private async summary(read: readonly StagedFile[]): Promise<StagedRows> {
    const { rows: judged } = await this.client.query<SkippedRows>(COUNT_SKIPPED);
    const { rows: planned } = await this.client.query<PlannedRows>(COUNT_PLANNED);
    if (planned.length === 0) throw new ImportError('Nothing was imported: no row of the dump can come in.');
    const times = planned.flatMap(({ first, last }) => [first.getTime(), last.getTime()]);
    const repeated = read.flatMap(({ file, repeated: rows }) =>
      rows > 0 ? [{ file, reason: 'a number that was there already', rows }] : [],
    );
    return {
      rows: Object.fromEntries(read.map(({ file, rows }) => [file, rows])) as StagedRows['rows'],
      skipped: [...repeated, ...judged],
      changed: read.flatMap(({ changed }) => changed),
      planned,
      firstAt: new Date(Math.min(...times)),
      lastAt: new Date(Math.max(...times)),
    };
  }
}

function numbersForBigints(...wanted: Parameters<typeof pg.types.getTypeParser>): unknown {
  return wanted[0] === pg.types.builtins.INT8 && wanted[1] !== 'binary'
    ? Number
    : pg.types.getTypeParser(...wanted);
}
