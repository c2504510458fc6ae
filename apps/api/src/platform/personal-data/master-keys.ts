import type { Settings } from '../config/load-settings.js';

/** Settings needed to encrypt with the master key and to decrypt with the previous one. */
export type MasterKeySettings = Pick<Settings, 'masterKey'> & Partial<Pick<Settings, 'previousMasterKey'>>;

/** Decryption keys, the current one first. Only the current one encrypts. */
export const decryptionKeys = ({ masterKey, previousMasterKey }: MasterKeySettings): readonly Buffer[] =>
  previousMasterKey ? [masterKey, previousMasterKey] : [masterKey];
