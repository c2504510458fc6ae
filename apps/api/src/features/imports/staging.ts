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
  DUMP_FILE_NAMES,
  ImportError,
} from './dump-row.js';
import { FileCheck, type Problem, invalidDump } from './file-check.js';
import { resolveAddresses } from './import-ids.js';
import {
  COUNT_DANGLING,
  COUNT_PLANNED,
  COUNT_SKIPPED,
  PLAN_STATEMENTS,
  READ_PLAN,
  STAGE_ROWS,
  STAGING_TABLES,
} from './staging.sql.js';

const PAGE_SIZE = 500;

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

/** A planned item with its dump row, if it has one. */
export interface Planned {
  readonly position: number;
  /** Null for items without a row: topics, stand-ins and people known only from their posts. */
  readonly file: DumpFile | null;
  readonly id: number | null;
  readonly kind: PlannedKind;
  /** Author key (see `DumpRow`), or the tag of a topic. */
  readonly author: string | null;
  readonly post: number | null;
  readonly question: number | null;
  readonly postKind: 'question' | 'answer' | null;
  readonly questionAuthor: string | null;
  readonly at: Date;
  /** Number of the stand-in who votes. */
  readonly voter: number | null;
  readonly content: RowContent | null;
  /** Rank among people with the same user name, starting at 1. */
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

/** A kind of change made to imported content. */
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
  /** Times of the earliest and the latest planned item. */
  readonly firstAt: Date;
  readonly lastAt: Date;
}

interface FillOptions {
  /** Base URL of the source, to resolve its relative links. */
  readonly origin: string | undefined;
  readonly now: Date;
  readonly onBytes: (count: number) => void;
  readonly signal: AbortSignal;
}

interface StagedFile {
  readonly file: DumpFile;
  readonly rows: number;
  readonly duplicates: number;
  readonly changed: readonly ChangedRows[];
  readonly problems: readonly Problem[];
  /** Whether reading stopped before the end of the file. */
  readonly isTruncated: boolean;
}

interface DanglingReferences {
  readonly file: DumpFile;
  readonly column: string;
  readonly target: DumpFile;
  readonly rows: number;
  readonly missing: number;
}

/** Stages the dump in temporary tables of one connection, so that memory use is constant. */
export class Staging {
  private readonly client: pg.Client;

  /** @param directUrl bypasses any pooler, which could switch connections between statements */
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

  /** @throws ImportError listing all problems in the files */
  async fill(dump: Dump, options: FillOptions): Promise<StagedRows> {
    const { signal } = options;
    const files: StagedFile[] = [];
    const problems: Problem[] = [];
    for (const file of DUMP_FILES) {
      const missing = dump.missing.get(file);
      if (missing === undefined) files.push(await this.read(file, dump.path[file], options));
      else problems.push({ file, rule: missing, rows: 0 });
    }
    problems.push(...files.flatMap((staged) => staged.problems));
    await this.client.query('analyze dump_row');
    const isComplete = files.length === DUMP_FILES.length && !files.some(({ isTruncated }) => isTruncated);
    if (isComplete) problems.push(...(await this.danglingReferences()));
    if (problems.length > 0) throw invalidDump(problems);
    for (const statement of PLAN_STATEMENTS) {
      signal.throwIfAborted();
      await this.client.query(statement);
    }
    return this.summary(files);
  }

  /** Planned items in order. */
  async *plan(): AsyncGenerator<Planned> {
    for (let position = 0; ; position += PAGE_SIZE) {
      const { rows } = await this.client.query<Omit<Planned, 'position' | 'id'> & { position: number }>({
        text: READ_PLAN,
        values: [position, PAGE_SIZE],
        types: { getTypeParser: parseBigintsAsNumbers },
      });
      yield* rows as unknown as Planned[];
      if (rows.length < PAGE_SIZE) return;
    }
  }

  private async read(
    file: DumpFile,
    path: string,
    { origin, now, onBytes, signal }: FillOptions,
  ): Promise<StagedFile> {
    const check = new FileCheck(file, now);
    const changes = new Map<string, number>();
    const note = (what: string, count = 1): void => void changes.set(what, (changes.get(what) ?? 0) + count);
    const reading = { note, addresses: resolveAddresses(origin, note) };
    let [rows, duplicates] = [0, 0];
    for await (const batch of readRows(path, check, onBytes)) {
      signal.throwIfAborted();
      for (const row of batch) check.checkRow(row);
      const staged = batch.flatMap(({ attributes }) => dumpRow(file, attributes, reading) ?? []);
      const inserted = await this.insert(file, staged);
      rows += batch.length;
      duplicates += staged.length - inserted;
    }
    for (const [kind, count] of check.droppedCharacters) changes.set(`${kind} dropped`, count);
    const changed = Array.from(changes, ([what, count]) => ({ file, what, count }));
    return { file, rows, duplicates, changed, problems: check.problems(), isTruncated: check.isStopped };
  }

  private async insert(file: DumpFile, rows: readonly DumpRow[]): Promise<number> {
    if (rows.length === 0) return 0;
    const { rowCount } = await this.client.query(STAGE_ROWS, [file, JSON.stringify(rows)]);
    return rowCount ?? 0;
  }

  /** Real dumps reference a few deleted posts. If most references dangle, the files belong to different dumps. */
  private async danglingReferences(): Promise<Problem[]> {
    const { rows } = await this.client.query<DanglingReferences>(COUNT_DANGLING);
    return rows
      .filter(({ rows: all, missing }) => missing * 2 > all)
      .map(({ file, column, target, rows: all, missing }) => ({
        file,
        rule: `${missing} of ${all} rows have a ${column} that is not in ${DUMP_FILE_NAMES[target]}: the files are from different dumps`,
        rows: 0,
      }));
  }

  private async summary(files: readonly StagedFile[]): Promise<StagedRows> {
    const { rows: skipped } = await this.client.query<SkippedRows>(COUNT_SKIPPED);
    const { rows: planned } = await this.client.query<PlannedRows>(COUNT_PLANNED);
    if (planned.length === 0) throw new ImportError('Nothing was imported: the dump has no importable rows.');
    const times = planned.flatMap(({ first, last }) => [first.getTime(), last.getTime()]);
    const duplicates = files.flatMap(({ file, duplicates: rows }) =>
      rows > 0 ? [{ file, reason: 'a duplicate ID', rows }] : [],
    );
    return {
      rows: Object.fromEntries(files.map(({ file, rows }) => [file, rows])) as StagedRows['rows'],
      skipped: [...duplicates, ...skipped],
      changed: files.flatMap(({ changed }) => changed),
      planned,
      firstAt: new Date(Math.min(...times)),
      lastAt: new Date(Math.max(...times)),
    };
  }
}

function parseBigintsAsNumbers(...args: Parameters<typeof pg.types.getTypeParser>): unknown {
  return args[0] === pg.types.builtins.INT8 && args[1] !== 'binary'
    ? Number
    : pg.types.getTypeParser(...args);
}
