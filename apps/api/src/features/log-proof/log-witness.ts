import { join } from 'node:path';
import {
  DatabaseHeads,
  HeadsFolder,
  type HeadWitness,
  type PublicKey,
  type SigningKey,
  signingKeyOf,
} from '@nimo/event-store';
import type { Pool } from 'pg';
import { s3BucketOf } from '../../adapters/files/file-store.js';
import { S3Files } from '../../adapters/files/s3-files.js';
import { S3Heads } from '../../adapters/witness/s3-heads.js';
import { WebhookHeads } from '../../adapters/witness/webhook-heads.js';
import { generatedLogKey } from '../../platform/config/generated-keys.js';
import type { Settings } from '../../platform/config/load-settings.js';

/** The key of this installation; where none is set (never in production), one is made at the first use. */
export function logKeyOf({
  logSigningKey,
  dataDir,
}: Pick<Settings, 'logSigningKey' | 'dataDir'>): SigningKey {
  return signingKeyOf(logSigningKey ?? generatedLogKey(dataDir));
}

/** Own key first, then those before it. */
export const believedLogKeys = (settings: Settings): readonly PublicKey[] => [
  logKeyOf(settings),
  ...(settings.logFormerKeys ?? []),
];

export function headsFolderOf({
  logHeadsDir,
  dataDir,
}: Pick<Settings, 'logHeadsDir' | 'dataDir'>): HeadsFolder {
  return new HeadsFolder(logHeadsDir ?? join(dataDir, 'heads'));
}

/** Everywhere that signed heads are kept, in the order in which they are written: what the database has, the others have. */
export function witnessesOf(settings: Settings, pool: Pool): readonly [HeadWitness, ...HeadWitness[]] {
  return [headsFolderOf(settings), ...outsideOf(settings), new DatabaseHeads(pool)];
}

/** The settings say that what each of them needs is there. */
function outsideOf(settings: Settings): readonly HeadWitness[] {
  const { logWitnessUrl: url, logWitnessSecret: secret } = settings;
  if (url === undefined) return [];
  if (!url.startsWith('s3:')) return secret === undefined ? [] : [new WebhookHeads(url, secret)];
  const { hostname, pathname } = new URL(url);
  const bucket = s3BucketOf(settings, hostname);
  const prefix = pathname.replace(/^\/|\/$/g, '');
  return bucket ? [new S3Heads(new S3Files(bucket), prefix === '' ? '' : `${prefix}/`)] : [];
}
