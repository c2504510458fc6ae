import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EventHistory } from '../testing/event-history.fixture.js';
import { openReadSide, type ReadSide } from '../testing/read-side.fixture.js';
import {
  findManagedSpace,
  findManagedSubject,
  findManagedTopic,
  findSpaceIdsByName,
  listManagedSpaces,
  listManagedSubjects,
  pageOfTopics,
} from './managed-spaces.queries.js';

let side: ReadSide;
beforeAll(async () => {
  side = await openReadSide();
});
afterAll(() => side.close());

const past = new EventHistory();

describe('managed spaces', () => {
  it('are listed by name with their counts', async () => {
    const [french, algebra] = [past.newSpace({ name: 'French' }), past.newSpace({ name: 'algebra' })];
    const subjectId = past.newSubject(french, 'Grammar');
    past.newTopic(french, subjectId);
    past.join(past.newStudent(), french);
    await side.record(past);
    const listed = await listManagedSpaces(side.pool);
    expect(listed.map(({ _id }) => _id)).toEqual([algebra, french]);
    expect(listed[1]).toMatchObject({ memberCount: 1, subjectCount: 1, topicCount: 1 });
    expect(await findManagedSpace(side.pool, french)).toEqual(listed[1]);
    expect(await findManagedSpace(side.pool, 'nowhere')).toBeNull();
    expect(await listManagedSubjects(side.pool, french)).toEqual([
      expect.objectContaining({ _id: subjectId, subjectName: 'Grammar', topicCount: 1 }),
    ]);
    expect(await findManagedSubject(side.pool, subjectId)).toMatchObject({ topicCount: 1 });
    expect(await findManagedSubject(side.pool, 'nowhere')).toBeNull();
  });

  it('are found by name, ignoring case, including duplicates', async () => {
    const [first, second] = [past.newSpace({ name: 'Twice' }), past.newSpace({ name: 'twice' })];
    await side.record(past);
    expect(new Set(await findSpaceIdsByName(side.pool, 'TWICE'))).toEqual(new Set([first, second]));
    expect(await findSpaceIdsByName(side.pool, 'never')).toEqual([]);
  });
});

describe('managed topics', () => {
  it('are paged, PRIMARY first, searchable by part of the name, with their question count', async () => {
    const spaceId = past.newSpace();
    const subjectId = past.newSubject(spaceId, 'Physics');
    const waves = past.newTopic(spaceId, subjectId, 'Waves', 'SECONDARY');
    const light = past.newTopic(spaceId, subjectId, 'Light');
    const heat = past.newTopic(spaceId, subjectId, 'Heat 100%');
    const ada = past.newStudent();
    past.join(ada, spaceId);
    past.ask(ada, waves);
    await side.record(past);
    const names = async (options: object) => {
      const { docs, hasNext } = await pageOfTopics(side.pool, { subjectId, ...options });
      return { names: docs.map(({ topicName }) => topicName), hasNext };
    };
    expect(await names({})).toEqual({ names: ['Heat 100%', 'Light', 'Waves'], hasNext: false });
    expect(await names({ limit: 2 })).toEqual({ names: ['Heat 100%', 'Light'], hasNext: true });
    expect(await names({ limit: 2, page: 2 })).toEqual({ names: ['Waves'], hasNext: false });
    expect(await names({ search: '0%' })).toEqual({ names: ['Heat 100%'], hasNext: false });
    expect(await findManagedTopic(side.pool, waves.topicId)).toMatchObject({
      topicType: 'SECONDARY',
      questionCount: 1,
      subject: { subjectName: 'Physics' },
    });
    expect(await findManagedTopic(side.pool, light.topicId)).toMatchObject({ questionCount: 0 });
    expect(await findManagedTopic(side.pool, heat.spaceId)).toBeNull();
  });
});
