import { afterAll, describe, expect, it } from '@jest/globals';
import { exportLog, importLog, linesOf, readChainTip, signHead, verifyLog } from '@nimo/event-store';
import { SeedDemo } from '../../features/demo/seed-demo.js';
import { environmentOf, Installations } from '../../features/imports/testing/import-session.fixture.js';
import { logKeyOf } from '../../features/log-proof/log-chain.js';
import { loadSettings } from '../../platform/config/load-settings.js';
import type { Runtime } from '../../platform/runtime/runtime.js';
import { withSession, withProjections, type CliSession } from '../cli-session.js';
import { projectionHashes } from '../testing/projection-hashes.js';
import { withCompleteChain } from './log-session.js';

/** Only ends a hang: a slow machine must not fail the test. */
const TIMEOUT_MS = 200_000;
const LOG_SIGNING_KEY = Buffer.alloc(32, 'l').toString('base64');

describe('an exported log imported elsewhere', () => {
  const installations = new Installations();
  afterAll(() => installations.drop());

  const work = <Result>(url: string, act: (session: CliSession) => Promise<Result>): Promise<Result> =>
    withSession(act, loadSettings({ ...environmentOf(url), LOG_SIGNING_KEY }));

  it('yields the same chain and byte-identical projections', async () => {
    const [here, there] = await Promise.all([installations.create(), installations.create()]);
    const before = await work(here.url, async ({ container, runtime }) => {
      await withProjections(runtime, () => container.get(SeedDemo, { strict: false }).run());
      return { file: await exported(runtime), hashes: await projectionHashes(runtime) };
    });
    const keys = await here
      .pool()
      .query<{ row: unknown }>('select to_json(k) as row from state.student_key k');
    await there
      .pool()
      .query(
        'insert into state.student_key select * from json_populate_recordset(null::state.student_key, $1)',
        [JSON.stringify(keys.rows.map(({ row }) => row))],
      );

    const after = await work(there.url, async ({ runtime }) => {
      const { log, pool } = runtime;
      const { head, events } = await importLog({ log, lines: linesOf(bytes(before.file)), isOrdered: true });
      await withCompleteChain(runtime, AbortSignal.timeout(TIMEOUT_MS), () => Promise.resolve());
      const report = await verifyLog({ pool, log, heads: [], keys: [] });
      expect(report).toMatchObject({ ordinal: events, head, chainLag: 0, mismatch: null });
      return { file: await exported(runtime), hashes: await projectionHashes(runtime) };
    });
    expect(after.file).toBe(before.file);
    expect(after.hashes).toEqual(before.hashes);
  });
});

async function exported(runtime: Runtime): Promise<string> {
  return withCompleteChain(runtime, AbortSignal.timeout(TIMEOUT_MS), async () => {
    const tip = await readChainTip(runtime.pool);
    const signed = signHead(tip, logKeyOf(runtime.settings), new Date(0));
    let text = '';
    for await (const part of exportLog({ log: runtime.log, tip, signed })) text += part;
    return text;
  });
}

async function* bytes(file: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(file);
}
