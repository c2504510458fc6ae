import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { generatedKeys, keyNames, type Keys } from './generated-keys.js';
import { formerNames, registry, requiredTogether } from './registry.js';
import type { Setting } from './setting.js';
import { SettingsError } from './settings-error.js';

type Registry = typeof registry;
type ParsedSettings = {
  readonly [Name in keyof Registry]: Registry[Name] extends Setting<infer Value> ? Value : never;
};
type Environment = Readonly<Record<string, string | undefined>>;

/** Values of all settings, with generated keys filled in. */
export type Settings = Omit<ParsedSettings, keyof Keys | 'staffSecondFactor' | 'graphqlDocuments'> &
  Keys & {
    readonly staffSecondFactor: 'required' | 'offered';
    readonly graphqlDocuments: NonNullable<ParsedSettings['graphqlDocuments']>;
    readonly renamed: readonly RenamedSetting[];
  };

/** A setting that the environment has under its former name. */
interface RenamedSetting {
  readonly from: string;
  readonly to: string;
}

/**
 * Reads all settings from the environment, by default this process's on top of `.env` in the working directory. Empty values count as
 * unset.
 *
 * @throws SettingsError with a one-line message
 */
export function loadSettings(environment: Environment = environmentOf(process.env)): Settings {
  const read = parseAll(environment);
  const dataDir = resolve(read.dataDir);
  assertGroupsComplete(read);
  const keys = resolveKeys(read, dataDir);
  assertLogKey(read);
  assertCheckpointConfigured(read);
  const graphqlDocuments = read.graphqlDocuments ?? (read.nodeEnv === 'production' ? 'own' : 'any');
  return {
    ...read,
    dataDir,
    ...keys,
    staffSecondFactor: resolveStaffSecondFactor(read),
    graphqlDocuments,
    renamed: renamedIn(environment),
  };
}

/** The environment on top of `.env` in the working directory. */
export function environmentOf(overrides: Environment): Record<string, string | undefined> {
  // The decoder strips a byte order mark, which would become part of the first name.
  const fromFile = existsSync('.env') ? parseEnv(new TextDecoder().decode(readFileSync('.env'))) : {};
  return { ...fromFile, ...overrides };
}

function parseAll(environment: Environment): ParsedSettings {
  const values = Object.entries(registry).map(([name, setting]) => [
    name,
    parseSetting(setting, environment),
  ]);
  // Sound: built from the registry's entries.
  return Object.fromEntries(values) as ParsedSettings;
}

function parseSetting({ env, schema, rule, isSecret }: Setting<unknown>, environment: Environment): unknown {
  const { name, text } = readText(env, environment);
  const result = schema.safeParse(text);
  if (result.success) return result.data;
  throw new SettingsError(`${name} must be ${rule}${isSecret ? '' : `, not "${text ?? ''}"`}.`);
}

/** Falls back to the former name of a renamed setting. */
function readText(
  env: string,
  environment: Environment,
): { readonly name: string; readonly text: string | undefined } {
  const textOf = (name: string): string | undefined => environment[name]?.trim() || undefined;
  const text = textOf(env);
  const former = formerNames[env];
  const formerText = former === undefined ? undefined : textOf(former);
  if (former === undefined || formerText === undefined) return { name: env, text };
  if (text === undefined) return { name: former, text: formerText };
  if (text === formerText) return { name: env, text };
  throw new SettingsError(`${env} and its former name ${former} have different values. Remove ${former}.`);
}

const renamedIn = (environment: Environment): RenamedSetting[] =>
  Object.entries(formerNames)
    .filter(([, from]) => (environment[from] ?? '').trim() !== '')
    .map(([to, from]) => ({ from, to }));

function assertGroupsComplete(read: ParsedSettings): void {
  for (const group of requiredTogether) {
    const configured = group.filter((name) => read[name] !== undefined);
    const missing = group.find((name) => read[name] === undefined);
    const [first] = configured;
    if (first === undefined || missing === undefined) continue;
    throw new SettingsError(`${registry[missing].env} must be set too, because ${registry[first].env} is.`);
  }
}

/** Signed heads go to a bucket of the configured store, or to a webhook that verifies a secret. */
function assertCheckpointConfigured(read: ParsedSettings): void {
  const { logCheckpointUrl, logCheckpointSecret, s3Endpoint } = read;
  if (logCheckpointUrl === undefined) return;
  const isBucket = logCheckpointUrl.startsWith('s3:');
  if (isBucket ? s3Endpoint !== undefined : logCheckpointSecret !== undefined) return;
  const missing = isBucket ? registry.s3Endpoint : registry.logCheckpointSecret;
  throw new SettingsError(`${missing.env} must be set too, because ${registry.logCheckpointUrl.env} is.`);
}

/** Outside production it is generated on first use: losing it loses no data. */
function assertLogKey({ nodeEnv, logSigningKey }: ParsedSettings): void {
  if (nodeEnv !== 'production' || logSigningKey !== undefined) return;
  const { env, rule } = registry.logSigningKey;
  throw new SettingsError(`${env} must be set, because keys are not generated in production: ${rule}.`);
}

/** Only offered in development, so that the printed credentials open the staff areas. */
function resolveStaffSecondFactor({
  nodeEnv,
  staffSecondFactor,
}: ParsedSettings): Settings['staffSecondFactor'] {
  if (nodeEnv !== 'production') return staffSecondFactor ?? 'offered';
  if (staffSecondFactor === 'offered')
    throw new SettingsError(
      `${registry.staffSecondFactor.env} must be required in production: a password alone must not open the staff areas.`,
    );
  return 'required';
}

function resolveKeys(read: ParsedSettings, dataDir: string): Keys {
  const missing = keyNames.filter((name) => read[name] === undefined);
  const [first] = missing;
  if (first !== undefined && (read.nodeEnv === 'production' || read.databaseUrl !== undefined)) {
    const because =
      read.nodeEnv === 'production' ? 'keys are not generated in production' : 'DATABASE_URL is set';
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
