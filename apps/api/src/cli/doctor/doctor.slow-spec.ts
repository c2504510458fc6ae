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
import { fine, reasonOf, type Finding } from './finding.js';
import { checkProjections } from './log-checks.js';

import { checkDataFolder, checkDocuments, checkFormerKeys, checkNode } from './machine-checks.js';
import {
  checkMail,
  checkPictureStore,
  checkPublicAddress,
  checkRedis,
  checkSearch,
  checkSignIn,
  checkSms,
  judgeRedis,
} from './parts-checks.js';

type Environment = Readonly<Record<string, string>>;

/** Nothing listens there. */
const NOWHERE = '127.0.0.1:4';
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

/** What is not fine, by the line that people read. */
const complaints = (findings: readonly Finding[]): string[] =>
  findings
    .filter(({ verdict }) => verdict !== 'fine')
    .map(({ check, verdict, says, remedy }) => `${verdict} ${check}: ${says} ${remedy ?? ''}`);
const complaint = (findings: readonly Finding[]): string => complaints(findings).join('\n');

/** A database that answers one question in its own way. */
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

/** In front of the test's PostgreSQL, changing what passes: a stand-in for poolers, which lose what belongs to a connection. */
async function between(change: {
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

describe('the doctor', () => {
  it('finds nothing broken in an installation that is as it should be', async () => {
    const findings = await examine(() => settingsWith());
    // The PostgreSQL of tests writes nothing through.
    const broken = findings.filter(({ verdict }) => verdict === 'broken');
    expect(broken.map(({ check }) => check)).toEqual(['database durability']);
    expect(findings).toEqual(expect.arrayContaining([fine('settings', 'Complete.')]));
  });

  it('names the setting that is wrong', async () => {
    const findings = await examine(() => settingsWith({ PORT: 'many' }));
    expect(complaint(findings)).toMatch(/^broken settings: PORT must be .*, not "many"\./);
  });

  it('names an old Node', () => {
    expect(complaint([checkNode('18.20.0')])).toMatch(/Node 18\.20\.0 is older than 20\.19\./);
    expect(complaint([checkNode('20.19.0')])).toBe('');
  });

  it('names a data folder that cannot be written or is full', async () => {
    const file = join(folder, 'a file');
    await writeFile(file, '');
    expect(complaint(await checkDataFolder({ dataDir: join(file, 'data') }))).toMatch(/cannot be written/);
    const rooms = [100, 1_000, 10_000].map((megabytes) => async () => megabytes * 1024 * 1024);
    const verdicts = await Promise.all(rooms.map((room) => checkDataFolder({ dataDir: folder }, room)));
    expect(verdicts.flat().map(({ verdict }) => verdict)).toEqual(['broken', 'advice', 'fine']);
  });

  it('names a former key that is still set', () => {
    const settings = settingsWith({ NIMO_HMAC_KEY_FORMER: OTHER_KEY });
    expect(complaint(checkFormerKeys(settings))).toMatch(/NIMO_HMAC_KEY_FORMER is set.*nimo keys rotate/);
  });
});

describe('of documents, the doctor names', () => {
  const production = { nodeEnv: 'production', graphqlDocumentsDir: undefined } as const;

  it('a production that answers those of strangers', () => {
    const open = checkDocuments({ ...production, graphqlDocuments: 'any' });
    expect(complaint(open)).toMatch(/GRAPHQL_DOCUMENTS is any: strangers may send.*GRAPHQL_DOCUMENTS_DIR/);
    for (const graphqlDocuments of ['own', 'signed-in'] as const)
      expect(complaint(checkDocuments({ ...production, graphqlDocuments }))).toBe('');
    expect(complaint(checkDocuments(settingsWith()))).toBe('');
  });

  it('registered ones that stop the start', async () => {
    await writeFile(join(folder, 'altered.json'), '{"0000":"{ getAvatars { category } }"}');
    const settings = { ...production, graphqlDocuments: 'own', graphqlDocumentsDir: folder } as const;
    expect(complaint(checkDocuments(settings))).toMatch(/broken .*altered\.json.*not the SHA-256/);
    await rm(join(folder, 'altered.json'));
  });
});

describe('of the database, the doctor names', () => {
  it('an address that lets nobody in, without its password', async () => {
    const url = new URL(database.url);
    url.pathname = '/nowhere';
    url.password = 'hush';
    const findings = await checkDatabase(databaseWith({ DATABASE_WORKER_URL: url.href }));
    expect(complaint(findings)).toMatch(/DATABASE_WORKER_URL does not let us in: .*nowhere/);
    expect(complaint(findings)).not.toContain('hush');
    const away = await checkDatabase(databaseWith({ DATABASE_URL: `postgresql://nimo@${NOWHERE}/nimo` }));
    expect(complaint(away)).toMatch(/DATABASE_URL does not let us in: .*ECONNREFUSED/);
  });

  it('an old version, another encoding, another collation', async () => {
    expect((await checkVersion(answering({ number: 150_020, text: '15.20' }))).says).toMatch(
      /15\.20 is older/,
    );
    expect((await checkEncoding(answering({ encoding: 'SQL_ASCII' }))).says).toMatch(/SQL_ASCII/);
    const moved = { name: 'nimo', stored: '2.31', actual: '2.36' };
    expect(complaint(await checkCollation(answering(moved)))).toMatch(/2\.31, the server has 2\.36.*REINDEX/);
  });

  it('a server that acknowledges what is not on the disk', async () => {
    const finding = await checkDurability(answering({ name: 'synchronous_commit' }));
    expect(complaint([finding])).toMatch(/synchronous_commit is off/);
  });

  it('a clock that is another', async () => {
    const after = (ms: number) => checkClock(answering({ ms: Date.now() + ms }));
    expect((await after(0)).verdict).toBe('fine');
    expect(await after(5_000)).toMatchObject({ verdict: 'advice' });
    expect(complaint([await after(-120_000)])).toMatch(/broken .*120\.\d s behind this machine/);
  });

  it('a schema of a newer version, and keys of another installation', async () => {
    const pool = database.pool();
    await pool.query(
      `insert into state.migrations (timestamp, name) values (9999999999999, 'Later9999999999999')`,
    );
    await pool.query(`insert into state.key_use (key, print) values ('hmac', 'of another key')`);
    const found = complaint(await examine(() => settingsWith()));
    await pool.query(`delete from state.migrations where name = 'Later9999999999999'`);
    await pool.query(`delete from state.key_use where print = 'of another key'`);
    expect(found).toMatch(/A newer version of Nimo was here.*Later9999999999999/);
    expect(found).toMatch(/NIMO_HMAC_KEY is not the key that this database was filled with/);
  });

  it('a log that is elsewhere', async () => {
    const pool = database.pool();
    await pool.query(`insert into state.log_home (engine) values ('eventstoredb')`);
    const found = complaint(await examine(() => settingsWith()));
    await pool.query(`delete from state.log_home`);
    expect(found).toMatch(/The log of this installation is in eventstoredb/);
  });

  it('a read side that is ahead of the log, and how to get back', async () => {
    expect(complaint(await checkProjections(answering({ name: 'questions', isAhead: true })))).toMatch(
      /^broken projections: Ahead of the log.*questions\. .*copies of one time, or run nimo projections rebuild all/,
    );
    expect(complaint(await checkProjections(answering({ name: 'audit', isAhead: false })))).toMatch(
      /^advice projections: Stopped at an event: audit\./,
    );
  });

  it('a pooler that loses signals', async () => {
    const notification = Buffer.from('nimo_doctor\0');
    const direct = await between({
      toClient: (bytes) => (bytes.includes(notification) ? Buffer.alloc(0) : bytes),
    });
    expect(complaint(await checkDatabase(databaseWith({ DATABASE_DIRECT_URL: direct })))).toMatch(
      /LISTEN hears nothing.*Set DATABASE_DIRECT_URL/,
    );
  });

  it('a pooler that loses prepared statements', async () => {
    // Prepared under another name than it is asked for by afterwards.
    const pooled = await between({
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

describe('of Redis, the doctor names', () => {
  let redis: TestRedis;
  beforeAll(async () => {
    redis = await TestRedis.start();
  });
  afterAll(() => redis.stop());

  it('an address that lets nobody in', async () => {
    expect(complaint(await checkRedis({ redisUrl: `redis://${NOWHERE}` }))).toMatch(
      /REDIS_URL .*ECONNREFUSED/,
    );
    expect(await checkRedis({ redisUrl: undefined })).toEqual([]);
  });

  it('one that may drop jobs', async () => {
    await redis.ask((client) => client.config('SET', 'appendonly', 'yes'));
    expect(complaint(await checkRedis({ redisUrl: redis.url }))).toBe('');
    await redis.ask((client) => client.config('SET', 'maxmemory-policy', 'allkeys-lru'));
    expect(complaint(await checkRedis({ redisUrl: redis.url }))).toMatch(/maxmemory-policy is allkeys-lru/);
  });

  it('an old one, a full one, and one that keeps nothing', () => {
    const of = (values: Readonly<Record<string, string>>) =>
      complaint(judgeRedis(new Map(Object.entries(values))));
    expect(of({ redis_version: '6.0.16' })).toMatch(/Redis 6\.0\.16 is older than 6\.2/);
    expect(of({ redis_version: '7.0.0', maxmemory: '100', used_memory: '95' })).toMatch(/95 % of maxmemory/);
    expect(of({ redis_version: '7.0.0', aof_enabled: '0' })).toMatch(/^advice redis: .*appendonly/);
  });
});

describe('of the picture store, the doctor names', () => {
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

  it('no more than a missing rule where it is as it should be, and leaves nothing behind', async () => {
    expect(await found()).toMatch(/^advice picture store lifecycle: No rule/);
    expect([...store.objects.keys()]).toEqual([]);
  });

  it('a bucket that is not there, a wrong key, a server that is away', async () => {
    expect(await found({ S3_BUCKET: 'elsewhere' })).toMatch(/There is no bucket elsewhere \(404\)/);
    expect(await found({ S3_SECRET_ACCESS_KEY: 'wrong' })).toMatch(/answers 403.*S3_SECRET_ACCESS_KEY/);
    expect(await found({ S3_ENDPOINT: `http://${NOWHERE}` })).toMatch(
      /S3_ENDPOINT does not answer: .*ECONNREFUSED/,
    );
  });

  it('a bucket that lets no browser in', async () => {
    const { cors } = store;
    store.cors = { ...cors, 'access-control-allow-origin': 'https://other.example' };
    expect(await found()).toMatch(/Browsers at https:\/\/nimo\.example are not let in/);
    store.cors = { ...cors, 'access-control-allow-methods': 'GET' };
    expect(await found()).toMatch(/PUT is not let in/);
    store.cors = { ...cors, 'access-control-allow-headers': 'x-other' };
    expect(await found()).toMatch(/content-type is not let in/);
    store.cors = cors;
  });
});

describe('of other servers, the doctor names', () => {
  it('a search that is away, refuses the key or is old', async () => {
    const double = await TypesenseDouble.start();
    const of = async (TYPESENSE_URL: string, TYPESENSE_API_KEY: string) =>
      complaint(await checkSearch(settingsWith({ TYPESENSE_URL, TYPESENSE_API_KEY })));
    expect(await of(double.url, double.apiKey)).toBe('');
    expect(await of(double.url, 'wrong')).toMatch(/refuses TYPESENSE_API_KEY/);
    expect(await of(`http://${NOWHERE}`, 'any')).toMatch(/TYPESENSE_URL does not answer: .*ECONNREFUSED/);
    expect(await of(`http://${await answersWith(200, { version: '0.25.2' })}`, 'any')).toMatch(
      /0\.25\.2 is older/,
    );
    await double.down();
  });

  it('a mail server that is away or takes nobody, and a sender that others refuse', async () => {
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
    expect(await of({ SMTP_URL: `smtp://me:wrong@127.0.0.1:${port}` })).toMatch(/does not take us/);
    expect(await of({ SMTP_URL: `smtp://${NOWHERE}` })).toMatch(/does not take us: .*ECONNREFUSED/);
    const smtpUrl = `smtp://127.0.0.1:${port}`;
    const inProduction = { ...settingsWith(), nodeEnv: 'production' } as const;
    expect(complaint(await checkMail({ ...inProduction, smtpUrl }))).toMatch(/MAIL_FROM is .*@localhost/);
    expect(complaint(await checkMail(inProduction))).toMatch(/^broken mail: SMTP_URL is not set/);
    await new Promise<void>((resolve) => server.close(resolve));
  });

  it('an SMS account that is refused, closed or out of reach', async () => {
    const settings = settingsWith({
      TWILIO_ACCOUNT_SID: 'AC1',
      TWILIO_AUTH_TOKEN: 'hush',
      TWILIO_FROM: '+1555',
    });
    const of = async (address: string) => complaint(await checkSms(settings, `http://${address}`));
    expect(await of(await answersWith(200, { status: 'active' }))).toBe('');
    expect(await of(await answersWith(401, {}))).toMatch(/refuses the account.*TWILIO_AUTH_TOKEN/);
    expect(await of(await answersWith(200, { status: 'suspended' }))).toMatch(/account is suspended/);
    expect(await of(NOWHERE)).toMatch(/does not answer: .*ECONNREFUSED/);
    expect(complaint(await checkSms(settingsWith()))).toMatch(/^advice sms: TWILIO_ACCOUNT_SID is not set/);
  });

  it('a provider that is away or another', async () => {
    const provider: OpenIdProvider = await startOpenIdProvider(['http://127.0.0.1/callback']);
    const of = async (OIDC_FIRST_ISSUER: string) =>
      complaint(
        await checkSignIn(
          settingsWith({ OIDC_FIRST_ISSUER, OIDC_FIRST_CLIENT_ID: 'nimo', OIDC_FIRST_CLIENT_SECRET: 'hush' }),
        ),
      );
    expect(await of(provider.issuer)).toBe('');
    expect(await of(`http://${NOWHERE}`)).toMatch(/OIDC_FIRST_ISSUER cannot be used: .*ECONNREFUSED/);
    const other = await answersWith(200, { issuer: 'https://other.example' });
    expect(await of(`http://${other}`)).toMatch(/it calls itself https:\/\/other\.example/);
    await provider.stop();
  });

  it('an address without TLS, a proxy that is not trusted, a certificate that is none', async () => {
    const address = await answersWith(200, {});
    const of = async (changed: Environment) => complaint(await checkPublicAddress(settingsWith(changed)));
    expect(await of({ PUBLIC_URL: `http://${address}` })).toBe('');
    expect(await of({ PUBLIC_URL: `http://${NOWHERE}` })).toMatch(
      /does not answer from here: .*ECONNREFUSED/,
    );
    const withTls = await of({ PUBLIC_URL: `https://${address}` });
    expect(withTls).toMatch(/broken proxy: .*TRUST_PROXY=false/);
    expect(withTls).toMatch(/broken certificate: Browsers refuse it/);
    expect(await of({ PUBLIC_URL: `https://${address}`, TRUST_PROXY: '1' })).not.toMatch(/TRUST_PROXY/);
    const settings = settingsWith({ PUBLIC_URL: `http://${address}` });
    expect(complaint(await checkPublicAddress({ ...settings, nodeEnv: 'production' }))).toMatch(/is http/);
  });
});

describe('at the start of a worker', () => {
  const linesOf = async (nodeEnv: 'production' | 'development'): Promise<string[]> => {
    const lines: string[] = [];
    const logger = { warn: (...words: unknown[]) => lines.push(String(words.at(-1))) } as unknown as Logger;
    const settings = { ...settingsWith(), nodeEnv };
    await checkAtStart({ settings, pool: database.pool(), logger });
    return lines;
  };

  it('the log says what must be mended in production, and nothing is said of a database for development', async () => {
    // That of the tests forgets on purpose.
    expect(await linesOf('production')).toEqual([
      expect.stringMatching(/^documents: GRAPHQL_DOCUMENTS is any: .* Unset it/),
      expect.stringMatching(/^database durability: fsync, .* is off: a crash loses .* Set fsync, .* to on/),
    ]);
    expect(await linesOf('development')).toEqual([]);
  });

  it('a check that fails ends nothing', async () => {
    const pool = { query: () => Promise.reject(new Error('away')) } as unknown as Pool;
    const lines: string[] = [];
    const logger = { warn: (line: string) => lines.push(line) } as unknown as Logger;
    await checkAtStart({ settings: { ...settingsWith(), nodeEnv: 'production' }, pool, logger });
    expect(lines).toEqual(['the checks at the start ended early: away. Run nimo doctor for all of them.']);
  });
});

it('tells causes, and no password', () => {
  const cause = new Error('connect ECONNREFUSED');
  expect(reasonOf(new Error('fetch failed', { cause }))).toBe('fetch failed (connect ECONNREFUSED)');
  expect(reasonOf(new Error('no postgresql://me:hush@db/nimo'))).toBe('no postgresql://db/nimo');
});
