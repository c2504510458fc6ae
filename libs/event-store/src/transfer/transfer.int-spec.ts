import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readChainTip } from '../integrity/chain-table.js';
import { linesOf } from '../integrity/log-heads.js';
import { signHead } from '../integrity/signed-head.js';
import { ChainedLog } from '../integrity/testing/chained-log.js';
import { chainedHead, oddAppends } from '../integrity/testing/odd-events.js';
import { newEvents } from '../contract/event-fixtures.js';
import { EventStoreDbEventStore } from '../eventstoredb/eventstoredb-event-store.js';
import { EventStoreDbDouble } from '../eventstoredb/testing/eventstoredb-double.js';
import { InMemoryEventStore } from '../in-memory/in-memory-event-store.js';
import type { EventStore } from '../port.js';
import { exportLog, LogDiffersError } from './export-log.js';
import { importLog, type ImportReport } from './import-log.js';

describe('export and import', () => {
  let source: ChainedLog;
  beforeAll(async () => {
    source = await ChainedLog.create();
    for (const append of oddAppends()) await source.log.append([append]);
    await interleave(source.log);
    await source.chain();
    await source.save();
  });
  afterAll(() => source.drop());

  it('import a log into every store with the same chain', async () => {
    const file = await exported(source);
    const head = await chainedHead(source.log);
    const double = await EventStoreDbDouble.start();
    const target = await ChainedLog.create();
    const eventStoreDb = new EventStoreDbEventStore({ connectionString: double.connectionString });
    const logs: [EventStore, boolean][] = [
      [target.log, true],
      [eventStoreDb, false],
      [new InMemoryEventStore(), false],
    ];
    for (const [log, isOrdered] of logs) {
      expect(await imported(log, file, isOrdered)).toMatchObject({ head, existing: 0 });
      expect(await chainedHead(log)).toBe(head);
    }
    await target.chain();
    expect(await target.verify()).toMatchObject({ head, mismatch: null });
    expect(await exported(target)).toEqual(file.replace(/^.*\n/, await exportedHeader(target)));
    await target.drop();
    await eventStoreDb.close();
    await double.stop();
  });

  it('resume an interrupted import without duplicating events', async () => {
    const file = await exported(source);
    const head = await chainedHead(source.log);
    const log = new InMemoryEventStore();
    const stopping = new AbortController();
    const cut = importLog({
      log,
      lines: abortedAfter(file, 12, stopping),
      isOrdered: false,
      signal: stopping.signal,
    });
    await expect(cut).rejects.toThrow();
    const report = await imported(log, file);
    expect(report.head).toBe(head);
    expect(report.existing).toBeGreaterThan(0);
    expect(await imported(log, file)).toMatchObject({ head, existing: report.events });
  });

  it.each<[string, (lines: string[]) => string[], RegExp]>([
    [
      'a changed event',
      (lines) => lines.map((line, at) => (at === 4 ? line.replace('OddThing', 'EvenThing') : line)),
      /an event was changed/,
    ],
    [
      'a missing line',
      (lines) => lines.filter((_, at) => at !== 4),
      /Line 5 should be the event with ordinal 4/,
    ],
    ['two lines swapped', ([a = '', b = '', c = '', ...rest]) => [a, c, b, ...rest], /Line 2 should be/],
    ['a duplicated line', ([a = '', b = '', ...rest]) => [a, b, b, ...rest], /Line 3 should be/],
    ['no trailer', (lines) => lines.slice(0, -1), /truncated/],
    ['a line after the trailer', (lines) => [...lines, lines[1] ?? ''], /after the end/],
    ['no header', ([, ...rest]) => rest, /not a log header/],
    [
      'a truncated line',
      (lines) => [...lines.slice(0, 5), (lines[5] ?? '').slice(0, 30)],
      /Line 6 is not a JSON object/,
    ],
    ['an unrelated file', () => ['{"a":1}'], /not a log event/],
  ])('reject a file with %s', async (_, change, reason) => {
    const lines = (await exported(source)).trimEnd().split('\n');
    await expect(imported(new InMemoryEventStore(), `${change(lines).join('\n')}\n`)).rejects.toThrow(reason);
  });

  it('do not import into a log with other events', async () => {
    const log = new InMemoryEventStore();
    await log.append([{ streamId: 'mine', expectedRevision: 'any', events: newEvents(1) }]);
    await expect(imported(log, await exported(source))).rejects.toThrow('ordinal 1 is a different event');
    expect(await log.readAll({ limit: 10 })).toHaveLength(1);
  });

  it('do not import into a longer log', async () => {
    const log = new InMemoryEventStore();
    const file = await exported(source);
    await imported(log, file);
    await log.append([{ streamId: 'mine', expectedRevision: 'any', events: newEvents(1) }]);
    await expect(imported(log, file)).rejects.toThrow(LogDiffersError);
  });

  it('do not complete an export whose events do not match the head', async () => {
    await source.tamper(`update log.events set data = '{"n":999}' where position = 3`);
    await expect(exported(source)).rejects.toThrow(LogDiffersError);
    await source.restore();
  });
});

/** Appends several events at a time to streams that recur. */
async function interleave(log: EventStore): Promise<void> {
  const streams = Array.from({ length: 70 }, () => `woven-${randomUUID()}`);
  for (const revision of [-1, 2, 5]) {
    await log.append(
      streams.map((streamId) => ({
        streamId,
        expectedRevision: revision < 0 ? 'no-stream' : revision,
        events: newEvents(3),
      })),
    );
  }
}

async function exported(from: ChainedLog): Promise<string> {
  const tip = await readChainTip(from.pool);
  const signed = signHead(tip, from.key, new Date(0));
  let text = '';
  for await (const part of exportLog({ log: from.log, tip, signed })) text += part;
  return text;
}

async function exportedHeader(from: ChainedLog): Promise<string> {
  return `${(await exported(from)).split('\n')[0] ?? ''}\n`;
}

function imported(log: EventStore, file: string, isOrdered = false): Promise<ImportReport> {
  return importLog({ log, lines: linesOf(chunks(file)), isOrdered });
}

/** Splits the file within lines and characters. */
async function* chunks(file: string): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(file);
  for (let at = 0; at < bytes.length; at += 1013) yield bytes.subarray(at, at + 1013);
}

async function* abortedAfter(
  file: string,
  lines: number,
  stopping: AbortController,
): AsyncGenerator<Uint8Array> {
  let count = 0;
  for await (const line of linesOf(chunks(file))) {
    if (++count > lines) stopping.abort();
    yield line;
  }
}
