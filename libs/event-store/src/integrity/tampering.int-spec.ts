import { randomBytes, randomUUID } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { appended, readFrom } from '../contract/event-fixtures.js';
import { EventStoreDbEventStore } from '../eventstoredb/eventstoredb-event-store.js';
import { EventStoreDbDouble } from '../eventstoredb/testing/eventstoredb-double.js';
import type { EventStore, RecordedEvent } from '../port.js';
import { signHead, signingKeyOf, signStatement } from './signed-head.js';
import { COVERS, TamperedLog } from './testing/tampered-log.js';

/** Of 14 events, signed after 5, 10 and 14. All of it is done past the triggers, as by somebody with all rights to the database. */
interface OfEvents {
  readonly what: string;
  readonly sql: readonly string[];
  /** The first ordinal that is another. */
  readonly from: number;
  /** In which words it is told where nothing else was rewritten. */
  readonly words: RegExp;
}

const moved = (from: number, by: number): string[] => [
  `update log.events set position = -position where position >= ${from}`,
  `update log.events set position = -position + ${by} where position < 0`,
];
const inserted = (position: number): string =>
  `insert into log.events (position, stream_id, revision, event_id, type, data, metadata)
   values (${position}, 'thing-x', 0, '${randomUUID()}', 'ThingHappened', '{"n":1}', '{}')`;
const changed = (what: string, change: string, at = 7, words = /not what was chained/): OfEvents => ({
  what,
  sql: [`update log.events set ${change} where position = ${at}`],
  from: at,
  words,
});
const CUT = ['delete from log.events where position > 8'];

const WITH_EVENTS: readonly OfEvents[] = [
  changed("an event's data changed", `data = '{"n":999}'`),
  changed("an event's data emptied", `data = '{}'`),
  changed("an event's metadata changed", `metadata = '{"actor":"somebody"}'`),
  changed("an event's time changed", `metadata = '{"recordedAt":"2020-01-01T00:00:00.000Z"}'`),
  changed("an event's type changed", `type = 'OtherHappened'`),
  changed("an event's stream changed", `stream_id = 'elsewhere'`),
  changed("an event's revision changed", 'revision = 5'),
  changed("an event's id changed", `event_id = '${randomUUID()}'`, 7, /no longer in the log/),
  changed(
    "an event's data made what nobody could append",
    `data = '{"n":1e400}'`,
    7,
    /none that could have been appended/,
  ),
  changed("the first event's data changed", `data = '{"n":999}'`, 1),
  changed("the last event's data changed", `data = '{"n":999}'`, 14),
  changed('an event moved to the end', 'position = 99', 7, /belongs here follows later|belongs at ordinal/),
  {
    what: 'the first event deleted',
    sql: ['delete from log.events where position = 1'],
    from: 1,
    words: /no longer in the log/,
  },
  {
    what: 'an event deleted',
    sql: ['delete from log.events where position = 7'],
    from: 7,
    words: /no longer in the log/,
  },
  {
    what: 'the last event deleted',
    sql: ['delete from log.events where position = 14'],
    from: 14,
    words: /The log ends/,
  },
  {
    what: 'an event deleted and the gap closed',
    sql: ['delete from log.events where position = 7', ...moved(8, -1)],
    from: 7,
    words: /no longer in the log/,
  },
  { what: 'the last events cut off', sql: CUT, from: 9, words: /The log ends/ },
  { what: 'all events deleted', sql: ['delete from log.events'], from: 1, words: /The log ends/ },
  {
    what: 'an event inserted',
    sql: [...moved(7, 1), inserted(7)],
    from: 7,
    words: /The chain does not know this event/,
  },
  {
    what: 'an event inserted before all',
    sql: [...moved(1, 1), inserted(1)],
    from: 1,
    words: /The chain does not know this event/,
  },
  {
    what: 'two events swapped',
    sql: [
      'update log.events set position = -4 where position = 4',
      'update log.events set position = 4 where position = 8',
      'update log.events set position = 8 where position = -4',
    ],
    from: 4,
    words: /belongs at ordinal 8/,
  },
  {
    what: 'the data of two events swapped',
    sql: [
      `update log.events set data = case position when 6 then '{"n":1}'::json else '{"n":0}'::json end where position in (6, 7)`,
    ],
    from: 6,
    words: /not what was chained/,
  },
  {
    what: 'an event put in the place of another',
    sql: ['delete from log.events where position = 7', inserted(7)],
    from: 7,
    words: /An unknown event stands in its place/,
  },
  {
    what: 'the log rolled back, and gone on with',
    sql: [
      ...CUT,
      ...[9, 10, 11, 12, 13, 14, 15].map(inserted).map((sql, n) => sql.replace(`'thing-x'`, `'thing-x${n}'`)),
    ],
    from: 9,
    words: /no longer in the log/,
  },
];

describe.each(COVERS)('a log whose events were tampered with, and %s rewritten with them', (cover) => {
  let tampered: TamperedLog;
  beforeAll(async () => {
    tampered = await TamperedLog.create();
  });
  beforeEach(() => tampered.putBack());
  afterAll(() => tampered.log.drop());

  it('fits where nothing was done', async () => {
    expect(await tampered.verify()).toEqual([]);
  });

  it.each(WITH_EVENTS)('is found with $what', async ({ sql, from, words }) => {
    await tampered.log.tamper(...sql);
    // What nobody could append has no chain to be rewritten.
    const canBeChained = !sql.some((statement) => statement.includes('1e400'));
    if (canBeChained) await tampered.cover(cover, from);
    const found = await tampered.verify();
    expect(found).not.toEqual([]);
    if (cover === 'nothing') expect(found).toContainEqual(expect.stringMatching(words));
    else if (canBeChained) expect(found.join()).toMatch(/signed|verified before/);
  });
});

interface OfTheProof {
  readonly what: string;
  readonly act: (log: TamperedLog) => Promise<void>;
  readonly words: RegExp;
}

const sql =
  (...statements: readonly string[]) =>
  ({ log }: TamperedLog): Promise<void> =>
    log.tamper(...statements);
const lines =
  (change: (lines: string[]) => string[]) =>
  async ({ headsFile }: TamperedLog): Promise<void> => {
    const all = (await readFile(headsFile, 'utf8')).trim().split('\n');
    await writeFile(
      headsFile,
      change(all)
        .map((line) => `${line}\n`)
        .join(''),
    );
  };
const ZERO = `'\\x${'00'.repeat(32)}'`;
const OTHER = signingKeyOf(randomBytes(32));
const MARK = `update state.log_verification set owner = null, expires_at = null, mark = `;

const WITH_THE_PROOF: readonly OfTheProof[] = [
  {
    what: "a head of the chain's table replaced",
    act: sql('update log.chain set head = leaf where ordinal = 7'),
    words: /own row does not follow/,
  },
  {
    what: "a leaf of the chain's table replaced",
    act: sql('update log.chain set leaf = head where ordinal = 7'),
    words: /own row does not follow/,
  },
  {
    what: "an event's id in the chain's table replaced",
    act: sql(`update log.chain set event_id = '${randomUUID()}' where ordinal = 7`),
    words: /no longer in the log/,
  },
  {
    what: 'rows of the chain deleted',
    act: sql('delete from log.chain where ordinal between 6 and 7'),
    words: /rows from ordinal 6 to 7 are gone/,
  },
  {
    what: 'the last rows of the chain deleted',
    act: sql('delete from log.chain where ordinal > 12'),
    words: /are gone|reaches to/,
  },
  {
    what: 'the last rows of the chain deleted, and its place put back',
    act: sql(
      'delete from log.chain where ordinal > 12',
      `update state.log_chain_place set ordinal = 12, position = lpad('12', 19, '0')`,
    ),
    words: /The chain ends with ordinal 12; a head signed at .* reaches to 14/,
  },
  {
    what: 'a row added to the chain',
    act: sql(`insert into log.chain values (15, '${randomUUID()}', ${ZERO}, ${ZERO})`),
    words: /table ends with ordinal 15, and only 14 were written/,
  },
  {
    what: 'the place of the chain put forward',
    act: sql('update state.log_chain_place set ordinal = 20'),
    words: /The log ends with ordinal 14|rows from ordinal 15/,
  },
  {
    what: 'a signed head replaced',
    act: sql(`update log.signed_heads set head = ${ZERO} where ordinal = 10`),
    words: /signature of the head of ordinal 10 does not fit \(log.signed_heads\)/,
  },
  {
    what: "a signed head's time changed",
    act: sql(`update log.signed_heads set signed_at = '2020-01-01' where ordinal = 14`),
    words: /signature of the head of ordinal 14 does not fit/,
  },
  {
    what: 'a signed head deleted',
    act: sql('delete from log.signed_heads where ordinal = 5'),
    words: /log.signed_heads lacks the head of ordinal 5/,
  },
  {
    what: 'the last signed head deleted',
    act: sql('delete from log.signed_heads where ordinal = 14'),
    words: /log.signed_heads ends with the head of ordinal 10/,
  },
  {
    what: 'all signed heads deleted',
    act: sql('delete from log.signed_heads'),
    words: /log.signed_heads has no signed head/,
  },
  {
    what: 'an old head played again as a new one',
    act: sql(`update log.signed_heads n set head = o.head, signature = o.signature, signed_at = o.signed_at
              from log.signed_heads o where n.ordinal = 14 and o.ordinal = 5`),
    words: /signature of the head of ordinal 14 does not fit/,
  },
  {
    what: "a signed head's key changed",
    act: sql(`update log.signed_heads set key_id = '0123456789abcdef' where ordinal = 10`),
    words: /heads of the key 0123456789abcdef, which is not known/,
  },
  {
    what: 'a head signed by another key',
    act: async ({ log }) =>
      log.folder.append([signHead({ ordinal: 14, head: randomBytes(32) }, OTHER, new Date())]),
    words: /The heads folder has heads of the key [0-9a-f]+, which is not known here/,
  },
  {
    what: 'a line of the heads folder changed',
    act: lines((all) => all.map((line) => line.replace('"ordinal":10', '"ordinal":9'))),
    words: /signature of the head of ordinal 9 does not fit \(the heads folder\)/,
  },
  {
    what: 'a line of the heads folder taken out',
    act: lines((all) => all.filter((line) => !line.includes('"ordinal":5,'))),
    words: /The heads folder lacks the head of ordinal 5/,
  },
  {
    what: 'the heads folder put back to an older state',
    act: lines((all) => all.slice(0, 1)),
    words: /The heads folder ends with the head of ordinal 5/,
  },
  {
    what: 'the heads folder emptied',
    act: async ({ headsFile }) => rm(headsFile),
    words: /The heads folder has no signed head/,
  },
  {
    what: 'the mark of what was verified put forward',
    act: sql(`${MARK} jsonb_set(mark, '{mark,tail,ordinal}', '99')`),
    words: /how far the log was verified is not signed/,
  },
  {
    what: 'a mark of another key',
    act: async ({ log }) => {
      const mark = { format: 'nimo.verified/1', keyId: OTHER.keyId };
      await log.tamper(`${MARK} '${JSON.stringify({ mark, signature: signStatement(mark, OTHER) })}'`);
    },
    words: /how far the log was verified is not signed/,
  },
  {
    what: 'what was found deleted',
    act: async ({ log }) =>
      log.tamper(`update log.events set data = '{}' where position = 3`, 'delete from state.log_misfits'),
    words: /not what was chained/,
  },
];

describe('a log whose proof was tampered with', () => {
  let tampered: TamperedLog;
  beforeAll(async () => {
    tampered = await TamperedLog.create();
  });
  beforeEach(() => tampered.putBack());
  afterAll(() => tampered.log.drop());

  it.each(WITH_THE_PROOF)('is found with $what', async ({ act, words }) => {
    await act(tampered);
    expect(await tampered.verify()).toContainEqual(expect.stringMatching(words));
  });

  it('is well again, and said to be, when it was put back', async () => {
    await tampered.log.tamper(`update log.events set data = '{}' where position = 3`);
    expect(await tampered.verify()).not.toEqual([]);
    await tampered.log.tamper(
      'delete from log.events',
      'insert into log.events select * from public.kept_log_events',
    );
    // The clock of the worker is ahead of the database's, so that its round began after what was found.
    expect(await tampered.verify(tampered.log.log, 0)).toEqual([]);
  });
});

describe('a log in EventStoreDB that was tampered with', () => {
  let tampered: TamperedLog;
  let events: readonly RecordedEvent[];
  const stores: { readonly store: EventStore; readonly double: EventStoreDbDouble }[] = [];

  async function storeOf(all: readonly RecordedEvent[]): Promise<EventStore> {
    const double = await EventStoreDbDouble.start();
    const store = new EventStoreDbEventStore({ connectionString: double.connectionString });
    stores.push({ store, double });
    for (const { streamId, id, type, data, metadata } of all)
      await appended(store, { streamId, expectedRevision: 'any', events: [{ id, type, data, metadata }] });
    return store;
  }

  beforeAll(async () => {
    tampered = await TamperedLog.create(await storeOf([]));
    events = await readFrom(tampered.log.log, undefined);
  });
  beforeEach(() => tampered.putBack());
  afterAll(async () => {
    await tampered.log.drop();
    for (const { store, double } of stores) {
      await store.close();
      await double.stop();
    }
  });

  const at = (n: number): RecordedEvent => {
    const event = events[n - 1];
    if (!event) throw new Error(`the log has no ${n}`);
    return event;
  };

  it.each<[string, () => readonly RecordedEvent[], RegExp]>([
    ["an event's data changed", () => events.with(6, { ...at(7), data: { n: 999 } }), /not what was chained/],
    ['an event deleted', () => events.toSpliced(6, 1), /no longer in the log/],
    [
      'an event inserted',
      () => events.toSpliced(6, 0, { ...at(7), id: randomUUID(), streamId: 'thing-x' }),
      /does not know this event/,
    ],
    ['two events swapped', () => events.with(3, at(8)).with(7, at(4)), /belongs at ordinal 8/],
    ['the last events cut off', () => events.slice(0, 9), /The log ends/],
  ])('is found with %s', async (_, change, words) => {
    const store = await storeOf(change());
    expect(await tampered.verify(store)).toContainEqual(expect.stringMatching(words));
    // The chain rewritten with it, in the database beside.
    await tampered.putBack();
    await tampered.log.rewriteChain(store);
    const [end] = (await readFrom(store, undefined)).toReversed();
    const count = change().length;
    await tampered.log.tamper(
      `update state.log_chain_place set ordinal = ${count}, position = '${end?.position ?? ''}'`,
      'update state.log_verification set mark = null, owner = null, expires_at = null',
    );
    expect((await tampered.verify(store)).join()).toMatch(/signed/);
  });
});
