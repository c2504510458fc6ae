import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { DatabaseHeads, HeadsFolder, type SignedHead, signHead } from '@nimo/event-store';
import { InMemoryEventStore } from '@nimo/event-store/testing';
import { createTestDatabase, type TestDatabase } from '@nimo/testing';
import { environmentOf } from '../../features/imports/testing/import-session.fixture.js';
import { trustedLogKeys, logKeyOf } from '../../features/log-proof/log-chain.js';
import { loadSettings, type Settings } from '../../platform/config/load-settings.js';
import { readCheckpoints } from './log-session.js';

const NOW = Date.parse('2026-11-26T12:00:00.000Z');
const MINUTE = 60_000;
const minutesAgo = (minutes: number): Date => new Date(NOW - minutes * MINUTE);

let database: TestDatabase;
let data: string;
let folder: string;
let settings: Settings;
let log: InMemoryEventStore;
beforeEach(async () => {
  database = await createTestDatabase();
  data = await mkdtemp(join(tmpdir(), 'nimo-checkpoints-'));
  folder = join(data, 'heads');
  settings = loadSettings({
    ...environmentOf(database.url),
    NIMO_DATA_DIR: data,
    LOG_SIGNING_KEY: Buffer.alloc(32, 'l').toString('base64'),
  });
  log = new InMemoryEventStore();
});
afterEach(async () => {
  await log.close();
  await database.drop();
  await rm(data, { recursive: true, force: true });
});

const headAt = (ordinal: number, minutes: number): SignedHead =>
  signHead({ ordinal, head: Buffer.alloc(32, ordinal) }, logKeyOf(settings), minutesAgo(minutes));
const faults = async (): Promise<readonly string[]> => {
  const report = await readCheckpoints(
    { settings, pool: database.pool(), log, clock: () => new Date(NOW) },
    trustedLogKeys(settings),
  );
  return report.faults.map(({ detail }) => detail);
};
/** Sets the length of the chain, with the last event added just now. */
const chained = (events: number) =>
  database
    .pool()
    .query('update state.log_chain_position set ordinal = $1, updated_at = $2', [events, new Date(NOW)]);
async function recorded(minutes: number): Promise<void> {
  const recordedAt = minutesAgo(minutes).toISOString();
  const events = [{ id: randomUUID(), type: 'ThingHappened', data: {}, metadata: { recordedAt } }];
  await log.append([{ streamId: 'thing-1', expectedRevision: 'any', events }]);
}

describe('readCheckpoints', () => {
  it('finds no fault if every checkpoint has every head', async () => {
    const heads = [headAt(5, 10), headAt(10, 0)];
    for (const place of [new HeadsFolder(folder), new DatabaseHeads(database.pool())])
      await place.append(heads);
    await chained(10);
    expect(await faults()).toEqual([]);
  });

  it('reports a missing or empty checkpoint, even if the others have just been signed', async () => {
    await new DatabaseHeads(database.pool()).append([headAt(10, 0)]);
    await chained(10);
    const empty = ['The heads folder has no signed head, although others do.'];
    expect(await faults()).toEqual(empty);
    await mkdir(folder);
    expect(await faults()).toEqual(empty);
  });

  it('reports a database that lost its signed heads', async () => {
    await new HeadsFolder(folder).append([headAt(10, 0)]);
    await chained(10);
    expect(await faults()).toEqual(['log.signed_heads has no signed head, although others do.']);
  });

  it('reports a checkpoint that lacks an older head, even while new ones are signed', async () => {
    const heads = [headAt(2, 20), headAt(5, 10), headAt(10, 0)];
    await new DatabaseHeads(database.pool()).append(heads);
    await new HeadsFolder(folder).append(heads.slice(0, 1));
    await chained(10);
    expect(await faults()).toEqual([
      `The heads folder is missing the head of ordinal 5, signed at ${minutesAgo(10).toISOString()}.`,
    ]);
  });

  it('reports an older log that was never signed, even while it grows', async () => {
    await recorded(2);
    await chained(10);
    expect(await faults()).toEqual([]);
    await log.close();
    log = new InMemoryEventStore();
    await recorded(30);
    expect(await faults()).toEqual([
      'No external checkpoint has a signed head, although the chain has events.',
    ]);
  });

  it('reports that signing stopped hours ago while the log keeps growing', async () => {
    for (const place of [new HeadsFolder(folder), new DatabaseHeads(database.pool())])
      await place.append([headAt(1, 600)]);
    for (const minutes of [600, 500, 400, 300, 200, 100, 50, 10, 5, 0]) await recorded(minutes);
    await chained(10);
    expect(await faults()).toEqual(['No head was signed after ordinal 1, although the chain continues.']);
  });
});
