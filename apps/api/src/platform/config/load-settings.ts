import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { generatedKeys, keyNames, type Keys } from './generated-keys.js';
import { registry, togetherOrNot } from './registry.js';
import type { Setting } from './setting.js';
import { SettingsError } from './settings-error.js';

type Registry = typeof registry;
type Read = {
  readonly [Name in keyof Registry]: Registry[Name] extends Setting<infer Value> ? Value : never;
};
type Environment = Readonly<Record<string, string | undefined>>;

/** The values of the registry; keys that nobody set are filled in. */
export type Settings = Omit<Read, keyof Keys | 'staffSecondFactor' | 'graphqlDocuments'> &
  Keys & {
    readonly staffSecondFactor: 'required' | 'offered';
    readonly graphqlDocuments: NonNullable<Read['graphqlDocuments']>;
  };

/**
 * Reads all settings from the environment (by default this process's, over the file `.env` of the working folder), or throws
 * a SettingsError of one line. An empty value counts as not set.
 */
export function loadSettings(environment: Environment = environmentOf(process.env)): Settings {
  const read = readAll(environment);
  const dataDir = resolve(read.dataDir);
  checkGroups(read);
  const keys = keysOf(read, dataDir);
  checkLogKey(read);
  checkWitness(read);
  const graphqlDocuments = read.graphqlDocuments ?? (read.nodeEnv === 'production' ? 'own' : 'any');
  return { ...read, dataDir, ...keys, staffSecondFactor: staffSecondFactorOf(read), graphqlDocuments };
}

/** The file `.env` of the working folder under what the process was given. */
export function environmentOf(given: Environment): Record<string, string | undefined> {
  // The decoder leaves out a byte-order mark, which would be part of the first name.
  const fromFile = existsSync('.env') ? parseEnv(new TextDecoder().decode(readFileSync('.env'))) : {};
  return { ...fromFile, ...given };
}

function readAll(environment: Environment): Read {
  const values = Object.entries(registry).map(([name, setting]) => [name, readOne(setting, environment)]);
  // Built from the registry's own entries, which is what the type says.
  return Object.fromEntries(values) as Read;
}

function readOne({ env, schema, rule, isSecret }: Setting<unknown>, environment: Environment): unknown {
  const raw = environment[env];
  const given = raw === undefined || raw.trim() === '' ? undefined : raw.trim();
  const result = schema.safeParse(given);
  if (result.success) return result.data;
  throw new SettingsError(`${env} must be ${rule}${isSecret ? '' : `, not "${given ?? ''}"`}.`);
}

function checkGroups(read: Read): void {
  for (const group of togetherOrNot) {
    const given = group.filter((name) => read[name] !== undefined);
    const missing = group.find((name) => read[name] === undefined);
    const [first] = given;
    if (first === undefined || missing === undefined) continue;
    throw new SettingsError(`${registry[missing].env} must be set too, because ${registry[first].env} is.`);
  }
}

/** Heads go to a bucket of the store that is configured, or to a webhook that knows who writes. */
function checkWitness(read: Read): void {
  const { logWitnessUrl, logWitnessSecret, s3Endpoint } = read;
  if (logWitnessUrl === undefined) return;
  const isBucket = logWitnessUrl.startsWith('s3:');
  if (isBucket ? s3Endpoint !== undefined : logWitnessSecret !== undefined) return;
  const missing = isBucket ? registry.s3Endpoint : registry.logWitnessSecret;
  throw new SettingsError(`${missing.env} must be set too, because ${registry.logWitnessUrl.env} is.`);
}

/** Everywhere else it is generated when something is signed first: no data is lost with it. */
function checkLogKey({ nodeEnv, logSigningKey }: Read): void {
  if (nodeEnv !== 'production' || logSigningKey !== undefined) return;
  const { env, rule } = registry.logSigningKey;
  throw new SettingsError(`${env} must be set, because in production nothing is generated: ${rule}.`);
}

/** Development offers it, so that the printed log-ins open the staff areas. */
function staffSecondFactorOf({ nodeEnv, staffSecondFactor }: Read): Settings['staffSecondFactor'] {
  if (nodeEnv !== 'production') return staffSecondFactor ?? 'offered';
  if (staffSecondFactor === 'offered')
    throw new SettingsError(
      `${registry.staffSecondFactor.env} must be required in production: a password alone must not open a staff area.`,
    );
  return 'required';
}

function keysOf(read: Read, dataDir: string): Keys {
  const missing = keyNames.filter((name) => read[name] === undefined);
  const [first] = missing;
  if (first !== undefined && (read.nodeEnv === 'production' || read.databaseUrl !== undefined)) {
    const because =
      read.nodeEnv === 'production' ? 'in production nothing is generated' : 'DATABASE_URL is set';
    throw new SettingsError(
      `${registry[first].env} must be set, because ${because}: ${registry[first].rule}.`,
    );
  }
  const generated = missing.length === 0 ? undefined : generatedKeys(dataDir);
  const value = (name: keyof Keys): Buffer => {
    const found = read[name] ?? generated?.[name];
    if (found === undefined) throw new SettingsError(`${registry[name].env} must be ${registry[name].rule}.`);
    return found;
  };
  return { masterKey: value('masterKey'), hmacKey: value('hmacKey'), signingKey: value('signingKey') };
}
