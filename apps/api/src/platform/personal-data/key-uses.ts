import type { Pool } from 'pg';
import { SettingsError } from '../config/settings-error.js';
import type { Settings } from '../config/load-settings.js';
import { keyPrint } from './key-print.js';
import type { StudentKeys } from './student-keys.js';

export type RotatingKey = 'master' | 'hmac';

export type KeySettings = Pick<Settings, 'masterKey' | 'masterKeyFormer' | 'hmacKey' | 'hmacKeyFormer'>;

interface Given {
  readonly env: string;
  readonly print: string;
  readonly former: string | undefined;
}

export function givenKeys(settings: KeySettings): Readonly<Record<RotatingKey, Given>> {
  const { masterKey, masterKeyFormer, hmacKey, hmacKeyFormer } = settings;
  const given = (name: RotatingKey, env: string, key: Buffer, former: Buffer | undefined): Given => ({
    env,
    print: keyPrint(name, key),
    former: former && keyPrint(name, former),
  });
  return {
    master: given('master', 'NIMO_MASTER_KEY', masterKey, masterKeyFormer),
    hmac: given('hmac', 'NIMO_HMAC_KEY', hmacKey, hmacKeyFormer),
  };
}

/**
 * With a key that is not the one of before nobody could sign in any more, and names would be folded as unreadable. So a start compares its
 * keys with those that the database was filled with (`state.key_use`), and notes a new one.
 * @throws SettingsError where one is missing or is another
 */
export async function assertKeysFit(
  pool: Pool,
  settings: KeySettings,
  studentKeys: Pick<StudentKeys, 'isMasterKeyRight'>,
): Promise<void> {
  const given = givenKeys(settings);
  const used = {
    master: await usedFor(pool, 'master', given.master),
    hmac: await usedFor(pool, 'hmac', given.hmac),
  };
  // By what they open as well, whatever was noted.
  if (!(await studentKeys.isMasterKeyRight()))
    throw new SettingsError(notThatOf('NIMO_MASTER_KEY', settings.masterKeyFormer));
  for (const name of ['master', 'hmac'] as const) {
    const { print } = given[name];
    if (!used[name].includes(print)) await note(pool, name, print);
  }
}

/** @throws SettingsError where something stands under a key that is not given */
async function usedFor(
  pool: Pool,
  name: RotatingKey,
  { env, print, former }: Given,
): Promise<readonly string[]> {
  const { rows } = await pool.query<{ print: string }>(
    'select print from state.key_use where key = $1 and coalesce(free_at > now(), true)',
    [name],
  );
  const used = rows.map((row) => row.print);
  const missing = used.filter((one) => one !== print && one !== former);
  if (missing.length === 0) return used;
  if (missing.length === used.length) throw new SettingsError(notThatOf(env, former));
  throw new SettingsError(
    former === undefined
      ? `${env}_FORMER must be set: this database stands under another key as well, until nimo keys rotate is done. See nimo keys status.`
      : `${env}_FORMER is not the key that this database stands under as well.`,
  );
}

function notThatOf(env: string, former: unknown): string {
  return former === undefined
    ? `${env} is not the key that this database was filled with.`
    : `Neither ${env} nor ${env}_FORMER is the key that this database was filled with.`;
}

/** One that is taken up again begins anew. */
async function note(pool: Pool, name: RotatingKey, print: string): Promise<void> {
  await pool.query(
    `insert into state.key_use as u (key, print) values ($1, $2)
     on conflict (key, print) do update set since = now(), place = null, free_at = null where u.free_at is not null`,
    [name, print],
  );
}
