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

const FINGERPRINT_LENGTH = 16;

/** A fingerprint that identifies a key without revealing it. */
export const keyFingerprint = (name: string, key: Buffer): string =>
  createHash('sha256').update(`nimo ${name} key`).update(key).digest('hex').slice(0, FINGERPRINT_LENGTH);

const NORMALISE: Readonly<Record<ClaimKind, (value: string) => string>> = {
  username: userNameKey,
  phone: (phone) => phone,
  email: emailKey,
};

/**
 * Hashes unique values into stream names. Keyed, since phone numbers could be brute-forced against a plain hash. During rotation there is
 * a previous key, under which values are looked up too.
 */
export class ClaimHasher {
  constructor(
    private readonly key: Buffer,
    private readonly previousKey?: Buffer,
  ) {}

  /** Fingerprint of the current key, stored with hashes that cannot be recomputed. */
  get fingerprint(): string {
    return keyFingerprint('hmac', this.key);
  }

  hash(kind: ClaimKind, value: string): string {
    return claimHash(this.key, kind, value);
  }

  /** The hash under every key; the previous key's first, which is the only one older processes know. */
  hashes(kind: ClaimKind, value: string): readonly string[] {
    const keys = this.previousKey ? [this.previousKey, this.key] : [this.key];
    return keys.map((key) => claimHash(key, kind, value));
  }

  /** Hashes other short secrets, such as one-time codes, in a separate domain. */
  hashSecret(purpose: string, ...parts: readonly string[]): Buffer {
    return secretHash(this.key, purpose, parts);
  }

  /** The hash under the previous key, during rotation. */
  hashSecretWithPreviousKey(purpose: string, ...parts: readonly string[]): Buffer | undefined {
    return this.previousKey && secretHash(this.previousKey, purpose, parts);
  }

  /** The hashes under every key, the current one first. */
  secretHashes(purpose: string, ...parts: readonly string[]): readonly Buffer[] {
    const former = this.hashSecretWithPreviousKey(purpose, ...parts);
    return [this.hashSecret(purpose, ...parts), ...(former ? [former] : [])];
  }
}

const claimHash = (key: Buffer, kind: ClaimKind, value: string): string =>
  createHmac('sha256', key)
    .update(`${kind}:${NORMALISE[kind](value)}`)
    .digest('hex');

const secretHash = (key: Buffer, purpose: string, parts: readonly string[]): Buffer =>
  createHmac('sha256', key)
    .update(JSON.stringify(['secret', purpose, ...parts]))
    .digest();

export type RotatingKey = 'master' | 'hmac';

type KeySettings = Pick<Settings, 'masterKey' | 'previousMasterKey' | 'hmacKey' | 'previousHmacKey'>;

interface ConfiguredKey {
  readonly env: string;
  readonly fingerprint: string;
  readonly former: string | undefined;
}

export function configuredKeys(settings: KeySettings): Readonly<Record<RotatingKey, ConfiguredKey>> {
  const { masterKey, previousMasterKey, hmacKey, previousHmacKey } = settings;
  const configuredKey = (
    name: RotatingKey,
    env: string,
    key: Buffer,
    former: Buffer | undefined,
  ): ConfiguredKey => ({
    env,
    fingerprint: keyFingerprint(name, key),
    former: former && keyFingerprint(name, former),
  });
  return {
    master: configuredKey('master', 'NIMO_MASTER_KEY', masterKey, previousMasterKey),
    hmac: configuredKey('hmac', 'NIMO_HMAC_KEY', hmacKey, previousHmacKey),
  };
}

/**
 * With a wrong key, no one could sign in and personal data would be unreadable. So the start compares the configured keys with those in use
 * (`state.key_fingerprint`) and records a new one.
 * @throws SettingsError when a key in use is missing or differs
 */
export async function assertKeysMatch(
  pool: Pool,
  settings: KeySettings,
  studentKeys: Pick<StudentKeys, 'isMasterKeyCorrect'>,
): Promise<void> {
  const configured = configuredKeys(settings);
  const used = {
    master: await fingerprintsInUse(pool, 'master', configured.master),
    hmac: await fingerprintsInUse(pool, 'hmac', configured.hmac),
  };
  // Try the key as well, whatever was recorded.
  if (!(await studentKeys.isMasterKeyCorrect()))
    throw new SettingsError(wrongKeyMessage('NIMO_MASTER_KEY', settings.previousMasterKey));
  for (const name of ['master', 'hmac'] as const) {
    const { fingerprint } = configured[name];
    if (!used[name].includes(fingerprint)) await recordUse(pool, name, fingerprint);
  }
}

/** @throws SettingsError when a key in use is not configured */
async function fingerprintsInUse(
  pool: Pool,
  name: RotatingKey,
  { env, fingerprint, former }: ConfiguredKey,
): Promise<readonly string[]> {
  const { rows } = await pool.query<{ fingerprint: string }>(
    'select fingerprint from state.key_fingerprint where key = $1 and coalesce(expires_at > now(), true)',
    [name],
  );
  const used = rows.map((row) => row.fingerprint);
  const missing = used.filter((one) => one !== fingerprint && one !== former);
  if (missing.length === 0) return used;
  if (missing.length === used.length) throw new SettingsError(wrongKeyMessage(env, former));
  throw new SettingsError(
    former === undefined
      ? `${env}_PREVIOUS must be set: another key is still in use by this database until nimo keys rotate completes. See nimo keys status.`
      : `${env}_PREVIOUS is not the other key in use by this database.`,
  );
}

function wrongKeyMessage(env: string, former: unknown): string {
  return former === undefined
    ? `${env} is not the key this database was created with.`
    : `Neither ${env} nor ${env}_PREVIOUS is the key this database was created with.`;
}

/** A key put back into use restarts its rotation. */
async function recordUse(pool: Pool, name: RotatingKey, fingerprint: string): Promise<void> {
  await pool.query(
    `insert into state.key_fingerprint as f (key, fingerprint) values ($1, $2)
     on conflict (key, fingerprint) do update set since = now(), scan_position = null, expires_at = null where f.expires_at is not null`,
    [name, fingerprint],
  );
}

const MAX_LOGGED = 1_000;

const isSealed = ({ data }: RecordedEvent): boolean => Object.values(data).some(isSealedText);

/** @param log without a codec. Every personal event is in its student's own stream. */
export const studentsWithSealedData =
  (log: EventStore) =>
  async (studentIds: readonly string[]): Promise<readonly string[]> => {
    const streams = await log.readStreams(studentIds.map((id) => studentDecider.stream(id)));
    return studentIds.filter((id) => streams.get(studentDecider.stream(id))?.some(isSealed) === true);
  };

/** Counts unreadable values and logs each affected student once. */
export function reportLostKeys(logger: Logger, metrics: Metrics): OnUnreadable {
  const named = new Set<string>();
  return (reason, studentId) => {
    metrics.unreadableValues.inc({ reason });
    const line = `${reason} ${studentId}`;
    if (named.has(line) || named.size >= MAX_LOGGED) return;
    named.add(line);
    logger.error({ reason, studentId }, 'personal data in the log cannot be decrypted: restore the keys');
  };
}
