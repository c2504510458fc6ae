import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openEventStoreDb } from '@nimo/event-store';
import { EventStoreDbDouble } from '@nimo/event-store/testing';
import { seedOnFirstStart } from './first-start.js';

const LOG_INS = 'maintainer / nimo';

describe('the first start with the log in an EventStoreDB', () => {
  let double: EventStoreDbDouble;
  let folder: string;
  beforeEach(async () => {
    double = await EventStoreDbDouble.start();
    folder = await mkdtemp(join(tmpdir(), 'nimo-first-'));
    await writeFile(join(folder, 'cli.mjs'), `process.stdout.write(${JSON.stringify(LOG_INS)});`);
  });
  afterEach(async () => {
    await double.stop();
    await rm(folder, { recursive: true });
  });

  const start = (): Promise<string> =>
    seedOnFirstStart({
      // Not asked: nothing listens there.
      databaseUrl: 'postgresql://127.0.0.1:9/nothing',
      eventStoreUrl: double.connectionString,
      dataDir: folder,
      commandLine: join(folder, 'cli.mjs'),
      environment: {},
      signal: new AbortController().signal,
    });

  async function append(streamId: string): Promise<void> {
    const log = await openEventStoreDb({ connectionString: double.connectionString });
    const event = { id: randomUUID(), type: 'Something', data: {}, metadata: {} };
    await log.append([{ streamId, expectedRevision: 'no-stream', events: [event] }]);
    await log.close();
  }

  it('makes the demonstration and tells the log-ins, as with the embedded log, and the next one tells them again', async () => {
    expect(await start()).toBe(LOG_INS);
    await append(`student-${randomUUID()}`);
    expect(await start()).toBe(LOG_INS);
  });

  it('makes none beside a community that is there', async () => {
    await append(`student-${randomUUID()}`);
    expect(await start()).toBe('');
  });

  it('makes one beside what others keep on the same server', async () => {
    await append('orders-1');
    expect(await start()).toBe(LOG_INS);
  });
});
