import { createHash, createHmac } from 'node:crypto';
import { type ClaimKind, emailKey, studentDecider, userNameKey } from '@nimo/domain';
import type { Pool } from 'pg';
import type { EventStore, RecordedEvent } from '@nimo/event-store';
import { SettingsError } from '../config/settings-error.js';
import type { Settings } from '../config/load-settings.js';
import type { StudentKeys } from './student-keys.js';
import type { Logger } from '../logging/logger.js';
import type { Metrics } from '../operations/metrics.js';
import { isSealedText, type OnUnreadable } from './sealed-values.js';

const TO_TELL_APART = 16;

/** Tells keys apart and gives nothing of them away. */
export const keyPrint = (name: string, key: Buffer): string =>
  createHash('sha256').update(`nimo ${name} key`).update(key).digest('hex').slice(0, TO_TELL_APART);

const COMPARED_AS: Readonly<Record<ClaimKind, (value: string) => string>> = {
  username: userNameKey,
  phone: (phone) => phone,
  email: emailKey,
};

/**
 * Names the streams of values that must be unique. Keyed, as twelve digits could be tried out against a plain hash. While the key rotates
 * there is a former one, under which everything is found as well.
 */
export class ClaimHasher {
  constructor(
    private readonly key: Buffer,
    private readonly former?: Buffer,
  ) {}

  /** Names the present key, beside what is stored under it and cannot be made again. */
  get print(): string {
    return keyPrint('hmac', this.key);
  }

  hash(kind: ClaimKind, value: string): string {
    return claimHash(this.key, kind, value);
  }

  /** Every name of the value: the former key's first, where a process that knows no other one looks. */
  hashes(kind: ClaimKind, value: string): readonly string[] {
    const keys = this.former ? [this.former, this.key] : [this.key];
    return keys.map((key) => claimHash(key, kind, value));
  }

  /** For other short secrets (one-time codes), apart from the claims. */
  hashSecret(purpose: string, ...parts: readonly string[]): Buffer {
    return secretHash(this.key, purpose, parts);
  }

  /** The same under the former key, while there is one. */
  formerSecret(purpose: string, ...parts: readonly string[]): Buffer | undefined {
    return this.former && secretHash(this.former, purpose, parts);
  }

  /** Under every key, the present one first: what is compared with what may have been stored under either. */
  secretHashes(purpose: string, ...parts: readonly string[]): readonly Buffer[] {
    const former = this.formerSecret(purpose, ...parts);
    return [this.hashSecret(purpose, ...parts), ...(former ? [former] : [])];
  }
}

const claimHash = (key: Buffer, kind: ClaimKind, value: string): string =>
  createHmac('sha256', key)
    .update(`${kind}:${COMPARED_AS[kind](value)}`)
    .digest('hex');

const secretHash = (key: Buffer, purpose: string, parts: readonly string[]): Buffer =>
  createHmac('sha256', key)
    .update(JSON.stringify(['secret', purpose, ...parts]))
    .digest();

export type RotatingKey = 'master' | 'hmac';

type KeySettings = Pick<Settings, 'masterKey' | 'masterKeyFormer' | 'hmacKey' | 'hmacKeyFormer'>;

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

const MAX_NAMED = 1_000;

const isSealed = ({ data }: RecordedEvent): boolean => Object.values(data).some(isSealedText);

/** @param log as it is stored. Every personal event is in its student's own stream. */
export const sealedIn =
  (log: EventStore) =>
  async (studentIds: readonly string[]): Promise<readonly string[]> => {
    const streams = await log.readStreams(studentIds.map((id) => studentDecider.stream(id)));
    return studentIds.filter((id) => streams.get(studentDecider.stream(id))?.some(isSealed) === true);
  };

/** Counts each value that is read as null for the lack of a key, and names each student once. */
export function lostKeysAlarm(logger: Logger, metrics: Metrics): OnUnreadable {
  const named = new Set<string>();
  return (reason, studentId) => {
    metrics.unreadableValues.inc({ reason });
    const line = `${reason} ${studentId}`;
    if (named.has(line) || named.size >= MAX_NAMED) return;
    named.add(line);
    logger.error({ reason, studentId }, 'personal data in the log cannot be opened: restore the keys');
  };
}
