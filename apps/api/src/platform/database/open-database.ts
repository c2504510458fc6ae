import type { Settings } from '../config/load-settings.js';
import { attachEmbeddedPostgres } from '../embedded-postgres/embedded-postgres.js';
import type { DatabaseRole } from './roles.js';
import { untilTakingConnections } from './until-taking-connections.js';

export interface OpenDatabase {
  /** With the address of the database for this process's role, embedded or not. */
  readonly settings: Settings & { readonly databaseUrl: string };
  /** After the pools are closed: the last process out stops the embedded server. */
  close(): Promise<void>;
}

/**
 * The configured PostgreSQL, or the embedded one of the data folder.
 *
 * @param role as whom this process works: the owner is for the command line, which backs up, restores and moves the log
 */
export async function openDatabase(settings: Settings, role: DatabaseRole | 'owner'): Promise<OpenDatabase> {
  const { databaseUrl, dataDir } = settings;
  if (databaseUrl !== undefined) {
    const url = urlFor(role, { ...settings, databaseUrl });
    await untilTakingConnections(url);
    return { settings: withAddress(settings, url), close: () => Promise.resolve() };
  }
  const server = await attachEmbeddedPostgres({ dataFolder: dataDir });
  const owner = server.url();
  await untilTakingConnections(owner);
  return {
    settings: {
      ...settings,
      databaseOwnerUrl: owner,
      databaseUrl: role === 'owner' ? owner : server.url(undefined, role),
    },
    close: () => server.detach(),
  };
}

type External = Settings & { readonly databaseUrl: string };

function urlFor(role: DatabaseRole | 'owner', settings: External): string {
  const { databaseUrl, databaseOwnerUrl, databaseWorkerUrl } = settings;
  if (role === 'owner') return databaseOwnerUrl ?? databaseUrl;
  return role === 'nimo_worker' ? (databaseWorkerUrl ?? databaseUrl) : databaseUrl;
}

/** The address past a pooler is for the same role. */
function withAddress(settings: Settings, databaseUrl: string): External {
  if (databaseUrl === settings.databaseUrl) return { ...settings, databaseUrl };
  const { databaseDirectUrl } = settings;
  if (databaseDirectUrl === undefined) return { ...settings, databaseUrl };
  const [direct, given] = [new URL(databaseDirectUrl), new URL(databaseUrl)];
  direct.username = given.username;
  direct.password = given.password;
  return { ...settings, databaseUrl, databaseDirectUrl: direct.href };
}
