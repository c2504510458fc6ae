import { randomBytes, randomUUID } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { appended, readFrom } from '../contract/event-fixtures.js';
import { EventStoreDbEventStore } from '../eventstoredb/eventstoredb-event-store.js';
import { EventStoreDbDouble } from '../eventstoredb/testing/eventstoredb-double.js';
import type { EventStore, RecordedEvent } from '../port.js';
import { signHead, signingKeyOf, signStatement } from './signed-head.js';
import { COVERS, TamperedLog } from './testing/tampered-log.js';

/** Tampering with 14 events, signed after 5, 10 and 14. It bypasses the triggers, like someone with full access to the database. */
interface EventTampering {
  readonly what: string;
  readonly sql: readonly string[];
  /** First ordinal that differs. */
  readonly from: number;
  /** Expected message if nothing else was rewritten. */
  readonly message: RegExp;
}

const moved = (from: number, by: number): string[] => [
  `update log.events set position = -position where position >= ${from}`,
  `update log.events set position = -position + ${by} where position < 0`,
];
const inserted = (position: number): string =>
  `insert into log.events (position, stream_id, revision, event_id, type, data, metadata)
   values (${position}, 'thing-x', 0, '${randomUUID()}', 'ThingHappened', '{"n":1}', '{}')`;
const changed = (
  what: string,
  change: string,
  at = 7,
  message = /differs from what was chained/,
): EventTampering => ({
  what,
  sql: [`update log.events set ${change} where position = ${at}`],
  from: at,
  message,
});
const CUT = ['delete from log.events where position > 8'];

const WITH_EVENTS: readonly EventTampering[] = [
  changed("an event's data changed", `data = '{"n":999}'`),
  changed("an event's data emptied", `data = '{}'`),
  changed("an event's metadata changed", `metadata = '{"actor":"somebody"}'`),
  changed("an event's time changed", `metadata = '{"recordedAt":"2020-01-01T00:00:00.000Z"}'`),
  changed("an event's type changed", `type = 'OtherHappened'`),
  changed("an event's stream changed", `stream_id = 'elsewhere'`),
  changed("an event's revision changed", 'revision = 5'),
  changed("an event's id changed", `event_id = '${randomUUID()}'`, 7, /no longer in the log/),
  changed(
    "an event's data made impossible to append",
    `data = '{"n":1e400}'`,
    7,
    /could not have been appended/,
  ),
  changed("the first event's data changed", `data = '{"n":999}'`, 1),
  changed("the last event's data changed", `data = '{"n":999}'`, 14),
  changed('an event moved to the end', 'position = 99', 7, /expected one follows later|belongs at ordinal/),
  {
    what: 'the first event deleted',
    sql: ['delete from log.events where position = 1'],
    from: 1,
    message: /no longer in the log/,
  },
  {
    what: 'an event deleted',
    sql: ['delete from log.events where position = 7'],
    from: 7,
    message: /no longer in the log/,
  },
  {
    what: 'the last event deleted',
    sql: ['delete from log.events where position = 14'],
    from: 14,
    message: /The log ends/,
  },
  {
    what: 'an event deleted and the gap closed',
    sql: ['delete from log.events where position = 7', ...moved(8, -1)],
    from: 7,
    message: /no longer in the log/,
  },
  { what: 'the last events cut off', sql: CUT, from: 9, message: /The log ends/ },
  { what: 'all events deleted', sql: ['delete from log.events'], from: 1, message: /The log ends/ },
  {
    what: 'an event inserted',
    sql: [...moved(7, 1), inserted(7)],
    from: 7,
    message: /The chain does not contain this event/,
  },
  {
    what: 'an event inserted at the beginning',
    sql: [...moved(1, 1), inserted(1)],
    from: 1,
    message: /The chain does not contain this event/,
  },
  {
    what: 'two events swapped',
    sql: [
      'update log.events set position = -4 where position = 4',
      'update log.events set position = 4 where position = 8',
      'update log.events set position = 8 where position = -4',
    ],
    from: 4,
    message: /belongs at ordinal 8/,
  },
  {
    what: 'the data of two events swapped',
    sql: [
      `update log.events set data = case position when 6 then '{"n":1}'::json else '{"n":0}'::json end where position in (6, 7)`,
    ],
    from: 6,
    message: /differs from what was chained/,
  },
  {
    what: 'an event replaced by another',
    sql: ['delete from log.events where position = 7', inserted(7)],
    from: 7,
    message: /An unknown event is in its place/,
  },
  {
    what: 'the log rolled back and continued',
    sql: [
      ...CUT,
      ...[9, 10, 11, 12, 13, 14, 15].map(inserted).map((sql, n) => sql.replace(`'thing-x'`, `'thing-x${n}'`)),
    ],
    from: 9,
    message: /no longer in the log/,
  },
];

describe.each(COVERS)('tampering with events while rewriting %s', (cover) => {
  let tampered: TamperedLog;
  beforeAll(async () => {
    tampered = await TamperedLog.create();
  });
  beforeEach(() => tampered.restore());
  afterAll(() => tampered.log.drop());

  it('finds nothing in an intact log', async () => {
    expect(await tampered.verify()).toEqual([]);
  });

  it.each(WITH_EVENTS)('detects $what', async ({ sql, from, message }) => {
    await tampered.log.tamper(...sql);
    // An event that could not have been appended has no chain to rewrite.
    const canBeChained = !sql.some((statement) => statement.includes('1e400'));
    if (canBeChained) await tampered.cover(cover, from);
    const found = await tampered.verify();
    expect(found).not.toEqual([]);
    if (cover === 'nothing') expect(found).toContainEqual(expect.stringMatching(message));
    else if (canBeChained) expect(found.join()).toMatch(/signed|verified earlier|after it was verified/);
  });
});

interface ProofTampering {
  readonly what: string;
  readonly tamper: (log: TamperedLog) => Promise<void>;
  readonly message: RegExp;
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

const WITH_THE_PROOF: readonly ProofTampering[] = [
  {
    what: 'a head in the chain table replaced',
    tamper: sql('update log.chain set head = leaf where ordinal = 7'),
    message: /chain row does not follow/,
  },
  {
    what: 'a leaf in the chain table replaced',
    tamper: sql('update log.chain set leaf = head where ordinal = 7'),
    message: /chain row does not follow/,
  },
  {
    what: 'an event id in the chain table replaced',
    tamper: sql(`update log.chain set event_id = '${randomUUID()}' where ordinal = 7`),
    message: /no longer in the log/,
  },
  {
    what: 'rows of the chain deleted',
    tamper: sql('delete from log.chain where ordinal between 6 and 7'),
    message: /rows from ordinal 6 to 7 are missing/,
  },
  {
    what: 'the last rows of the chain deleted',
    tamper: sql('delete from log.chain where ordinal > 12'),
    message: /are missing|reaches ordinal/,
  },
  {
    what: 'the last rows of the chain deleted and its place moved back',
    tamper: sql(
      'delete from log.chain where ordinal > 12',
      `update state.log_chain_position set ordinal = 12, position = lpad('12', 19, '0')`,
    ),
    message: /The chain ends at ordinal 12, but a head signed at .* reaches ordinal 14/,
  },
  {
    what: 'a row added to the chain',
    tamper: sql(`insert into log.chain values (15, '${randomUUID()}', ${ZERO}, ${ZERO})`),
    message: /table ends at ordinal 15, but only 14 rows were written/,
  },
  {
    what: 'the place of the chain moved forward',
    tamper: sql('update state.log_chain_position set ordinal = 20'),
    message: /The log ends at ordinal 14|rows from ordinal 15/,
  },
  {
    what: 'a signed head replaced',
    tamper: sql(`update log.signed_heads set head = ${ZERO} where ordinal = 10`),
    message: /signature of the head of ordinal 10 is invalid \(log.signed_heads\)/,
  },
  {
    what: "a signed head's time changed",
    tamper: sql(`update log.signed_heads set signed_at = '2020-01-01' where ordinal = 14`),
    message: /signature of the head of ordinal 14 is invalid/,
  },
  {
    what: 'a signed head deleted',
    tamper: sql('delete from log.signed_heads where ordinal = 5'),
    message: /log.signed_heads is missing the head of ordinal 5/,
  },
  {
    what: 'the last signed head deleted',
    tamper: sql('delete from log.signed_heads where ordinal = 14'),
    message: /log.signed_heads ends at the head of ordinal 10/,
  },
  {
    what: 'all signed heads deleted',
    tamper: sql('delete from log.signed_heads'),
    message: /log.signed_heads has no signed head/,
  },
  {
    what: 'an old head replayed as a new one',
    tamper: sql(`update log.signed_heads n set head = o.head, signature = o.signature, signed_at = o.signed_at
              from log.signed_heads o where n.ordinal = 14 and o.ordinal = 5`),
    message: /signature of the head of ordinal 14 is invalid/,
  },
  {
    what: "a signed head's key changed",
    tamper: sql(`update log.signed_heads set key_id = '0123456789abcdef' where ordinal = 10`),
    message: /heads signed with the unknown key 0123456789abcdef/,
  },
  {
    what: 'a head signed by another key',
    tamper: async ({ log }) =>
      log.folder.append([signHead({ ordinal: 14, head: randomBytes(32) }, OTHER, new Date())]),
    message: /The heads folder has heads signed with the unknown key [0-9a-f]+/,
  },
  {
    what: 'a line of the heads folder changed',
    tamper: lines((all) => all.map((line) => line.replace('"ordinal":10', '"ordinal":9'))),
    message: /signature of the head of ordinal 9 is invalid \(the heads folder\)/,
  },
  {
    what: 'a line of the heads folder removed',
    tamper: lines((all) => all.filter((line) => !line.includes('"ordinal":5,'))),
    message: /The heads folder is missing the head of ordinal 5/,
  },
  {
    what: 'the heads folder restored to an older state',
    tamper: lines((all) => all.slice(0, 1)),
    message: /The heads folder ends at the head of ordinal 5/,
  },
  {
    what: 'the heads folder emptied',
    tamper: async ({ headsFile }) => rm(headsFile),
    message: /The heads folder has no signed head/,
  },
  {
    what: 'the verification mark moved forward',
    tamper: sql(`${MARK} jsonb_set(mark, '{mark,tail,ordinal}', '99')`),
    message: /verification mark is not signed/,
  },
  {
    what: 'a verification mark of another key',
    tamper: async ({ log }) => {
      const mark = { format: 'nimo.verified/1', keyId: OTHER.keyId };
      await log.tamper(`${MARK} '${JSON.stringify({ mark, signature: signStatement(mark, OTHER) })}'`);
    },
    message: /verification mark is not signed/,
  },
  {
    what: 'the recorded mismatches deleted',
    tamper: async ({ log }) =>
      log.tamper(`update log.events set data = '{}' where position = 3`, 'delete from state.log_mismatches'),
    message: /differs from what was chained/,
  },
];

describe('tampering with the proof', () => {
  let tampered: TamperedLog;
  beforeAll(async () => {
    tampered = await TamperedLog.create();
  });
  beforeEach(() => tampered.restore());
  afterAll(() => tampered.log.drop());

  it.each(WITH_THE_PROOF)('detects $what', async ({ tamper, message }) => {
    await tamper(tampered);
    expect(await tampered.verify()).toContainEqual(expect.stringMatching(message));
  });

  it('reports no mismatch after the log is restored', async () => {
    await tampered.log.tamper(`update log.events set data = '{}' where position = 3`);
    expect(await tampered.verify()).not.toEqual([]);
    await tampered.log.tamper(
      'delete from log.events',
      'insert into log.events select * from public.kept_log_events',
    );
    // The worker's clock is ahead of the database clock, so that its round starts after the mismatch was found.
    expect(await tampered.verify(tampered.log.log, 0)).toEqual([]);
  });
});

describe('tampering with a log in EventStoreDB', () => {
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
  beforeEach(() => tampered.restore());
  afterAll(async () => {
    await tampered.log.drop();
    for (const { store, double } of stores) {
      await store.close();
      await double.stop();
    }
  });

  const at = (n: number): RecordedEvent => {
    const event = events[n - 1];
    if (!event) throw new Error(`the log has no event ${n}`);
    return event;
  };

  it.each<[string, () => readonly RecordedEvent[], RegExp]>([
    [
      "an event's data changed",
      () => events.with(6, { ...at(7), data: { n: 999 } }),
      /differs from what was chained/,
    ],
    ['an event deleted', () => events.toSpliced(6, 1), /no longer in the log/],
    [
      'an event inserted',
      () => events.toSpliced(6, 0, { ...at(7), id: randomUUID(), streamId: 'thing-x' }),
      /does not contain this event/,
    ],
    ['two events swapped', () => events.with(3, at(8)).with(7, at(4)), /belongs at ordinal 8/],
    ['the last events cut off', () => events.slice(0, 9), /The log ends/],
  ])('detects %s', async (_, change, message) => {
    const store = await storeOf(change());
    expect(await tampered.verify(store)).toContainEqual(expect.stringMatching(message));
    // Also rewrites the chain in the database.
    await tampered.restore();
    await tampered.log.rewriteChain(store);
    const [end] = (await readFrom(store, undefined)).toReversed();
    const count = change().length;
    await tampered.log.tamper(
      `update state.log_chain_position set ordinal = ${count}, position = '${end?.position ?? ''}'`,
      'update state.log_verification set mark = null, owner = null, expires_at = null',
    );
    expect((await tampered.verify(store)).join()).toMatch(/signed/);
  });
});
