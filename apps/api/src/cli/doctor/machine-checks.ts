import { randomUUID } from 'node:crypto';
import { mkdir, rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import type { Settings } from '../../platform/config/load-settings.js';
import { registeredDocuments } from '../../platform/graphql/documents/registered-documents.js';
import { advice, broken, fine, reasonOf, type Finding } from './finding.js';

const MB = 1024 * 1024;
/** Below it health says degraded, and writing ends soon. */
const MIN_FREE_MB = 256;
const LITTLE_FREE_MB = 2_000;
const OLDEST_NODE = [20, 19] as const;

export function checkNode(version = process.versions.node): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldestMajor, oldestMinor] = OLDEST_NODE;
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor))
    return fine('node', `Node ${version}.`);
  return broken(
    'node',
    `Node ${version} is older than ${OLDEST_NODE.join('.')}.`,
    'Install Node 22, or 20 from 20.19 on.',
  );
}

/** @param room bytes that are free, and whether a file can be written there */
export async function checkDataFolder(
  { dataDir }: Pick<Settings, 'dataDir'>,
  room = freeBytes,
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
        `NIMO_DATA_DIR (${dataDir}) cannot be written: ${reasonOf(error)}.`,
        'Give the user that runs Nimo the folder, or set NIMO_DATA_DIR to another one.',
      ),
    ];
  }
  const free = Math.floor((await room(dataDir)) / MB);
  if (free < MIN_FREE_MB)
    return [
      broken(check, `${free} MB are free in NIMO_DATA_DIR.`, 'Make room: at least 256 MB, better 2 GB.'),
    ];
  if (free < LITTLE_FREE_MB)
    return [
      advice(check, `${free} MB are free in NIMO_DATA_DIR.`, 'Make room before it is less than 256 MB.'),
    ];
  return [fine(check, `NIMO_DATA_DIR can be written; ${free} MB are free.`)];
}

async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/** Whose documents are answered, and whether those of other programs can be. */
export function checkDocuments({
  nodeEnv,
  graphqlDocuments,
  graphqlDocumentsDir,
}: Pick<Settings, 'nodeEnv' | 'graphqlDocuments' | 'graphqlDocumentsDir'>): Finding[] {
  const check = 'documents';
  let registered: number;
  try {
    registered = Object.keys(registeredDocuments(graphqlDocumentsDir)).length;
  } catch (error) {
    return [broken(check, reasonOf(error), 'Correct it; no api starts before (docs/api/reference.md).')];
  }
  if (nodeEnv === 'production' && graphqlDocuments === 'any')
    return [
      advice(
        check,
        'GRAPHQL_DOCUMENTS is any: strangers may send documents of their own.',
        'Unset it, and register what other programs send in GRAPHQL_DOCUMENTS_DIR.',
      ),
    ];
  return [fine(check, `GRAPHQL_DOCUMENTS is ${graphqlDocuments}; ${registered} are registered.`)];
}

/** Keys of before that are still set. */
export function checkFormerKeys({ masterKeyFormer, hmacKeyFormer }: Settings): Finding[] {
  const set = [masterKeyFormer && 'NIMO_MASTER_KEY_FORMER', hmacKeyFormer && 'NIMO_HMAC_KEY_FORMER'].filter(
    (name) => typeof name === 'string',
  );
  return set.map((name) =>
    advice('keys', `${name} is set.`, 'Run nimo keys rotate, and unset it when nimo keys status says so.'),
  );
}
