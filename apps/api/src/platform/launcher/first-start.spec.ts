import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openEventStoreDb } from '@nimo/event-store';
import { EventStoreDbDouble } from '@nimo/event-store/testing';
import { seedOnFirstStart } from './first-start.js';

const LOG_INS = 'maintainer / nimo';

describe('the first start with the log in EventStoreDB', () => {
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
      // Unused: nothing listens there.
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

  it('seeds demo content and prints the logins, including on later starts', async () => {
    expect(await start()).toBe(LOG_INS);
    await append(`student-${randomUUID()}`);
    expect(await start()).toBe(LOG_INS);
  });

  it('does not seed an existing community', async () => {
    await append(`student-${randomUUID()}`);
    expect(await start()).toBe('');
  });

  it('seeds on a server with streams of other applications', async () => {
    await append('orders-1');
    expect(await start()).toBe(LOG_INS);
  });
});
