import { describe, expect, it } from '@jest/globals';
import { mkdtempSync, readFileSync, rmSync, statSync, mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { environmentOf, loadSettings } from './load-settings.js';
import { formerNames, registry } from './registry.js';

const key = (letter: string): string => Buffer.alloc(32, letter).toString('base64');
const KEYS = { NIMO_MASTER_KEY: key('a'), NIMO_HMAC_KEY: key('b'), NIMO_SIGNING_KEY: key('c') };

describe('settings', () => {
  it('have defaults for everything but the keys', () => {
    const settings = loadSettings(KEYS);
    expect(settings).toMatchObject({
      port: 3000,
      nodeEnv: 'development',
      trustProxy: 0,
      databaseUrl: undefined,
    });
    expect(settings.masterKey).toEqual(Buffer.alloc(32, 'a'));
  });

  it('are read from a .env file with a byte order mark', () => {
    const [folder, before] = [mkdtempSync(join(tmpdir(), 'nimo-env-')), process.cwd()];
    writeFileSync(join(folder, '.env'), '\ufeffPORT=3001\nNODE_ENV=test\n');
    process.chdir(folder);
    try {
      expect(environmentOf({ NODE_ENV: 'production' })).toEqual({ PORT: '3001', NODE_ENV: 'production' });
    } finally {
      process.chdir(before);
      rmSync(folder, { recursive: true });
    }
  });

  it('are read under their former names too, and list those in use', () => {
    const renamed = [{ from: 'LEAVE_SECONDS', to: 'DRAIN_SECONDS' }];
    expect(loadSettings({ ...KEYS, LEAVE_SECONDS: '7' })).toMatchObject({ drainSeconds: 7, renamed });
    expect(loadSettings({ ...KEYS, LEAVE_SECONDS: '7', DRAIN_SECONDS: '7' })).toMatchObject({
      drainSeconds: 7,
      renamed,
    });
    expect(loadSettings({ ...KEYS, DRAIN_SECONDS: '7', LEAVE_SECONDS: '' }).renamed).toEqual([]);
  });

  it('reject different values under the current and the former name', () => {
    expect(() => loadSettings({ ...KEYS, LEAVE_SECONDS: '7', DRAIN_SECONDS: '8' })).toThrow(
      'DRAIN_SECONDS and its former name LEAVE_SECONDS have different values. Remove LEAVE_SECONDS.',
    );
  });

  it('name the former name in an error about its value', () => {
    expect(() => loadSettings({ ...KEYS, LEAVE_SECONDS: 'soon' })).toThrow(/^LEAVE_SECONDS must be .*"soon"/);
  });

  it('have former names that no current setting uses', () => {
    const current = new Set(Object.values(registry).map(({ env }) => env));
    for (const [to, from] of Object.entries(formerNames))
      expect([to, current.has(to), from, current.has(from)]).toEqual([to, true, from, false]);
  });

  it('treat an empty value as unset', () => {
    expect(loadSettings({ ...KEYS, PORT: '', DATABASE_URL: ' ' })).toMatchObject({
      port: 3000,
      databaseUrl: undefined,
    });
  });

  it.each([
    'esdb://user:hush@a:2113,b:2113,c:2113?tls=true&tlsCAFile=/ca.crt',
    'kurrentdb+discover://cluster.example:2113',
  ])('accept %s for the log', (address) => {
    expect(loadSettings({ ...KEYS, EVENTSTORE_URL: address }).eventStoreUrl).toBe(address);
  });

  it('explain the format of a node list without showing secrets', () => {
    const wrong = { ...KEYS, EVENTSTORE_URL: 'esdb://user:hush@a:2113,' };
    expect(() => loadSettings(wrong)).toThrow(
      /^EVENTSTORE_URL must be .* several separated by commas(?!.*hush)/,
    );
  });

  it.each([
    [{ PORT: 'abc' }, 'PORT must be a whole number from 0 to 65535, not "abc".'],
    [{ PORT: '70000' }, 'PORT must be a whole number from 0 to 65535, not "70000".'],
    [{ PORT: '1e3' }, 'PORT must be a whole number from 0 to 65535, not "1e3".'],
    [{ NODE_ENV: 'prod' }, 'NODE_ENV must be one of development, production, test, not "prod".'],
    [
      { DATABASE_URL: 'mysql://u:hush@h/d' },
      'DATABASE_URL must be a URL that starts with postgresql:// or postgres://.',
    ],
    [{ TYPESENSE_URL: 'http://search' }, 'TYPESENSE_API_KEY must be set too, because TYPESENSE_URL is.'],
    [{ S3_BUCKET: 'pictures' }, 'S3_ENDPOINT must be set too, because S3_BUCKET is.'],
  ])('reject %j with one line that names the variable and shows no secret', (environment, line) => {
    expect(() => loadSettings({ ...KEYS, ...environment })).toThrow(new Error(line));
  });

  it.each([
    [{ NODE_ENV: 'production' }, 'NIMO_MASTER_KEY must be set, because keys are not generated in production'],
    [{ DATABASE_URL: 'postgres://h/d' }, 'NIMO_MASTER_KEY must be set, because DATABASE_URL is set'],
    [{ NIMO_MASTER_KEY: 'short' }, 'NIMO_MASTER_KEY must be 32 random bytes in base64'],
  ])('require keys with %j', (environment, line) => {
    expect(() => loadSettings(environment)).toThrow(line);
  });
});

describe('the second factor of staff', () => {
  const production = { ...KEYS, NODE_ENV: 'production', LOG_SIGNING_KEY: key('d') };

  it('is offered by default in development', () => {
    expect(loadSettings(KEYS).staffSecondFactor).toBe('offered');
    expect(loadSettings({ ...KEYS, STAFF_SECOND_FACTOR: 'required' }).staffSecondFactor).toBe('required');
  });

  it('is always required in production', () => {
    expect(loadSettings(production).staffSecondFactor).toBe('required');
    expect(() => loadSettings({ ...production, STAFF_SECOND_FACTOR: 'offered' })).toThrow(
      'STAFF_SECOND_FACTOR must be required in production',
    );
  });
});

describe('accepted GraphQL documents', () => {
  const production = { ...KEYS, NODE_ENV: 'production', LOG_SIGNING_KEY: key('d') };

  it('are known ones in production and any elsewhere by default', () => {
    expect(loadSettings(production).graphqlDocuments).toBe('own');
    for (const NODE_ENV of ['development', 'test'])
      expect(loadSettings({ ...KEYS, NODE_ENV }).graphqlDocuments).toBe('any');
  });

  it.each(['own', 'signed-in', 'any'])('can be set to %s', (GRAPHQL_DOCUMENTS) => {
    for (const environment of [production, KEYS])
      expect(loadSettings({ ...environment, GRAPHQL_DOCUMENTS }).graphqlDocuments).toBe(GRAPHQL_DOCUMENTS);
  });

  it('reject other values', () => {
    expect(() => loadSettings({ ...KEYS, GRAPHQL_DOCUMENTS: 'none' })).toThrow(
      'GRAPHQL_DOCUMENTS must be one of own, signed-in, any, not "none".',
    );
  });
});

describe('trusted proxies', () => {
  it.each([
    ['false', 0],
    ['true', 1],
    ['2', 2],
    ['10.0.0.0/8', ['10.0.0.0/8']],
    ['10.1.2.3, fd00::/8,::1', ['10.1.2.3', 'fd00::/8', '::1']],
  ])('are parsed from %j', (TRUST_PROXY, trustProxy) => {
    expect(loadSettings({ ...KEYS, TRUST_PROXY })).toMatchObject({ trustProxy });
  });

  it.each([
    'yes',
    '-1',
    '11',
    '1.5',
    '10.0.0.0/33',
    '10.0.0.0/8,',
    '10.1',
    '0.0.0.0/0',
    '::/0',
    'proxy.example',
  ])('reject %j', (TRUST_PROXY) => {
    expect(() => loadSettings({ ...KEYS, TRUST_PROXY })).toThrow(
      `TRUST_PROXY must be false, a number of hops from 0 to 10, or addresses and networks such as 10.0.0.0/8, separated by commas, not "${TRUST_PROXY}".`,
    );
  });
});

describe('generated keys', () => {
  const inFolder = (test: (folder: string) => void) => () => {
    const folder = mkdtempSync(join(tmpdir(), 'nimo-keys-'));
    try {
      test(folder);
    } finally {
      rmSync(folder, { recursive: true });
    }
  };

  it(
    'are generated once, readable only by their owner',
    inFolder((folder) => {
      const first = loadSettings({ NIMO_DATA_DIR: folder });
      const second = loadSettings({ NIMO_DATA_DIR: folder });
      expect(second.masterKey).toEqual(first.masterKey);
      expect(first.masterKey).not.toEqual(first.hmacKey);
      expect(statSync(join(folder, 'keys.json')).mode & 0o777).toBe(0o600);
      expect(JSON.parse(readFileSync(join(folder, 'keys.json'), 'utf8'))).toHaveProperty('signingKey');
    }),
  );

  it(
    'are not regenerated for an existing database',
    inFolder((folder) => {
      mkdirSync(join(folder, 'postgres', 'server', 'cluster'), { recursive: true });
      expect(() => loadSettings({ NIMO_DATA_DIR: folder })).toThrow('is missing, but the database exists');
    }),
  );
});
