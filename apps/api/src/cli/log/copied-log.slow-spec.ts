import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readChainTip, verifyLog } from '@nimo/event-store';
import { EventStoreDbDouble } from '@nimo/event-store/testing';
import { ReactorRunner } from '@nimo/projection-engine';
import { type CliResult, startNimo } from '../../../../../test/command-line.js';
import { eventually, type TestDatabase } from '@nimo/testing';
import { SeedDemo } from '../../features/demo/seed-demo.js';
import { environmentOf, Installations } from '../../features/imports/testing/import-session.fixture.js';
import { loadSettings } from '../../platform/config/load-settings.js';
import { SettingsError } from '../../platform/config/settings-error.js';
import type { Runtime } from '../../platform/runtime/runtime.js';
import { withSession, withProjections, type CliSession } from '../cli-session.js';
import { projectionHashes } from '../testing/projection-hashes.js';
import { withCompleteChain } from './log-session.js';

/** Only ends a hang: a slow machine must not fail the test. */
const TIMEOUT_MS = 200_000;
const LOG_SIGNING_KEY = Buffer.alloc(32, 'l').toString('base64');

interface Copied {
  readonly ordinal: number;
  readonly copied: number;
  readonly head: string;
  readonly behind: number;
  readonly switched: number | null;
}

/** The tests build on each other: PostgreSQL → EventStoreDB (a wire-level double) → PostgreSQL. */
describe('nimo log copy', () => {
  const installations = new Installations();
  let home: TestDatabase;
  let double: EventStoreDbDouble;
  let onPostgres: Readonly<Record<string, string>>;
  let firstCopy: Copied;
  beforeAll(async () => {
    [home, double] = await Promise.all([installations.create(), EventStoreDbDouble.start()]);
    await session(home, ({ container, runtime }) =>
      withProjections(runtime, () => container.get(SeedDemo, { strict: false }).run()),
    );
    onPostgres = await session(home, ({ runtime }) => projectionHashes(runtime));
    await session(home, ({ runtime }) => verified(runtime));
    expect(await reactedTo(home)).toEqual([]);
  });
  afterAll(async () => {
    await double.stop();
    await installations.drop();
  });

  const away = (): Record<string, string> => ({ EVENTSTORE_URL: double.connectionString });
  const environment = (
    database: TestDatabase,
    more: Record<string, string> = {},
  ): Record<string, string> => ({
    ...environmentOf(database.url),
    LOG_SIGNING_KEY,
    NIMO_OPERATOR: 'Ada Lovelace',
    ...more,
  });
  function session<Result>(
    database: TestDatabase,
    act: (session: CliSession) => Promise<Result>,
    more: Record<string, string> = {},
  ): Promise<Result> {
    return withSession(act, loadSettings(environment(database, more)));
  }
  const nimo = (more: Record<string, string>, ...args: readonly string[]): Promise<CliResult> =>
    startNimo(environment(home, more), ...args).ended;
  async function copied(...args: readonly string[]): Promise<Copied> {
    const { code, stdout, stderr } = await nimo({}, 'log', 'copy', ...args, '--json');
    expect({ code, stderr }).toMatchObject({ code: 0 });
    return JSON.parse(stdout) as Copied;
  }
  /** Types of events a reactor received since its last run: its effects must be neither repeated nor lost. */
  async function reactedTo(database: TestDatabase, more: Record<string, string> = {}): Promise<string[]> {
    return session(
      database,
      async ({ runtime: { pool, store } }) => {
        const received: string[] = [];
        const runner = new ReactorRunner({
          pool,
          store,
          reactors: [{ name: 'probe', types: 'all', handle: async ({ type }) => void received.push(type) }],
          onError: (error) => {
            throw error;
          },
          retryMs: 10,
        });
        await runner.start();
        const head = (await store.head()) ?? '';
        await reached(pool, head);
        await runner.stop();
        return received;
      },
      more,
    );
  }

  it('asks for confirmation, and exits with 4 without a terminal', async () => {
    const { code, stderr } = await nimo({}, 'log', 'copy', '--from', 'here', '--to', double.connectionString);
    expect({ code, stderr }).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('Confirm with --yes'),
    });
  });

  it('refuses to switch while Nimo is running', async () => {
    const refused = await session(home, () =>
      nimo({}, 'log', 'copy', '--from', 'here', '--to', double.connectionString, '--yes', '--switch'),
    );
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('nimo cli') });
  });

  it('refuses to switch to a different log', async () => {
    const another = await installations.create();
    await startNimo(environment(another), 'space', 'add', 'Another').ended;
    const elsewhere = await EventStoreDbDouble.start();
    const refused = await nimo(
      {},
      ...['log', 'copy', '--from', another.url, '--to', elsewhere.connectionString, '--yes', '--switch'],
    );
    expect(refused).toMatchObject({ code: 3, stderr: expect.stringContaining('another installation') });
    await elsewhere.stop();
  });

  it('copies, verifies and switches the log, and reports the counts', async () => {
    const { rows } = await home.pool().query<{ count: string }>('select count(*) from log.events');
    const first = await copied('--from', 'here', '--to', double.connectionString, '--yes');
    // The additional event records the copy.
    expect(first).toMatchObject({ copied: Number(rows[0]?.count) + 1, behind: 0, switched: null });
    firstCopy = await copied('--from', 'here', '--to', double.connectionString, '--switch');
    expect(firstCopy).toMatchObject({ copied: 0, head: first.head });
    expect(firstCopy.switched).toBeGreaterThan(0);
    expect(await recordedCopies(home)).toEqual([{ what: 'LOG_EXPORT', operator: 'Ada Lovelace' }]);
  });

  it('prevents a start with the old log, and explains why', async () => {
    const start = session(home, () => Promise.resolve());
    await expect(start).rejects.toThrow(SettingsError);
    await expect(start).rejects.toThrow('set EVENTSTORE_URL');
  });

  it('continues commands, projections, chain and reactors in EventStoreDB without repeating effects', async () => {
    expect(await session(home, ({ runtime }) => projectionHashes(runtime), away())).toEqual(
      withOtherAudit(onPostgres),
    );
    const madeElsewhere = await nimo(away(), 'space', 'add', 'Made elsewhere');
    expect(madeElsewhere.stderr).toBe('');
    expect(madeElsewhere).toMatchObject({ code: 0 });
    expect(await reactedTo(home, away())).toEqual(['ConfidentialDataRead', 'SpaceCreated']);
    const report = await session(home, ({ runtime }) => verified(runtime), away());
    expect(report).toMatchObject({ ordinal: firstCopy.ordinal + 1, chainLag: 0, mismatch: null });
  });

  it('yields the same projections when they are rebuilt from EventStoreDB', async () => {
    const moved = await session(home, ({ runtime }) => projectionHashes(runtime), away());
    const fresh = await installations.create();
    await copyKeys(home, fresh);
    expect(await session(fresh, ({ runtime }) => projectionHashes(runtime), away())).toEqual(moved);
  });

  it('copies new events back to PostgreSQL', async () => {
    const hashes = await session(home, ({ runtime }) => projectionHashes(runtime), away());
    const back = await copied('--from', double.connectionString, '--to', 'here', '--yes', '--switch');
    // The new space, and the record of the copy.
    expect(back).toMatchObject({ copied: 2, ordinal: firstCopy.ordinal + 2, behind: 0 });
    expect(await recordedCopies(home)).toHaveLength(2);
    expect(await session(home, ({ runtime }) => projectionHashes(runtime))).toEqual(withOtherAudit(hashes));
    const report = await session(home, ({ runtime }) => verified(runtime));
    expect(report).toMatchObject({ ordinal: back.ordinal, head: back.head, chainLag: 0, mismatch: null });
    expect(await reactedTo(home)).toEqual(['ConfidentialDataRead']);
  });

  it('rejects a target with other events, and names the first difference', async () => {
    const other = await EventStoreDbDouble.start();
    const fresh = await installations.create();
    await startNimo(environment(fresh, { EVENTSTORE_URL: other.connectionString }), 'space', 'add', 'Another')
      .ended;
    const refused = await nimo({}, 'log', 'copy', '--from', 'here', '--to', other.connectionString, '--yes');
    expect(refused.code).toBe(3);
    expect(refused.stderr).toMatch(/ordinal 1: the source has \w+ [\w-]+ .*the target \w+ [\w-]+ /);
    await other.stop();
  });

  it.each([
    ['the same log twice', ['--from', 'here', '--to', 'here'], /the same log/],
    [
      'an invalid address',
      ['--from', 'here', '--to', 'nonsense'],
      /must be here, an address that starts with postgresql:/,
    ],
    ['a database without a log', ['--from', '', '--to', 'here'], /contains no Nimo event log/],
    [
      'an unreachable server',
      ['--from', 'postgresql://127.0.0.1:1/none', '--to', 'here'],
      /cannot be reached/,
    ],
  ])('rejects %s', async (_, args, reason) => {
    const without = Object.assign(new URL(home.url), { pathname: '/postgres' });
    const resolved = args.map((arg) => (arg === '' ? without.href : arg));
    const { code, stderr } = await nimo({}, 'log', 'copy', ...resolved);
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringMatching(reason) });
    expect(stderr.trimEnd().split('\n').length).toBeLessThan(3);
  });
});

async function reached(pool: Runtime['pool'], head: string): Promise<void> {
  await eventually(
    () => pool.query<{ position: string | null }>(`select position from state.reactors where name = 'probe'`),
    ({ rows }) => (rows[0]?.position ?? '') >= head,
  );
}

/** Only the audit differs: it has one more entry, for the copy. */
const withOtherAudit = (hashes: Readonly<Record<string, string>>): Readonly<Record<string, unknown>> => ({
  ...hashes,
  audit: expect.not.stringMatching(`^${hashes['audit']}$`),
});

async function recordedCopies(database: TestDatabase): Promise<readonly unknown[]> {
  const { rows } = await database.pool().query(
    `select data ->> 'what' as what, metadata -> 'actor' ->> 'operator' as operator
       from log.events where type = 'ConfidentialDataRead' order by position`,
  );
  return rows;
}

async function verified(runtime: Runtime): Promise<Awaited<ReturnType<typeof verifyLog>>> {
  const { pool, log } = runtime;
  return withCompleteChain(runtime, AbortSignal.timeout(TIMEOUT_MS), async () => {
    expect((await readChainTip(pool)).ordinal).toBeGreaterThan(0);
    return verifyLog({ pool, log, heads: [], keys: [] });
  });
}

async function copyKeys(from: TestDatabase, to: TestDatabase): Promise<void> {
  const keys = await from.pool().query<{ row: unknown }>('select to_json(k) as row from state.student_key k');
  await to
    .pool()
    .query(
      'insert into state.student_key select * from json_populate_recordset(null::state.student_key, $1)',
      [JSON.stringify(keys.rows.map(({ row }) => row))],
    );
}
