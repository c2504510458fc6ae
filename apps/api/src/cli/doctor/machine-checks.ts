import { randomUUID } from 'node:crypto';
import { mkdir, rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import type { Settings } from '../../platform/config/load-settings.js';
import { loadRegisteredDocuments } from '../../platform/graphql/documents/registered-documents.js';
import { advice, broken, ok, reasonOf, type Finding } from './finding.js';

const MB = 1024 * 1024;
/** Below this, health reports `degraded` and writes are about to fail. */
const MIN_FREE_MB = 256;
const LOW_FREE_MB = 2_000;
const MIN_NODE_VERSION = [20, 19] as const;

export function checkNode(version = process.versions.node): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldestMajor, oldestMinor] = MIN_NODE_VERSION;
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor))
    return ok('node', `Node ${version}.`);
  return broken(
    'node',
    `Node ${version} is older than ${MIN_NODE_VERSION.join('.')}.`,
    'Install Node 22, or Node 20.19 or later.',
  );
}

/** @param freeBytesIn returns the free bytes in a folder */
export async function checkDataFolder(
  { dataDir }: Pick<Settings, 'dataDir'>,
  freeBytesIn = freeBytes,
): Promise<Finding[]> {
  const check = 'data folder';
  const probe = join(dataDir, `.doctor-${randomUUID()}`);
  try {
    await mkdir(dataDir, { recursive: true });
    await writeFile(probe, 'doctor');
    await rm(probe);
  } catch (error) {
    return [
      broken(
        check,
        `Cannot write to NIMO_DATA_DIR (${dataDir}): ${reasonOf(error)}.`,
        'Make the folder writable for the user that runs Nimo, or set NIMO_DATA_DIR to another one.',
      ),
    ];
  }
  const free = Math.floor((await freeBytesIn(dataDir)) / MB);
  if (free < MIN_FREE_MB)
    return [
      broken(check, `Only ${free} MB free in NIMO_DATA_DIR.`, 'Free up at least 256 MB, preferably 2 GB.'),
    ];
  if (free < LOW_FREE_MB)
    return [
      advice(
        check,
        `Only ${free} MB free in NIMO_DATA_DIR.`,
        'Free up space before less than 256 MB is left.',
      ),
    ];
  return [ok(check, `NIMO_DATA_DIR is writable; ${free} MB free.`)];
}

async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/** Checks which GraphQL documents are accepted, and that registered ones can be loaded. */
export function checkDocuments({
  nodeEnv,
  graphqlDocuments,
  graphqlDocumentsDir,
}: Pick<Settings, 'nodeEnv' | 'graphqlDocuments' | 'graphqlDocumentsDir'>): Finding[] {
  const check = 'documents';
  let registered: number;
  try {
    registered = Object.keys(loadRegisteredDocuments(graphqlDocumentsDir)).length;
  } catch (error) {
    return [
      broken(check, reasonOf(error), 'Correct it: the API does not start otherwise (docs/api/reference.md).'),
    ];
  }
  if (nodeEnv === 'production' && graphqlDocuments === 'any')
    return [
      advice(
        check,
        'GRAPHQL_DOCUMENTS is any: anyone can send arbitrary documents.',
        'Unset it, and register the documents of other programs in GRAPHQL_DOCUMENTS_DIR.',
      ),
    ];
  return [ok(check, `GRAPHQL_DOCUMENTS is ${graphqlDocuments}; ${registered} registered.`)];
}

export const checkRenamedSettings = ({ renamed }: Settings): Finding[] =>
  renamed.map(({ from, to }) => advice('settings', `${from} is now ${to}.`, 'Rename it in the environment.'));

export function checkPreviousKeys({ previousMasterKey, previousHmacKey }: Settings): Finding[] {
  const set = [
    previousMasterKey && 'NIMO_MASTER_KEY_PREVIOUS',
    previousHmacKey && 'NIMO_HMAC_KEY_PREVIOUS',
  ].filter((name) => typeof name === 'string');
  return set.map((name) =>
    advice('keys', `${name} is set.`, 'Run nimo keys rotate, and unset it once nimo keys status allows it.'),
  );
}
