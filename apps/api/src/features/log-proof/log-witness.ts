import { join } from 'node:path';
import { HeadsFolder, type SigningKey, signingKeyOf } from '@nimo/event-store';
import { generatedLogKey } from '../../platform/config/generated-keys.js';
import type { Settings } from '../../platform/config/load-settings.js';

type Witness = Pick<Settings, 'logSigningKey' | 'logHeadsDir' | 'dataDir'>;

/** The key of this installation; where none is set (never in production), one is made at the first use. */
export function logKeyOf({ logSigningKey, dataDir }: Witness): SigningKey {
  return signingKeyOf(logSigningKey ?? generatedLogKey(dataDir));
}

export function headsFolderOf({ logHeadsDir, dataDir }: Witness): HeadsFolder {
  return new HeadsFolder(logHeadsDir ?? join(dataDir, 'heads'));
}
