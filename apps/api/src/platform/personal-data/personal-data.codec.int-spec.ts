import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { studentDecider } from '@nimo/domain';
import { withCodec, type EventStore, type NewEvent } from '@nimo/event-store';
import { InMemoryEventStore } from '@nimo/event-store/testing';
import { createTestDatabase, type TestDatabase } from '../../../../../test/postgres.js';
import { PersonalDataCodec } from './personal-data.codec.js';
import { sealedIn } from './lost-keys.js';
import { KeyLostError, StudentKeys } from './student-keys.js';

const MASTER = Buffer.alloc(32, 'm');

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
}, 60_000);
afterAll(() => database.drop());

const keysOf = (masterKey = MASTER) => new StudentKeys(database.pool(), masterKey);
const opened = (log: EventStore, keys: StudentKeys) => withCodec(log, new PersonalDataCodec(keys));

const registered = (studentId: string, userName = 'ada'): NewEvent => ({
  id: randomUUID(),
  type: 'StudentRegistered',
  data: {
    studentId,
    userName,
    firstName: 'Ada',
    lastName: 'Lovelace',
    profileDesc: '',
    realProfilePicUrl: null,
  },
  metadata: { commandId: randomUUID() },
});

async function appended(...events: readonly NewEvent[]): Promise<InMemoryEventStore> {
  const log = new InMemoryEventStore();
  await opened(log, keysOf()).append(
    events.map((event) => ({
      streamId: `student-${event.id}`,
      expectedRevision: 'no-stream',
      events: [event],
    })),
  );
  return log;
}

const all = { limit: 100 } as const;

describe('personal data', () => {
  it('is sealed in the log and open to whoever has the keys', async () => {
    const event = registered(randomUUID());
    const log = await appended(event);
    const [stored] = await log.readAll(all);
    expect(JSON.stringify(stored?.data)).not.toMatch(/"ada"|Ada|Lovelace/);
    expect(stored?.data).toMatchObject({ studentId: event.data['studentId'], realProfilePicUrl: null });
    const [read] = await opened(log, keysOf()).readAll(all);
    expect(read?.data).toEqual(event.data);
  });

  it('is sealed anew each time: equal names do not look equal', async () => {
    const log = await appended(registered(randomUUID()), registered(randomUUID()));
    const [one, two] = await log.readAll(all);
    expect(one?.data['userName']).not.toEqual(two?.data['userName']);
  });

  it('is null once the key is gone, in every process, and is not sealed with a new one', async () => {
    const studentId = randomUUID();
    const log = await appended(registered(studentId));
    const keys = keysOf();
    await keys.erase(studentId);
    for (const reader of [keys, keysOf()]) {
      const [read] = await opened(log, reader).readAll(all);
      expect(read?.data).toEqual({
        studentId,
        userName: null,
        firstName: null,
        lastName: null,
        profileDesc: null,
        realProfilePicUrl: null,
      });
    }
    const again = registered(studentId, 'ada again');
    await opened(log, keysOf()).append([
      { streamId: `student-${again.id}`, expectedRevision: 'any', events: [again] },
    ]);
    const stored = await log.readAll(all);
    expect(stored[1]?.data['userName']).toBeNull();
  });

  it('reads as nothing where it does not open, and that is told: moved to another event, or without the right key', async () => {
    const studentId = randomUUID();
    const log = await appended(registered(studentId));
    const [stored] = await log.readAll(all);
    if (!stored) throw new Error('nothing stored');
    const told: unknown[] = [];
    const reading = (keys: StudentKeys) =>
      new PersonalDataCodec(keys, (...unreadable) => void told.push(unreadable));
    const nothing = { studentId, userName: null, firstName: null };

    const [moved] = await reading(keysOf()).decode([{ ...stored, id: randomUUID() }]);
    expect(moved?.data).toMatchObject(nothing);
    expect(told).toContainEqual(['wrong key', studentId]);
    const [foreign] = await reading(keysOf(Buffer.alloc(32, 'x'))).decode([stored]);
    expect(foreign?.data).toMatchObject(nothing);
    expect(told).toContainEqual(['broken key', studentId]);
    await database.pool().query('delete from state.student_key where student_id = $1', [studentId]);
    const [lost] = await reading(keysOf()).decode([stored]);
    expect(lost?.data).toMatchObject(nothing);
    expect(told).toContainEqual(['no key', studentId]);
  });

  it('is told of nothing where somebody was erased', async () => {
    const studentId = randomUUID();
    const log = await appended(registered(studentId));
    await keysOf().erase(studentId);
    const told: unknown[] = [];
    await new PersonalDataCodec(keysOf(), (...unreadable) => void told.push(unreadable)).decode(
      await log.readAll(all),
    );
    expect(told).toEqual([]);
  });

  it('of whom something was sealed is never sealed with a new key: by a database that is older than the log', async () => {
    const studentId = randomUUID();
    const streamId = studentDecider.stream(studentId);
    const log = new InMemoryEventStore();
    const guarded = (): StudentKeys => new StudentKeys(database.pool(), MASTER, sealedIn(log));
    const event = registered(studentId);
    const add = (added: NewEvent) =>
      opened(log, guarded()).append([{ streamId, expectedRevision: 'any', events: [added] }]);
    await add(event);
    await database.pool().query('delete from state.student_key where student_id = $1', [studentId]);
    await expect(add(registered(studentId, 'ada again'))).rejects.toThrow(KeyLostError);
    expect(await log.readAll(all)).toHaveLength(1);
    const { rowCount } = await database
      .pool()
      .query('select from state.student_key where student_id = $1', [studentId]);
    expect(rowCount).toBe(0);
  });

  it('says whether the master key is the one that the keys were wrapped with', async () => {
    await appended(registered(randomUUID()));
    expect(await keysOf().isMasterKeyRight()).toBe(true);
    expect(await keysOf(Buffer.alloc(32, 'x')).isMasterKeyRight()).toBe(false);
  });

  it('does not take the master key for another because one key is damaged', async () => {
    await appended(registered(randomUUID()));
    await appended(registered(randomUUID()));
    await database.pool().query(
      `update state.student_key set wrapped_key = '\\x00' where student_id = (
         select student_id from state.student_key where wrapped_key is not null limit 1)`,
    );
    expect(await keysOf().isMasterKeyRight()).toBe(true);
  });

  it('of one student has one key, however many processes make it at once', async () => {
    const studentId = randomUUID();
    const found = await Promise.all(Array.from({ length: 8 }, () => keysOf().findOrMake([studentId])));
    const keys = new Set(found.map((of) => of.get(studentId)?.toString('hex')));
    expect(keys.size).toBe(1);
  });

  it('leaves other events as they are but for the version of their shape', async () => {
    const joined: NewEvent = {
      id: randomUUID(),
      type: 'SpaceJoined',
      data: { spaceId: randomUUID(), studentId: randomUUID() },
      metadata: { commandId: 'c' },
    };
    const [stored] = await (await appended(joined)).readAll(all);
    expect(stored).toMatchObject({ data: joined.data, metadata: { commandId: 'c', schemaVersion: 1 } });
  });

  it('of a version that this program does not know is not guessed', async () => {
    const log = await appended(registered(randomUUID()));
    const [stored] = await log.readAll(all);
    if (!stored) throw new Error('nothing stored');
    const future = { ...stored, metadata: { ...stored.metadata, schemaVersion: 9 } };
    await expect(new PersonalDataCodec(keysOf()).decode([future])).rejects.toThrow('version 9');
  });
});
