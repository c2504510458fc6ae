import { chmod, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { prepareDatabase } from '../../apps/api/src/platform/database/migrate.js';
import { DATABASE_ROLES } from '../../apps/api/src/platform/database/roles.js';
import {
  attachEmbeddedPostgres,
  stopAbandonedPostgres,
} from '../../apps/api/src/platform/embedded-postgres/embedded-postgres.js';
import { newClient } from '../../libs/event-store/src/index.js';
import { guard } from './guardian.js';
import { SERVER_FOLDER } from './server-folder.js';

const PREFIX = 'nimo-test-';
const TEMPLATE = 'nimo_template';
const YOUNG_MS = 60_000;

export interface TestServer {
  readonly adminUrl: string;
  /** Undefined for a server that was there before. */
  readonly dataFolder: string | undefined;
  stop(): Promise<void>;
}

/** Sets NIMO_TEST_ADMIN_URL to a server that has the migrated template; workers of jest inherit it. */
export async function startTestServer(): Promise<TestServer> {
  const given = process.env['NIMO_TEST_ADMIN_URL'];
  if (given !== undefined) {
    await makeTemplate(given);
    return { adminUrl: given, dataFolder: undefined, stop: () => Promise.resolve() };
  }
  await removeAbandoned();
  const dataFolder = await mkdtemp(join(SERVER_FOLDER, PREFIX));
  // The server may run as another user than the tests.
  await chmod(dataFolder, 0o755);
  const release = guard({ postgresIn: dataFolder });
  const server = await attachEmbeddedPostgres({ dataFolder, durable: false });
  const adminUrl = server.url('postgres');
  process.env['NIMO_TEST_ADMIN_URL'] = adminUrl;
  const stop = async (): Promise<void> => {
    await server.detach();
    await rm(dataFolder, { recursive: true, force: true });
    release();
  };
  try {
    await makeTemplate(adminUrl);
  } catch (error) {
    await stop();
    throw error;
  }
  return { adminUrl, dataFolder, stop };
}

async function makeTemplate(adminUrl: string): Promise<void> {
  const admin = newClient({ connectionString: adminUrl });
  await admin.connect();
  try {
    const { rowCount } = await admin.query('select from pg_database where datname = $1', [TEMPLATE]);
    if (rowCount !== 0) return;
    // Made under another name, so that nobody copies it half-way.
    const unfinished = `${TEMPLATE}_${process.pid}`;
    await admin.query(`create database ${unfinished}`);
    const url = new URL(adminUrl);
    url.pathname = `/${unfinished}`;
    await prepareDatabase(url.href);
    // So that processes log in as their roles where the server asks for a password.
    if (url.password !== '')
      for (const role of DATABASE_ROLES)
        await admin.query(
          `alter role ${role} password ${admin.escapeLiteral(decodeURIComponent(url.password))}`,
        );
    await admin.query(`alter database ${unfinished} rename to ${TEMPLATE}`);
  } finally {
    await admin.end();
  }
}

/** Runs that were killed leave their server behind. */
async function removeAbandoned(): Promise<void> {
  for (const name of (await readdir(SERVER_FOLDER)).filter((entry) => entry.startsWith(PREFIX))) {
    const folder = join(SERVER_FOLDER, name);
    const age =
      Date.now() -
      (await stat(folder).then(
        ({ mtimeMs }) => mtimeMs,
        () => Date.now(),
      ));
    if (age < YOUNG_MS) continue;
    if (await stopAbandonedPostgres(folder).catch(() => false))
      await rm(folder, { recursive: true, force: true });
  }
}
