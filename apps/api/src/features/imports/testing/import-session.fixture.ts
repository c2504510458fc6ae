import { CommandBus } from '@nestjs/cqrs';
import { projections } from '@nimo/projections';
import type pg from 'pg';
import { createTestDatabase, type TestDatabase } from '@nimo/testing';
import { withSession, operatorContext, withProjections } from '../../../cli/cli-session.js';
import { loadSettings } from '../../../platform/config/load-settings.js';
import { Claims } from '../../accounts/claims.js';
import { waitForProjections } from '../import-order.js';
import { importStackExchange, type ImportProgress } from '../import-stack-exchange.js';
import type { ImportReport } from '../import-tally.js';
import { type ImportRemoval, removeImport } from '../remove-import.js';

const KEY = (letter: string): string => Buffer.alloc(32, letter).toString('base64');

/** Same operator in this process and on the command line, because the log records it. */
const OPERATOR_NAME = 'ada';

export const environmentOf = (databaseUrl: string): Record<string, string> => ({
  NODE_ENV: 'test',
  LOG_LEVEL: 'silent',
  DATABASE_URL: databaseUrl,
  NIMO_OPERATOR: OPERATOR_NAME,
  NIMO_DATA_DIR: '/tmp',
  NIMO_MASTER_KEY: KEY('m'),
  NIMO_HMAC_KEY: KEY('h'),
  NIMO_SIGNING_KEY: KEY('s'),
});

export interface ImportRun {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: ImportProgress) => void;
  readonly spaceName?: string;
  readonly origin?: string;
  readonly isDryRun?: boolean;
}

/** Creates separate databases; call `drop` in `afterAll`. */
export class Installations {
  private readonly databases: TestDatabase[] = [];

  async create(): Promise<TestDatabase> {
    const database = await createTestDatabase();
    this.databases.push(database);
    return database;
  }

  async drop(): Promise<void> {
    await Promise.all(this.databases.map((database) => database.drop()));
  }
}

/** Imports like the command line, but in this process. */
export function importInto(
  database: TestDatabase,
  folder: string,
  {
    signal = new AbortController().signal,
    onProgress = () => undefined,
    spaceName = 'Imported',
    ...options
  }: ImportRun = {},
): Promise<ImportReport> {
  return withSession(
    ({ container, order, runtime }) =>
      withProjections(runtime, () =>
        importStackExchange({
          runtime,
          commands: container.get(CommandBus, { strict: false }),
          order,
          folder,
          spaceName,
          ...options,
          operator: OPERATOR_NAME,
          signal,
          onProgress,
        }),
      ),
    loadSettings(environmentOf(database.url)),
  );
}

/** Ordinals depend on unordered events such as imported people, so only their relative order is compared. */
const ORDINALS = /ordinal$/;
/** Ordinals of the search index. */
const VERSIONS = ['version', 'text_version'];
/** Depends on the time of the run. */
const RUN_DEPENDENT = ['recorded_at'];
const OMITTED = [...VERSIONS, ...RUN_DEPENDENT];
/** Derived from the leaderboard and its ordinals. */
const DERIVED = ['score_buckets'];

/** All projection rows in a canonical form: ordinals become ranks, and run-dependent columns are dropped. */
export async function readSide(pool: pg.Pool): Promise<Readonly<Record<string, readonly string[]>>> {
  const content: Record<string, readonly string[]> = {};
  const tables = projections.flatMap((projection) => projection.tables.map(({ name }) => name));
  for (const table of tables.filter((name) => !DERIVED.includes(name))) {
    const { rows } = await pool.query<Record<string, unknown>>(`select * from read.${table}`);
    const ordinals = Object.keys(rows[0] ?? {}).filter((column) => ORDINALS.test(column));
    for (const column of ordinals) {
      const places = new Map(
        [...new Set(rows.map((row) => Number(row[column])))]
          .sort((a, b) => a - b)
          .map((value, place) => [value, place]),
      );
      for (const row of rows) row[column] = places.get(Number(row[column]));
    }
    content[table] = rows
      .map((row) => JSON.stringify(row, (column, value) => (OMITTED.includes(column) ? undefined : value)))
      .sort();
  }
  return content;
}

/** Removes an unfinished import like the command line, but in this process. */
export function removeFrom(
  database: TestDatabase,
  spaceId: string,
  context: ImportRemoval['context'] = () => operatorContext(OPERATOR_NAME),
): Promise<number> {
  return withSession(
    ({ container, runtime }) =>
      withProjections(runtime, () =>
        removeImport({
          commands: container.get(CommandBus, { strict: false }),
          claims: container.get(Claims, { strict: false }),
          runtime,
          context,
          spaceId,
        }),
      ),
    loadSettings(environmentOf(database.url)),
  );
}

/** Waits until the projections have caught up with the log. */
export const catchUp = (database: TestDatabase): Promise<void> =>
  withSession(
    ({ runtime }) =>
      withProjections(runtime, () =>
        waitForProjections(runtime, new AbortController().signal, () => undefined),
      ),
    loadSettings(environmentOf(database.url)),
  );
