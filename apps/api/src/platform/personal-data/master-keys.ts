import type { Settings } from '../config/load-settings.js';

/** What a feature needs to seal with the master key, and to open what was sealed with the former one. */
export type MasterKeySettings = Pick<Settings, 'masterKey'> & Partial<Pick<Settings, 'masterKeyFormer'>>;

/** What may open a value: the present key, and the former one while it rotates. Only the present one seals. */
export const masterKeysOf = ({ masterKey, masterKeyFormer }: MasterKeySettings): readonly Buffer[] =>
  masterKeyFormer ? [masterKey, masterKeyFormer] : [masterKey];
