import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  copyLog,
  type EventStore,
  openEventStoreDb,
  PostgresEventStore,
  type RecordedEvent,
} from '@nimo/event-store';
import { EventStoreDbDouble, InMemoryEventStore } from '@nimo/event-store/testing';
import { STREAM_PREFIXES } from '@nimo/domain';
import { createTestDatabase, type TestDatabase } from '../../../../../test/postgres.js';
import { PersonalDataCodec } from '../../platform/personal-data/personal-data.codec.js';
import { StudentKeys } from '../../platform/personal-data/student-keys.js';
import { sealedGroupsOf } from '../../platform/personal-data/sealed-fields.js';
import { fieldsInClear, SealingLog } from './sealing-log.js';

type StoredEvents = Readonly<
  Record<string, readonly { readonly schemaVersion: number; readonly data: RecordedEvent['data'] }[]>
>;

const MASTER = Buffer.alloc(32, 'm');
const EXAMPLES = new URL('../../../../../libs/domain/src/testing/stored-events.json', import.meta.url);

let database: TestDatabase;
let double: EventStoreDbDouble;
let stored: StoredEvents;
beforeAll(async () => {
  [database, double] = await Promise.all([createTestDatabase(), EventStoreDbDouble.start()]);
  stored = JSON.parse(await readFile(EXAMPLES, 'utf8')) as StoredEvents;
});
afterAll(async () => {
  await double.stop();
  await database.drop();
});

/** Whoever an example is about, so that each test has people of its own. */
const named = (data: RecordedEvent['data'], mark: string): RecordedEvent['data'] =>
  JSON.parse(
    JSON.stringify(data).replaceAll(/"((?:student|reservation)-[^"]*)"/g, `"$1${mark}"`),
  ) as RecordedEvent['data'];

/** A log of every event in every version, as versions wrote it that sealed nothing. */
async function unsealedLog(mark: string): Promise<InMemoryEventStore> {
  const log = new InMemoryEventStore();
  for (const [type, versions] of Object.entries(stored))
    for (const { schemaVersion, data } of versions)
      await log.append([
        {
          streamId: `student-${type}${mark}`,
          expectedRevision: 'any',
          events: [
            {
              id: randomUUID(),
              type,
              data: named(data, mark),
              metadata: { schemaVersion, commandId: randomUUID() },
            },
          ],
        },
      ]);
  return log;
}

const all = (log: Pick<EventStore, 'readAll'>): Promise<RecordedEvent[]> => log.readAll({ limit: 10_000 });
const newKeys = () => new StudentKeys(database.pool(), MASTER);
const decoded = async (log: EventStore) =>
  (await new PersonalDataCodec(newKeys()).decode(await all(log))).map(
    ({ id, type, streamId, revision, data }) => ({ id, type, streamId, revision, data }),
  );
/** A reservation is named on the way where a claim of before had none. */
const withoutReservation = <Event extends { readonly data: object }>(events: readonly Event[]) =>
  events.map((event) => ({ ...event, data: { ...event.data, reservationId: undefined } }));

const copy = (from: EventStore, to: EventStore, isOrdered = false, signal?: AbortSignal) => {
  const view = new SealingLog(from, newKeys());
  return copyLog({
    from: view,
    to,
    isOrdered,
    beforeWriting: async () => {
      view.makeKeys();
      await Promise.resolve();
    },
    ...(signal && { signal }),
  }).then((report) => ({ ...report, ...view.counts }));
};

const targets: Readonly<Record<string, () => Promise<{ log: EventStore; isOrdered: boolean }>>> = {
  memory: () => Promise.resolve({ log: new InMemoryEventStore(), isOrdered: false }),
  PostgreSQL: () =>
    Promise.resolve({
      log: new PostgresEventStore({ pool: database.pool(), directUrl: database.url }),
      isOrdered: true,
    }),
  EventStoreDB: async () => ({
    log: await openEventStoreDb({
      connectionString: double.connectionString,
      streamPrefixes: STREAM_PREFIXES,
    }),
    isOrdered: false,
  }),
};

describe('a log that is sealed on its way', () => {
  it.each(Object.keys(targets))(
    'holds nothing of a person in clear, and reads as before, in %s',
    async (name) => {
      const from = await unsealedLog(` in ${name}`);
      const clear = (await all(from)).filter((event) => fieldsInClear(event) > 0);
      expect(clear.length).toBeGreaterThan(15);
      const { log, isOrdered } = (await targets[name]?.()) ?? { log: from, isOrdered: false };
      const report = await copy(from, log, isOrdered);
      expect(report).toMatchObject({ sealed: clear.length, leftOut: 0, copied: (await all(from)).length });
      expect((await all(log)).filter((event) => fieldsInClear(event) > 0)).toEqual([]);
      expect(withoutReservation(await decoded(log))).toEqual(withoutReservation(await decoded(from)));
      // The same each time: there is nothing to copy, and nothing differs.
      expect(await copy(from, log, isOrdered)).toMatchObject({ copied: 0, head: report.head });
      await log.close();
    },
  );

  it('goes on where it was killed', async () => {
    const from = await unsealedLog(' killed');
    const whole = new InMemoryEventStore();
    await copy(from, whole);
    const events = await all(whole);
    const half = new InMemoryEventStore();
    for (const { streamId, ...event } of events.slice(0, Math.floor(events.length / 2)))
      await half.append([{ streamId, expectedRevision: 'any', events: [event] }]);
    const report = await copy(from, half);
    expect(report.wereThere).toBe(Math.floor(events.length / 2));
    expect((await all(half)).map(({ id, data }) => ({ id, data }))).toEqual(
      events.map(({ id, data }) => ({ id, data })),
    );
  });

  it('leaves out what is of somebody erased, and makes no key for them', async () => {
    const mark = ' erased';
    const from = await unsealedLog(mark);
    const keys = newKeys();
    const owners = new Set(
      (await all(from)).flatMap(({ type, data }) =>
        sealedGroupsOf(type).flatMap((group) => {
          const ref = group.keyOf(data);
          return ref ? [ref.heldBy ?? ref.id] : [];
        }),
      ),
    );
    for (const owner of owners) await keys.destroy(owner, ['identity', 'words']);
    const to = new InMemoryEventStore();
    const { sealed, leftOut } = await copy(from, to);
    expect(leftOut).toBe(sealed);
    for (const { type, data } of await all(to))
      for (const { fields } of sealedGroupsOf(type))
        for (const { name, gone } of fields)
          if (data[name] !== undefined && data[name] !== null && !isEmpty(data[name]))
            expect(data[name]).toEqual(gone);
    const { rows } = await database
      .pool()
      .query(
        'select from state.student_key where wrapped_key is not null and (id like $1 or held_by like $1)',
        [`%${mark}`],
      );
    expect(rows).toEqual([]);
  });

  it('leaves what is sealed as it is, and what it cannot open', async () => {
    const log = new InMemoryEventStore();
    const codec = new PersonalDataCodec(newKeys());
    const [question] = (await all(await unsealedLog(' sealed'))).filter(
      ({ type, metadata }) =>
        type === 'AnswerPosted' && metadata['schemaVersion'] === stored['AnswerPosted']?.length,
    );
    if (!question) throw new Error('there is no example');
    const { id, type, data, metadata } = question;
    await log.append([
      {
        streamId: 'answer-1',
        expectedRevision: 'any',
        events: await codec.encode([{ id, type, data, metadata }]),
      },
    ]);
    const to = new InMemoryEventStore();
    expect(await copy(log, to)).toMatchObject({ sealed: 0, copied: 1 });
    expect((await all(to))[0]?.data).toEqual((await all(log))[0]?.data);
  });
});

const isEmpty = (value: unknown): boolean => Array.isArray(value) && value.length === 0;
