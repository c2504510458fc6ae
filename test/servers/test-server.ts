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
const MIN_AGE_MS = 60_000;

export interface TestServer {
  readonly adminUrl: string;
  /** Undefined for an external server. */
  readonly dataFolder: string | undefined;
  stop(): Promise<void>;
}

/** Sets NIMO_TEST_ADMIN_URL to a server with the migrated template database. Jest workers inherit the variable. */
export async function startTestServer(): Promise<TestServer> {
  const external = process.env['NIMO_TEST_ADMIN_URL'];
  if (external !== undefined) {
    await createTemplate(external);
    return { adminUrl: external, dataFolder: undefined, stop: () => Promise.resolve() };
  }
  await removeAbandoned();
  const dataFolder = await mkdtemp(join(SERVER_FOLDER, PREFIX));
  // The server may run as a different user than the tests.
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
    await createTemplate(adminUrl);
  } catch (error) {
    await stop();
    throw error;
  }
  return { adminUrl, dataFolder, stop };
}

async function createTemplate(adminUrl: string): Promise<void> {
  const admin = newClient({ connectionString: adminUrl });
  await admin.connect();
  try {
    const { rowCount } = await admin.query('select from pg_database where datname = $1', [TEMPLATE]);
    if (rowCount !== 0) return;
    // Created under another name, so that no one copies it before it is complete.
    const unfinished = `${TEMPLATE}_${process.pid}`;
    await admin.query(`create database ${unfinished}`);
    const url = new URL(adminUrl);
    url.pathname = `/${unfinished}`;
    await prepareDatabase(url.href);
    // Lets processes log in as their roles if the server requires a password.
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

/** Removes servers left behind by killed runs. */
async function removeAbandoned(): Promise<void> {
  for (const name of (await readdir(SERVER_FOLDER)).filter((entry) => entry.startsWith(PREFIX))) {
    const folder = join(SERVER_FOLDER, name);
    const age =
      Date.now() -
      (await stat(folder).then(
        ({ mtimeMs }) => mtimeMs,
        () => Date.now(),
      ));
    if (age < MIN_AGE_MS) continue;
    if (await stopAbandonedPostgres(folder).catch(() => false))
      await rm(folder, { recursive: true, force: true });
  }
}
