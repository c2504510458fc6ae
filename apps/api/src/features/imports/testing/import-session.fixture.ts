import { CommandBus } from '@nestjs/cqrs';
import { projections } from '@nimo/projections';
import type pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../../../../../../test/postgres.js';
import { inSession, operatorContext, withProjections } from '../../../cli/cli-session.js';
import { loadSettings } from '../../../platform/config/load-settings.js';
import { Claims } from '../../accounts/claims.js';
import { follow } from '../import-order.js';
import { importStackExchange, type ImportProgress } from '../import-stack-exchange.js';
import type { ImportReport } from '../import-tally.js';
import { type ImportRemoval, removeImport } from '../remove-import.js';

const KEY = (letter: string): string => Buffer.alloc(32, letter).toString('base64');

/** The same in this process and on the command line: the log names whoever imports. */
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

/** Installations of their own, each with a database; `drop` them all in `afterAll`. */
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

/** Imports as the command line does, in this process. */
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
  return inSession(
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

/** Ordinals count all events, those of names and memberships among them, which have no order; what they are for is the order of facts. */
const ORDINALS = /ordinal$/;
/** Ordinals too, of the search: newer than what a shipper brought, and nothing else. */
const VERSIONS = ['version', 'text_version'];
/** When the store took an event is of the installation, not of the community. */
const OWN_CLOCK = ['recorded_at'];
const LEFT_OUT = [...VERSIONS, ...OWN_CLOCK];
/** Follow from the leaderboard's rows, and from ordinals in them. */
const DERIVED = ['score_buckets'];

/** Every row of every projection, canonical but for ordinals, of which the order is left, and the own clock. */
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
      .map((row) => JSON.stringify(row, (column, value) => (LEFT_OUT.includes(column) ? undefined : value)))
      .sort();
  }
  return content;
}

/** Removes an unfinished import as the command line does, in this process. */
export function removeFrom(
  database: TestDatabase,
  spaceId: string,
  context: ImportRemoval['context'] = () => operatorContext(OPERATOR_NAME),
): Promise<number> {
  return inSession(
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

/** Until the read side has what the log has. */
export const catchUp = (database: TestDatabase): Promise<void> =>
  inSession(
    ({ runtime }) =>
      withProjections(runtime, () => follow(runtime, new AbortController().signal, () => undefined)),
    loadSettings(environmentOf(database.url)),
  );
