import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import {
  connect,
  createServer as createTcpServer,
  type AddressInfo,
  type Server as TcpServer,
} from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { SMTPServer } from 'smtp-server';
import { TypesenseDouble } from '@nimo/search/testing';
import { startOpenIdProvider, type OpenIdProvider } from '../../../../../test/servers/open-id-provider.js';
import { createTestDatabase, type TestDatabase } from '@nimo/testing';
import { TestRedis } from '../../../../../test/servers/redis.js';
import { S3Double } from '../../../../../test/servers/s3/s3-double.js';
import { environmentOf } from '../../features/imports/testing/import-session.fixture.js';
import { loadSettings } from '../../platform/config/load-settings.js';
import {
  checkClock,
  checkCollation,
  checkDatabase,
  checkDurability,
  checkEncoding,
  checkVersion,
} from './database-checks.js';
import { checkAtStart, examine } from './examine.js';
import { ok, reasonOf, type Finding } from './finding.js';
import { checkProjections } from './log-checks.js';

import {
  checkDataFolder,
  checkDocuments,
  checkNode,
  checkPreviousKeys,
  checkRenamedSettings,
} from './machine-checks.js';
import {
  checkMail,
  checkPictureStore,
  checkPublicAddress,
  checkRedis,
  checkSearch,
  checkSignIn,
  checkSms,
  assessRedis,
} from './service-checks.js';

type Environment = Readonly<Record<string, string>>;

/** Nothing listens there. */
const UNUSED_ADDRESS = '127.0.0.1:4';
const OTHER_KEY = Buffer.alloc(32, 'x').toString('base64');

let database: TestDatabase;
let folder: string;
let base: Environment;
const servers: (Server | TcpServer)[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp('/tmp/nimo-doctor-');
  base = { ...environmentOf(database.url), NIMO_DATA_DIR: folder, NODE_ENV: 'test' };
});
afterAll(async () => {
  for (const server of servers) {
    server.close();
    if ('closeAllConnections' in server) server.closeAllConnections();
  }
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

const settingsWith = (changed: Environment = {}) => loadSettings({ ...base, ...changed });
const databaseWith = (changed: Environment) => {
  const settings = settingsWith(changed);
  return { ...settings, databaseUrl: settings.databaseUrl ?? '' };
};

/** Lines printed for the findings that are not fine. */
const complaints = (findings: readonly Finding[]): string[] =>
  findings
    .filter(({ status }) => status !== 'ok')
    .map(({ check, status, message, fix }) => `${status} ${check}: ${message} ${fix ?? ''}`);
const complaint = (findings: readonly Finding[]): string => complaints(findings).join('\n');

/** A database that returns this row for every query. */
const answering = (row: object) => ({ query: () => Promise.resolve({ rows: [row] }) }) as never;

async function listening(server: Server | TcpServer): Promise<string> {
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const answersWith = (status: number, json: unknown) =>
  listening(
    createServer((_, response) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json));
    }),
  );

/** Proxies the test's PostgreSQL and alters the traffic, to simulate poolers that lose session state. */
async function proxied(change: {
  readonly toServer?: (bytes: Buffer) => Buffer;
  readonly toClient?: (bytes: Buffer) => Buffer;
}): Promise<string> {
  const url = new URL(database.url);
  const [host, port] = [url.searchParams.get('host') ?? url.hostname, Number(url.port)];
  const path = host.startsWith('/') ? `${host}/.s.PGSQL.${port}` : undefined;
  const same = (bytes: Buffer): Buffer => bytes;
  const { toServer = same, toClient = same } = change;
  const address = await listening(
    createTcpServer((client) => {
      const server = path === undefined ? connect(port, host) : connect(path);
      client.on('data', (bytes) => server.write(toServer(bytes))).on('close', () => server.destroy());
      server.on('data', (bytes) => client.write(toClient(bytes))).on('close', () => client.destroy());
      for (const socket of [client, server]) socket.on('error', () => undefined);
    }),
  );
  url.searchParams.delete('host');
  url.host = address;
  return url.href;
}

describe('examine', () => {
  it('finds nothing broken in a healthy installation', async () => {
    const findings = await examine(() => settingsWith());
    // The PostgreSQL of the tests has durability off.
    const broken = findings.filter(({ status }) => status === 'broken');
    expect(broken.map(({ check }) => check)).toEqual(['database durability']);
    expect(findings).toEqual(expect.arrayContaining([ok('settings', 'Complete.')]));
  });

  it('reports an invalid setting', async () => {
    const findings = await examine(() => settingsWith({ PORT: 'many' }));
    expect(complaint(findings)).toMatch(/^broken settings: PORT must be .*, not "many"\./);
  });

  it('reports an outdated Node', () => {
    expect(complaint([checkNode('18.20.0')])).toMatch(/Node 18\.20\.0 is older than 20\.19\./);
    expect(complaint([checkNode('20.19.0')])).toBe('');
  });

  it('reports a data folder that is read-only or full', async () => {
    const file = join(folder, 'a file');
    await writeFile(file, '');
    expect(complaint(await checkDataFolder({ dataDir: join(file, 'data') }))).toMatch(
      /Cannot write to NIMO_DATA_DIR/,
    );
    const sizes = [100, 1_000, 10_000].map((megabytes) => async () => megabytes * 1024 * 1024);
    const statuses = await Promise.all(sizes.map((free) => checkDataFolder({ dataDir: folder }, free)));
    expect(statuses.flat().map(({ status }) => status)).toEqual(['broken', 'advice', 'ok']);
  });

  it('reports a setting under its former name', () => {
    expect(complaint(checkRenamedSettings(settingsWith({ LEAVE_SECONDS: '5' })))).toMatch(
      /LEAVE_SECONDS is now DRAIN_SECONDS/,
    );
  });

  it('reports a previous key that is still set', () => {
    const settings = settingsWith({ NIMO_HMAC_KEY_PREVIOUS: OTHER_KEY });
    expect(complaint(checkPreviousKeys(settings))).toMatch(/NIMO_HMAC_KEY_PREVIOUS is set.*nimo keys rotate/);
  });
});

describe('checkDocuments', () => {
  const production = { nodeEnv: 'production', graphqlDocumentsDir: undefined } as const;

  it('reports arbitrary documents allowed in production', () => {
    const open = checkDocuments({ ...production, graphqlDocuments: 'any' });
    expect(complaint(open)).toMatch(/GRAPHQL_DOCUMENTS is any: anyone can send.*GRAPHQL_DOCUMENTS_DIR/);
    for (const graphqlDocuments of ['own', 'signed-in'] as const)
      expect(complaint(checkDocuments({ ...production, graphqlDocuments }))).toBe('');
    expect(complaint(checkDocuments(settingsWith()))).toBe('');
  });

  it('reports registered documents that prevent the start', async () => {
    await writeFile(join(folder, 'altered.json'), '{"0000":"{ getAvatars { category } }"}');
    const settings = { ...production, graphqlDocuments: 'own', graphqlDocumentsDir: folder } as const;
    expect(complaint(checkDocuments(settings))).toMatch(/broken .*altered\.json.*not the SHA-256/);
    await rm(join(folder, 'altered.json'));
  });
});

describe('database checks', () => {
  it('report a URL that cannot be used, without its password', async () => {
    const url = new URL(database.url);
    url.pathname = '/nowhere';
    url.password = 'hush';
    const findings = await checkDatabase(databaseWith({ DATABASE_WORKER_URL: url.href }));
    expect(complaint(findings)).toMatch(/Cannot connect with DATABASE_WORKER_URL: .*nowhere/);
    expect(complaint(findings)).not.toContain('hush');
    const unreachable = await checkDatabase(
      databaseWith({ DATABASE_URL: `postgresql://nimo@${UNUSED_ADDRESS}/nimo` }),
    );
    expect(complaint(unreachable)).toMatch(/Cannot connect with DATABASE_URL: .*ECONNREFUSED/);
  });

  it('report an outdated version, a wrong encoding and a changed collation', async () => {
    expect((await checkVersion(answering({ number: 150_020, text: '15.20' }))).message).toMatch(
      /15\.20 is older/,
    );
    expect((await checkEncoding(answering({ encoding: 'SQL_ASCII' }))).message).toMatch(/SQL_ASCII/);
    const moved = { name: 'nimo', stored: '2.31', actual: '2.36' };
    expect(complaint(await checkCollation(answering(moved)))).toMatch(
      /2\.31, but the server has 2\.36.*REINDEX/,
    );
  });

  it('report a server that commits without durability', async () => {
    const finding = await checkDurability(answering({ name: 'synchronous_commit' }));
    expect(complaint([finding])).toMatch(/synchronous_commit is off/);
  });

  it('report clock skew', async () => {
    const after = (ms: number) => checkClock(answering({ ms: Date.now() + ms }));
    expect((await after(0)).status).toBe('ok');
    expect(await after(5_000)).toMatchObject({ status: 'advice' });
    expect(complaint([await after(-120_000)])).toMatch(/broken .*120\.\d s behind this machine/);
  });

  it('report a schema of a newer version, and keys of another installation', async () => {
    const pool = database.pool();
    await pool.query(
      `insert into state.migrations (timestamp, name) values (9999999999999, 'Later9999999999999')`,
    );
    await pool.query(
      `insert into state.key_fingerprint (key, fingerprint) values ('hmac', 'of another key')`,
    );
    const found = complaint(await examine(() => settingsWith()));
    await pool.query(`delete from state.migrations where name = 'Later9999999999999'`);
    await pool.query(`delete from state.key_fingerprint where fingerprint = 'of another key'`);
    expect(found).toMatch(/from a newer version of Nimo.*Later9999999999999/);
    expect(found).toMatch(/NIMO_HMAC_KEY is not the key this database was created with/);
  });

  it('report a log in another engine', async () => {
    const pool = database.pool();
    await pool.query(`insert into state.log_engine (engine) values ('eventstoredb')`);
    const found = complaint(await examine(() => settingsWith()));
    await pool.query(`delete from state.log_engine`);
    expect(found).toMatch(/The log of this installation is in eventstoredb/);
  });

  it('report projections ahead of the log, and how to recover', async () => {
    expect(complaint(await checkProjections(answering({ name: 'questions', isAhead: true })))).toMatch(
      /^broken projections: Ahead of the log.*questions\. .*backups of the same time, or run nimo projections rebuild all/,
    );
    expect(complaint(await checkProjections(answering({ name: 'audit', isAhead: false })))).toMatch(
      /^advice projections: Stopped at an event: audit\./,
    );
  });

  it('report a pooler that loses notifications', async () => {
    const notification = Buffer.from('nimo_doctor\0');
    const direct = await proxied({
      toClient: (bytes) => (bytes.includes(notification) ? Buffer.alloc(0) : bytes),
    });
    expect(complaint(await checkDatabase(databaseWith({ DATABASE_DIRECT_URL: direct })))).toMatch(
      /LISTEN receives no notifications.*Set DATABASE_DIRECT_URL/,
    );
  });

  it('report a pooler that loses prepared statements', async () => {
    // Prepares the statement under a different name than the one executed later.
    const pooled = await proxied({
      toServer: (bytes) => {
        const [from, to] = [Buffer.from('nimo_doctor\0select 1'), Buffer.from('nimo_nobody\0select 1')];
        const at = bytes.indexOf(from);
        if (at !== -1) to.copy(bytes, at);
        return bytes;
      },
    });
    const found = await checkDatabase(
      databaseWith({ DATABASE_URL: pooled, DATABASE_DIRECT_URL: database.url }),
    );
    expect(complaint(found)).toMatch(/Prepared statements are lost.*max_prepared_statements/);
  });
});

describe('checkRedis', () => {
  let redis: TestRedis;
  beforeAll(async () => {
    redis = await TestRedis.start();
  });
  afterAll(() => redis.stop());

  it('reports a URL that cannot be used', async () => {
    expect(complaint(await checkRedis({ redisUrl: `redis://${UNUSED_ADDRESS}` }))).toMatch(
      /Cannot connect with REDIS_URL: .*ECONNREFUSED/,
    );
    expect(await checkRedis({ redisUrl: undefined })).toEqual([]);
  });

  it('reports a Redis that may drop jobs', async () => {
    await redis.ask((client) => client.config('SET', 'appendonly', 'yes'));
    expect(complaint(await checkRedis({ redisUrl: redis.url }))).toBe('');
    await redis.ask((client) => client.config('SET', 'maxmemory-policy', 'allkeys-lru'));
    expect(complaint(await checkRedis({ redisUrl: redis.url }))).toMatch(/maxmemory-policy is allkeys-lru/);
  });

  it('reports an outdated, a full and a non-persistent Redis', () => {
    const of = (values: Readonly<Record<string, string>>) =>
      complaint(assessRedis(new Map(Object.entries(values))));
    expect(of({ redis_version: '6.0.16' })).toMatch(/Redis 6\.0\.16 is older than 6\.2/);
    expect(of({ redis_version: '7.0.0', maxmemory: '100', used_memory: '95' })).toMatch(/95 % of maxmemory/);
    expect(of({ redis_version: '7.0.0', aof_enabled: '0' })).toMatch(/^advice redis: .*appendonly/);
  });
});

describe('checkPictureStore', () => {
  let store: S3Double;
  const found = async (changed: Environment = {}) =>
    complaint(
      await checkPictureStore(
        settingsWith({ ...store.environment, PUBLIC_URL: 'https://nimo.example', ...changed }),
      ),
    );
  beforeAll(async () => {
    store = await S3Double.start();
  });
  afterAll(() => store.stop());

  it('reports only a missing lifecycle rule for a healthy bucket, and leaves no object behind', async () => {
    expect(await found()).toMatch(/^advice picture store lifecycle: No lifecycle rule/);
    expect([...store.objects.keys()]).toEqual([]);
  });

  it('reports a missing bucket, a wrong key and an unreachable server', async () => {
    expect(await found({ S3_BUCKET: 'elsewhere' })).toMatch(/The bucket elsewhere does not exist \(404\)/);
    expect(await found({ S3_SECRET_ACCESS_KEY: 'wrong' })).toMatch(/responds with 403.*S3_SECRET_ACCESS_KEY/);
    expect(await found({ S3_ENDPOINT: `http://${UNUSED_ADDRESS}` })).toMatch(
      /S3_ENDPOINT does not respond: .*ECONNREFUSED/,
    );
  });

  it('reports a bucket that rejects browser uploads', async () => {
    const { cors } = store;
    store.cors = { ...cors, 'access-control-allow-origin': 'https://other.example' };
    expect(await found()).toMatch(/The origin https:\/\/nimo\.example is not allowed/);
    store.cors = { ...cors, 'access-control-allow-methods': 'GET' };
    expect(await found()).toMatch(/PUT is not allowed/);
    store.cors = { ...cors, 'access-control-allow-headers': 'x-other' };
    expect(await found()).toMatch(/content-type is not allowed/);
    store.cors = cors;
  });
});

describe('other service checks', () => {
  it('report a search server that is unreachable, rejects the key or is outdated', async () => {
    const double = await TypesenseDouble.start();
    const of = async (TYPESENSE_URL: string, TYPESENSE_API_KEY: string) =>
      complaint(await checkSearch(settingsWith({ TYPESENSE_URL, TYPESENSE_API_KEY })));
    expect(await of(double.url, double.apiKey)).toBe('');
    expect(await of(double.url, 'wrong')).toMatch(/rejects TYPESENSE_API_KEY/);
    expect(await of(`http://${UNUSED_ADDRESS}`, 'any')).toMatch(
      /TYPESENSE_URL does not respond: .*ECONNREFUSED/,
    );
    expect(await of(`http://${await answersWith(200, { version: '0.25.2' })}`, 'any')).toMatch(
      /0\.25\.2 is older/,
    );
    await double.down();
  });

  it('report a mail server that is unreachable or rejects the login, and an unusable sender', async () => {
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      onAuth: (_, __, done) => done(new Error('no')),
    });
    server.on('error', () => undefined);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.server.address() as AddressInfo;
    const of = async (changed: Environment) => complaint(await checkMail({ ...settingsWith(changed) }));
    expect(await of({ SMTP_URL: `smtp://127.0.0.1:${port}` })).toBe('');
    expect(await of({ SMTP_URL: `smtp://me:wrong@127.0.0.1:${port}` })).toMatch(
      /Cannot connect to the mail server/,
    );
    expect(await of({ SMTP_URL: `smtp://${UNUSED_ADDRESS}` })).toMatch(
      /Cannot connect to the mail server: .*ECONNREFUSED/,
    );
    const smtpUrl = `smtp://127.0.0.1:${port}`;
    const inProduction = { ...settingsWith(), nodeEnv: 'production' } as const;
    expect(complaint(await checkMail({ ...inProduction, smtpUrl }))).toMatch(/MAIL_FROM is .*@localhost/);
    expect(complaint(await checkMail(inProduction))).toMatch(/^broken mail: SMTP_URL is not set/);
    await new Promise<void>((resolve) => server.close(resolve));
  });

  it('report an SMS account that is rejected, suspended or unreachable', async () => {
    const settings = settingsWith({
      TWILIO_ACCOUNT_SID: 'AC1',
      TWILIO_AUTH_TOKEN: 'hush',
      TWILIO_FROM: '+1555',
    });
    const of = async (address: string) => complaint(await checkSms(settings, `http://${address}`));
    expect(await of(await answersWith(200, { status: 'active' }))).toBe('');
    expect(await of(await answersWith(401, {}))).toMatch(/rejects the credentials.*TWILIO_AUTH_TOKEN/);
    expect(await of(await answersWith(200, { status: 'suspended' }))).toMatch(/account is suspended/);
    expect(await of(UNUSED_ADDRESS)).toMatch(/does not respond: .*ECONNREFUSED/);
    expect(complaint(await checkSms(settingsWith()))).toMatch(/^advice sms: TWILIO_ACCOUNT_SID is not set/);
  });

  it('report a sign-in provider that is unreachable or names another issuer', async () => {
    const provider: OpenIdProvider = await startOpenIdProvider(['http://127.0.0.1/callback']);
    const of = async (OIDC_FIRST_ISSUER: string) =>
      complaint(
        await checkSignIn(
          settingsWith({ OIDC_FIRST_ISSUER, OIDC_FIRST_CLIENT_ID: 'nimo', OIDC_FIRST_CLIENT_SECRET: 'hush' }),
        ),
      );
    expect(await of(provider.issuer)).toBe('');
    expect(await of(`http://${UNUSED_ADDRESS}`)).toMatch(/Cannot use OIDC_FIRST_ISSUER: .*ECONNREFUSED/);
    const other = await answersWith(200, { issuer: 'https://other.example' });
    expect(await of(`http://${other}`)).toMatch(/names the issuer https:\/\/other\.example/);
    await provider.stop();
  });

  it('report a URL without TLS, an untrusted proxy and an invalid certificate', async () => {
    const address = await answersWith(200, {});
    const of = async (changed: Environment) => complaint(await checkPublicAddress(settingsWith(changed)));
    expect(await of({ PUBLIC_URL: `http://${address}` })).toBe('');
    expect(await of({ PUBLIC_URL: `http://${UNUSED_ADDRESS}` })).toMatch(
      /does not respond from this machine: .*ECONNREFUSED/,
    );
    const withTls = await of({ PUBLIC_URL: `https://${address}` });
    expect(withTls).toMatch(/broken proxy: .*TRUST_PROXY=false/);
    expect(withTls).toMatch(/broken certificate: Browsers reject it/);
    expect(await of({ PUBLIC_URL: `https://${address}`, TRUST_PROXY: '1' })).not.toMatch(/TRUST_PROXY/);
    const settings = settingsWith({ PUBLIC_URL: `http://${address}` });
    expect(complaint(await checkPublicAddress({ ...settings, nodeEnv: 'production' }))).toMatch(/uses http/);
  });
});

describe('checkAtStart', () => {
  const linesOf = async (nodeEnv: 'production' | 'development'): Promise<string[]> => {
    const lines: string[] = [];
    const logger = { warn: (...words: unknown[]) => lines.push(String(words.at(-1))) } as unknown as Logger;
    const settings = { ...settingsWith(), nodeEnv };
    await checkAtStart({ settings, pool: database.pool(), logger });
    return lines;
  };

  it('logs problems in production, and nothing in development', async () => {
    // The database of the tests has durability off.
    expect(await linesOf('production')).toEqual([
      expect.stringMatching(/^documents: GRAPHQL_DOCUMENTS is any: .* Unset it/),
      expect.stringMatching(
        /^database durability: fsync, .* are off: a crash can lose .* Set fsync, .* to on/,
      ),
    ]);
    expect(await linesOf('development')).toEqual([]);
  });

  it('survives a failing check', async () => {
    const pool = { query: () => Promise.reject(new Error('away')) } as unknown as Pool;
    const lines: string[] = [];
    const logger = { warn: (line: string) => lines.push(line) } as unknown as Logger;
    await checkAtStart({ settings: { ...settingsWith(), nodeEnv: 'production' }, pool, logger });
    expect(lines).toEqual(['startup checks failed: away. Run nimo doctor for a full check.']);
  });
});

it('reasonOf includes causes and removes passwords', () => {
  const cause = new Error('connect ECONNREFUSED');
  expect(reasonOf(new Error('fetch failed', { cause }))).toBe('fetch failed (connect ECONNREFUSED)');
  expect(reasonOf(new Error('no postgresql://me:hush@db/nimo'))).toBe('no postgresql://db/nimo');
});
