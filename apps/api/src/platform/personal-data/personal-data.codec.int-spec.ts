import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { studentDecider } from '@nimo/domain';
import { withCodec, type EventStore, type NewEvent } from '@nimo/event-store';
import { InMemoryEventStore } from '@nimo/event-store/testing';
import { createTestDatabase, type TestDatabase } from '@nimo/testing';
import { PersonalDataCodec } from './personal-data.codec.js';
import { studentsWithSealedData } from './key-uses.js';
import { KeyLostError, keyName, StudentKeys } from './student-keys.js';

const MASTER = Buffer.alloc(32, 'm');

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
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

const asked = (authorId: string): NewEvent => ({
  id: randomUUID(),
  type: 'QuestionAsked',
  data: {
    ...{ questionId: randomUUID(), spaceId: 's', subjectId: 'j', topicId: 't', authorId },
    ...{ title: 'Where?', body: '<p>There.</p>', imageUrls: ['/media/a.webp'], tags: ['Accents'] },
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
  it('creates keys concurrently in any order without deadlock', async () => {
    for (let round = 0; round < 20; round += 1) {
      const ids = Array.from({ length: 300 }, () => randomUUID());
      const refs = ids.map((id) => ({ kind: 'identity', id }) as const);
      const rings = await Promise.all(
        [refs, refs.toReversed(), refs].map((order) => keysOf().findOrCreate(order)),
      );
      expect(rings.map(({ size }) => size)).toEqual([300, 300, 300]);
      expect(rings[1]).toEqual(new Map([...(rings[0] ?? [])].reverse()));
    }
  });

  it('leaves events of an unknown type unchanged', async () => {
    const data = { words: 'as they are' };
    const log = await appended({ id: randomUUID(), type: 'UnknownHappened', data, metadata: {} });
    expect(await opened(log, keysOf()).readAll(all)).toMatchObject([{ type: 'UnknownHappened', data }]);
    expect((await opened(log, keysOf()).readAll(all))[0]?.undecodable).toBeUndefined();
  });

  it('is encrypted in the log and readable with the keys', async () => {
    const event = registered(randomUUID());
    const log = await appended(event);
    const [stored] = await log.readAll(all);
    expect(JSON.stringify(stored?.data)).not.toMatch(/"ada"|Ada|Lovelace/);
    expect(stored?.data).toMatchObject({ studentId: event.data['studentId'], realProfilePicUrl: null });
    const [read] = await opened(log, keysOf()).readAll(all);
    expect(read?.data).toEqual(event.data);
  });

  it('uses separate keys for identity and content, which can be erased separately', async () => {
    const authorId = randomUUID();
    const [profile, question] = [registered(authorId), asked(authorId)];
    const log = await appended(profile, question);
    expect(JSON.stringify((await log.readAll(all))[1]?.data)).not.toMatch(/Where|There|a\.webp|Accents/);
    const read = async () => (await opened(log, keysOf()).readAll(all)).map(({ data }) => data);
    expect(await read()).toEqual([profile.data, question.data]);
    await keysOf().destroy(authorId);
    expect(await read()).toMatchObject([{ userName: null }, question.data]);
    await keysOf().destroy(authorId, ['words']);
    expect((await read())[1]).toEqual({ ...question.data, title: '', body: '', imageUrls: [], tags: [] });
  });

  it('is decrypted lazily', async () => {
    const authorId = randomUUID();
    const log = await appended(asked(authorId));
    const [stored] = await log.readAll(all);
    if (!stored) throw new Error('nothing stored');
    const reported: unknown[] = [];
    const codec = new PersonalDataCodec(keysOf(), (...unreadable) => void reported.push(unreadable));
    // Every failed attempt is reported.
    const [read] = await codec.decode([{ ...stored, id: randomUUID() }]);
    expect(read?.data['authorId']).toBe(authorId);
    expect(reported).toEqual([]);
    expect(read?.data['title']).toBe('');
    expect(reported).toEqual([['wrong key', authorId]]);
  });

  it('is erased at once when the key is destroyed, even in events already decrypted', async () => {
    const authorId = randomUUID();
    const question = asked(authorId);
    const log = await appended(question);
    const keys = keysOf();
    const [wasOpened, unopened] = [
      await opened(log, keys).readAll(all),
      await opened(log, keys).readAll(all),
    ];
    expect(wasOpened[0]?.data).toEqual(question.data);
    await keys.destroy(authorId, ['words']);
    const gone = { ...question.data, title: '', body: '', imageUrls: [], tags: [] };
    expect(wasOpened[0]?.data).toEqual(gone);
    expect(unopened[0]?.data).toEqual(gone);
  });

  it('is not decrypted by a key whose look-up overlapped its destruction', async () => {
    const authorId = randomUUID();
    const log = await appended(asked(authorId));
    const keys = keysOf();
    const reading = opened(log, keys).readAll(all);
    const destroyed = keys.destroy(authorId, ['words']);
    const [read] = await reading;
    await destroyed;
    expect(read?.data['title']).toBe('');
  });

  it('is decrypted when a page needs more keys than the cache holds', async () => {
    const questions = Array.from({ length: 6 }, () => asked(randomUUID()));
    const log = await appended(...questions);
    const few = new StudentKeys(database.pool(), MASTER, undefined, 4);
    const read = async () => (await opened(log, few).readAll(all)).map(({ data }) => data);
    expect(await read()).toEqual(questions.map(({ data }) => data));
    expect(await read()).toEqual(questions.map(({ data }) => data));
  });

  it('hides who made a reservation and is erased with that student', async () => {
    const [studentId, reservationId] = [randomUUID(), randomUUID()];
    const claim = { kind: 'phone', claim: 'hash', reservationId, studentId };
    const log = await appended({
      ...registered(studentId),
      type: 'ClaimReserved',
      data: { ...claim, expiresAt: '2026-01-01T00:00:00.000Z' },
    });
    expect(JSON.stringify(await log.readAll(all))).not.toContain(`"${studentId}"`);
    const read = async () => (await opened(log, keysOf()).readAll(all))[0]?.data['studentId'];
    expect(await read()).toBe(studentId);
    await keysOf().destroy(studentId);
    expect(await read()).toBe('');
    const { rows } = await database
      .pool()
      .query('select from state.student_key where held_by = $1', [studentId]);
    expect(rows).toEqual([]);
  });

  it('encrypts equal values differently', async () => {
    const log = await appended(registered(randomUUID()), registered(randomUUID()));
    const [one, two] = await log.readAll(all);
    expect(one?.data['userName']).not.toEqual(two?.data['userName']);
  });

  it('reads as null in every process once the key is destroyed, and gets no new key', async () => {
    const studentId = randomUUID();
    const log = await appended(registered(studentId));
    const keys = keysOf();
    await keys.destroy(studentId);
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

  it('reads as null and is reported when moved to another event or without the right key', async () => {
    const studentId = randomUUID();
    const log = await appended(registered(studentId));
    const [stored] = await log.readAll(all);
    if (!stored) throw new Error('nothing stored');
    const reported: unknown[] = [];
    const reading = (keys: StudentKeys) =>
      new PersonalDataCodec(keys, (...unreadable) => void reported.push(unreadable));
    const nothing = { studentId, userName: null, firstName: null };

    const [moved] = await reading(keysOf()).decode([{ ...stored, id: randomUUID() }]);
    expect(moved?.data).toMatchObject(nothing);
    expect(reported).toContainEqual(['wrong key', studentId]);
    const [foreign] = await reading(keysOf(Buffer.alloc(32, 'x'))).decode([stored]);
    expect(foreign?.data).toMatchObject(nothing);
    expect(reported).toContainEqual(['broken key', studentId]);
    await database.pool().query('delete from state.student_key where id = $1', [studentId]);
    const [lost] = await reading(keysOf()).decode([stored]);
    expect(lost?.data).toMatchObject(nothing);
    expect(reported).toContainEqual(['no key', studentId]);
  });

  it('reports nothing for an erased student', async () => {
    const studentId = randomUUID();
    const log = await appended(registered(studentId));
    await keysOf().destroy(studentId);
    const reported: unknown[] = [];
    await new PersonalDataCodec(keysOf(), (...unreadable) => void reported.push(unreadable)).decode(
      await log.readAll(all),
    );
    expect(reported).toEqual([]);
  });

  it('gets no new key if the log has data encrypted with a key that an older database lacks', async () => {
    const studentId = randomUUID();
    const streamId = studentDecider.stream(studentId);
    const log = new InMemoryEventStore();
    const guarded = (): StudentKeys => new StudentKeys(database.pool(), MASTER, studentsWithSealedData(log));
    const event = registered(studentId);
    const add = (added: NewEvent) =>
      opened(log, guarded()).append([{ streamId, expectedRevision: 'any', events: [added] }]);
    await add(event);
    await database.pool().query('delete from state.student_key where id = $1', [studentId]);
    await expect(add(registered(studentId, 'ada again'))).rejects.toThrow(KeyLostError);
    expect(await log.readAll(all)).toHaveLength(1);
    const { rowCount } = await database
      .pool()
      .query('select from state.student_key where id = $1', [studentId]);
    expect(rowCount).toBe(0);
  });

  it('uses the key that another process creates at the same time', async () => {
    const ref = { kind: 'identity', id: randomUUID() } as const;
    const first = keysOf();
    // By then the other one has made the key and appended.
    const second = new StudentKeys(database.pool(), MASTER, async (ids) => {
      await first.findOrCreate([ref]);
      return ids;
    });
    expect(await second.findOrCreate([ref])).toEqual(await first.findOrCreate([ref]));
  });

  it('detects whether the master key is the one that wrapped the keys', async () => {
    await appended(registered(randomUUID()));
    expect(await keysOf().isMasterKeyCorrect()).toBe(true);
    expect(await keysOf(Buffer.alloc(32, 'x')).isMasterKeyCorrect()).toBe(false);
  });

  it('does not report a wrong master key because of a single damaged key', async () => {
    await appended(registered(randomUUID()));
    await appended(registered(randomUUID()));
    await database.pool().query(
      `update state.student_key set wrapped_key = '\\x00' where id = (
         select id from state.student_key where wrapped_key is not null limit 1)`,
    );
    expect(await keysOf().isMasterKeyCorrect()).toBe(true);
  });

  it('has one key per student, even if several processes create it concurrently', async () => {
    const studentId = randomUUID();
    const found = await Promise.all(
      Array.from({ length: 8 }, () => keysOf().findOrCreate([{ kind: 'identity', id: studentId }])),
    );
    const keys = new Set(found.map((of) => of.get(keyName('identity', studentId))?.toString('hex')));
    expect(keys.size).toBe(1);
  });

  it('leaves other events unchanged except for their schema version', async () => {
    const joined: NewEvent = {
      id: randomUUID(),
      type: 'SpaceJoined',
      data: { spaceId: randomUUID(), studentId: randomUUID() },
      metadata: { commandId: 'c' },
    };
    const [stored] = await (await appended(joined)).readAll(all);
    expect(stored).toMatchObject({ data: joined.data, metadata: { commandId: 'c', schemaVersion: 1 } });
  });

  it('is rejected if its schema version is unknown', async () => {
    const log = await appended(registered(randomUUID()));
    const [stored] = await log.readAll(all);
    if (!stored) throw new Error('nothing stored');
    const future = { ...stored, metadata: { ...stored.metadata, schemaVersion: 9 } };
    await expect(new PersonalDataCodec(keysOf()).decode([future])).rejects.toThrow('version 9');
  });
});
