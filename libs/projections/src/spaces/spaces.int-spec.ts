import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EventHistory } from '../testing/event-history.fixture.js';
import { openReadSide, type ReadSide } from '../testing/read-side.fixture.js';
import { pageOfEntryRequests } from './entry-requests.queries.js';
import { listOwnLeaderboardScores } from '../leaderboard/leaderboard.queries.js';
import { findQuestionById } from '../questions/question-pages.queries.js';
import { findManagedSpace, findManagedSubject, findManagedTopic } from './managed-spaces.queries.js';
import {
  findSpaceById,
  findSpaceIdsOfSubjects,
  findSubjectById,
  findTopicById,
  findTopicsByIds,
  hasRemovedSpace,
  isMemberOf,
  listPopularTopics,
  listSpaces,
  listSpacesOf,
  listSubjects,
  listTopicsOfSubjects,
} from './spaces.queries.js';

let side: ReadSide;
beforeAll(async () => {
  side = await openReadSide();
});
afterAll(() => side.close());

const past = new EventHistory();
const names = (topics: readonly { readonly topicName: string }[]) => topics.map(({ topicName }) => topicName);

describe('a space', () => {
  it('counts its members and shows viewers whether they joined', async () => {
    const [spaceId, other] = [past.newSpace({ name: 'French' }), past.newSpace()];
    const [ada, ben] = [past.newStudent(), past.newStudent()];
    past.join(ada, spaceId);
    past.join(ben, spaceId);
    past.join(ada, other);
    past.append(`membership-${spaceId}-${ada}`, { type: 'SpaceJoined', data: { spaceId, studentId: ada } });
    past.leave(ben, spaceId);
    past.append(`membership-${spaceId}-${ben}`, { type: 'SpaceLeft', data: { spaceId, studentId: ben } });
    await side.record(past);
    expect(await findSpaceById(side.pool, spaceId, ada)).toMatchObject({
      name: 'French',
      joined: true,
      memberCount: 1,
    });
    expect(await findSpaceById(side.pool, spaceId, null)).toMatchObject({ joined: false });
    expect(await isMemberOf(side.pool, spaceId, ben)).toBe(false);
    past.join(ben, spaceId);
    await side.record(past);
    expect(await isMemberOf(side.pool, spaceId, ben)).toBe(true);
    expect((await listSpacesOf(side.pool, ada)).map(({ _id }) => _id)).toEqual([spaceId, other]);
    const all = await listSpaces(side.pool, ben);
    expect(all.filter(({ joined }) => joined).map(({ _id }) => _id)).toEqual([spaceId]);
    expect(all[0]).toMatchObject({ _id: spaceId, memberCount: 2 });
  });

  it('does not count the stand-ins of an import as members', async () => {
    const spaceId = past.newSpace({ name: 'Imported' });
    const people = [past.newStudent(), past.newStudent()];
    const standIns = [past.newStandIn(), past.newStandIn(), past.newStandIn()];
    for (const studentId of [...people, ...standIns]) past.join(studentId, spaceId);
    const place = past.newTopic(spaceId, past.newSubject(spaceId));
    const question = past.ask(people[0] ?? '', place);
    await side.record(past);
    const memberCounts = async () => [
      (await findSpaceById(side.pool, spaceId, null))?.memberCount,
      (await findManagedSpace(side.pool, spaceId))?.memberCount,
      (await listSpaces(side.pool, null)).find(({ _id }) => _id === spaceId)?.memberCount,
      (await findQuestionById(side.pool, question, null))?.space.memberCount,
      (await listOwnLeaderboardScores(side.pool, people[0] ?? ''))[0]?.space.memberCount,
    ];
    expect(await memberCounts()).toEqual([2, 2, 2, 2, 2]);
    past.leave(standIns[0] ?? '', spaceId);
    past.leave(people[1] ?? '', spaceId);
    await side.record(past);
    expect(await memberCounts()).toEqual([1, 1, 1, 1, 1]);
  });

  it('is hidden during its import, even from members', async () => {
    const ada = past.newStudent();
    const spaceId = past.newSpace({ entry: 'IMPORTING', publicPages: false });
    past.join(ada, spaceId);
    await side.record(past);
    const idsOf = (spaces: readonly { readonly _id: string }[]) => spaces.map(({ _id }) => _id);
    expect(idsOf(await listSpaces(side.pool, ada))).not.toContain(spaceId);
    expect(idsOf(await listSpacesOf(side.pool, ada))).toEqual([]);
    expect(await findSpaceById(side.pool, spaceId, ada)).toBeNull();
    expect(await findManagedSpace(side.pool, spaceId)).toMatchObject({ entry: 'IMPORTING' });
    past.append(`space-${spaceId}`, { type: 'SpaceRemoved', data: { spaceId, name: 'Space' } });
    await side.record(past);
    expect(await findManagedSpace(side.pool, spaceId)).toBeNull();
  });

  it('is read-only and closed to others while archived, and the same as before afterwards', async () => {
    const [ada, ben] = [past.newStudent(), past.newStudent()];
    const spaceId = past.newSpace({ name: 'Alumni', publicPages: true, hiddenFromSearchEngines: false });
    past.join(ada, spaceId);
    await side.record(past);
    const before = await findManagedSpace(side.pool, spaceId);
    past.append(`space-${spaceId}`, { type: 'SpaceArchived', data: { spaceId, name: 'Alumni' } });
    await side.record(past);
    const idsOf = (spaces: readonly { readonly _id: string }[]) => spaces.map(({ _id }) => _id);
    expect(idsOf(await listSpaces(side.pool, ben))).not.toContain(spaceId);
    expect(idsOf(await listSpaces(side.pool, ada))).toContain(spaceId);
    expect(await listSpacesOf(side.pool, ada)).toMatchObject([{ isArchived: true, joined: true }]);
    expect(await findManagedSpace(side.pool, spaceId)).toMatchObject({
      ...{ isArchived: true, entry: 'INVITATION', publicPages: false, hiddenFromSearchEngines: true },
    });
    past.append(`space-${spaceId}`, {
      type: 'SpaceUnarchived',
      data: {
        ...{ spaceId, name: 'Alumni', description: before?.description ?? '', scope: 'world' },
        ...{ bannerImageUrl: null, color: before?.color ?? '', hiddenFromSearchEngines: false },
        ...{ entry: 'OPEN', publicPages: true, consentAge: null },
      },
    });
    await side.record(past);
    expect(await findManagedSpace(side.pool, spaceId)).toEqual(before);
    expect(idsOf(await listSpaces(side.pool, ben))).toContain(spaceId);
  });

  it('is gone with its members, subjects and topics once removed', async () => {
    const [ada, ben] = [past.newStudent(), past.newStudent()];
    const spaceId = past.newSpace({ name: 'Alumni' });
    const subjectId = past.newSubject(spaceId);
    const { topicId } = past.newTopic(spaceId, subjectId);
    for (const student of [ada, ben]) past.join(student, spaceId);
    past.append(`space-${spaceId}`, { type: 'SpaceArchived', data: { spaceId, name: 'Alumni' } });
    await side.record(past);
    expect(await isMemberOf(side.pool, spaceId, ada)).toBe(true);
    past.append(`space-${spaceId}`, { type: 'SpaceRemoved', data: { spaceId, name: 'Alumni' } });
    await side.record(past);
    expect([
      await findSpaceById(side.pool, spaceId, ada),
      await findManagedSpace(side.pool, spaceId),
      await findSubjectById(side.pool, subjectId),
      await findManagedSubject(side.pool, subjectId),
      await findTopicById(side.pool, topicId),
      await findManagedTopic(side.pool, topicId),
    ]).toEqual(Array.from({ length: 6 }, () => null));
    expect([
      ...(await listSpacesOf(side.pool, ada)),
      ...(await listSubjects(side.pool, spaceId)),
      ...(await listTopicsOfSubjects(side.pool, { subjectIds: [subjectId] })),
    ]).toEqual([]);
    expect(await isMemberOf(side.pool, spaceId, ada)).toBe(false);
    expect(await hasRemovedSpace(side.pool, [spaceId])).toBe(true);
    const { rows } = await side.pool.query('select name from read.removed_spaces where space_id = $1', [
      spaceId,
    ]);
    expect(rows).toEqual([{ name: 'Alumni' }]);
    expect(
      (await side.pool.query('select from read.archived_spaces where space_id = $1', [spaceId])).rows,
    ).toEqual([]);
  });

  it('can be changed and hidden from search engines', async () => {
    const spaceId = past.newSpace();
    past.append(`space-${spaceId}`, {
      type: 'SpaceChanged',
      data: {
        spaceId,
        name: 'Renamed',
        description: 'd',
        scope: 'world',
        bannerImageUrl: '/media/b.webp',
        color: 'ffffff',
        hiddenFromSearchEngines: true,
        entry: 'OPEN',
        publicPages: true,
        consentAge: null,
      },
    });
    await side.record(past);
    expect(await findSpaceById(side.pool, spaceId, null)).toMatchObject({
      name: 'Renamed',
      bannerImageUrl: '/media/b.webp',
    });
    const { rows } = await side.pool.query<{ hidden: boolean }>(
      'select is_hidden_from_search_engines as hidden from read.spaces where space_id = $1',
      [spaceId],
    );
    expect(rows).toEqual([{ hidden: true }]);
    expect(await findSpaceById(side.pool, 'nowhere', null)).toBeNull();
  });
});

describe('a space that is not open', () => {
  it('shows non-members only its name and description', async () => {
    const spaceId = past.newSpace({ entry: 'REQUEST', publicPages: false, bannerImageUrl: '/media/c.webp' });
    const [ada, ben] = [past.newStudent(), past.newStudent()];
    past.join(ada, spaceId);
    await side.record(past);
    expect(await findSpaceById(side.pool, spaceId, ada)).toMatchObject({
      memberCount: 1,
      bannerImageUrl: '/media/c.webp',
    });
    for (const viewer of [ben, null])
      expect(await findSpaceById(side.pool, spaceId, viewer)).toMatchObject({
        name: 'Space',
        entry: 'REQUEST',
        memberCount: null,
        bannerImageUrl: null,
      });
  });

  it('lists open requests and shows their outcome', async () => {
    const spaceId = past.newSpace({ entry: 'REQUEST' });
    const [ada, ben, eve] = [past.newStudent(), past.newStudent(), past.newStudent()];
    const stream = (studentId: string) => `membership-${spaceId}-${studentId}`;
    for (const studentId of [ada, ben, eve])
      past.append(stream(studentId), {
        type: 'EntryRequested',
        data: { spaceId, studentId, text: 'Hello' },
      });
    await side.record(past);
    const waiting = async () =>
      (await pageOfEntryRequests(side.pool, { spaceId })).docs.map(({ _id, text }) => [_id, text]);
    expect(await waiting()).toEqual([
      [ada, 'Hello'],
      [ben, 'Hello'],
      [eve, 'Hello'],
    ]);
    expect(await findSpaceById(side.pool, spaceId, ada)).toMatchObject({ request: 'OPEN' });
    past.append(
      stream(ada),
      { type: 'EntryRequestAccepted', data: { spaceId, studentId: ada } },
      { type: 'SpaceJoined', data: { spaceId, studentId: ada } },
    );
    past.append(stream(ben), {
      type: 'EntryRequestRefused',
      data: { spaceId, studentId: ben, reason: 'For 7b' },
    });
    past.append(stream(eve), { type: 'EntryRequestWithdrawn', data: { spaceId, studentId: eve } });
    await side.record(past);
    expect(await waiting()).toEqual([]);
    expect(await findSpaceById(side.pool, spaceId, ada)).toMatchObject({ joined: true, request: null });
    expect(await findSpaceById(side.pool, spaceId, ben)).toMatchObject({
      request: 'REFUSED',
      requestReason: 'For 7b',
    });
    expect(await findSpaceById(side.pool, spaceId, eve)).toMatchObject({ request: null });
  });
});

describe('subjects and topics', () => {
  it('list PRIMARY topics first, filter by literal name, and reflect changes', async () => {
    const spaceId = past.newSpace();
    const [maths, physics] = [past.newSubject(spaceId), past.newSubject(spaceId, 'Physics')];
    past.newTopic(spaceId, maths, 'Zeta 100%');
    past.newTopic(spaceId, maths, 'Algebra', 'SECONDARY');
    const { topicId } = past.newTopic(spaceId, physics, 'beta');
    past.append(`space-${spaceId}`, {
      type: 'SubjectChanged',
      data: { spaceId, subjectId: physics, subjectName: 'Optics', color: '00ff00' },
    });
    past.append(`topic-${physics}-beta`, {
      type: 'TopicChanged',
      data: {
        topicId,
        spaceId,
        subjectId: physics,
        topicName: 'Gamma',
        slug: 'beta',
        topicType: 'PRIMARY',
        imageS3Url: '/media/t.webp',
      },
    });
    await side.record(past);
    expect((await listSubjects(side.pool, spaceId)).map(({ subjectName }) => subjectName)).toEqual([
      'Mathematics',
      'Optics',
    ]);
    const subjectIds = [maths, physics];
    expect(names(await listTopicsOfSubjects(side.pool, { subjectIds }))).toEqual([
      'Gamma',
      'Zeta 100%',
      'Algebra',
    ]);
    expect(names(await listTopicsOfSubjects(side.pool, { subjectIds, search: '0%' }))).toEqual(['Zeta 100%']);
    expect(names(await listTopicsOfSubjects(side.pool, { subjectIds, search: 'a_g' }))).toEqual([]);
    expect(names(await findTopicsByIds(side.pool, [topicId, 'none']))).toEqual(['Gamma']);
    expect(await findTopicById(side.pool, topicId)).toMatchObject({
      topicName: 'Gamma',
      imageS3Url: '/media/t.webp',
      spaceId,
      subject: { _id: physics, subjectName: 'Optics', color: '00ff00' },
    });
    expect(await findTopicById(side.pool, 'none')).toBeNull();
    expect(await findSpaceIdsOfSubjects(side.pool, subjectIds)).toEqual([spaceId]);
  });

  it('rank topics by number of questions, excluding removed ones', async () => {
    const spaceId = past.newSpace();
    const ada = past.newStudent();
    const subjectId = past.newSubject(spaceId);
    const [quiet, busy, secondary] = [
      past.newTopic(spaceId, subjectId, 'Quiet'),
      past.newTopic(spaceId, subjectId, 'Busy'),
      past.newTopic(spaceId, past.newSubject(spaceId, 'Physics'), 'Own', 'SECONDARY'),
    ];
    for (const place of [busy, busy, secondary]) past.ask(ada, place);
    past.deleteQuestion(past.ask(ada, quiet));
    await side.record(past);
    expect(names(await listPopularTopics(side.pool, { spaceId }))).toEqual(['Busy', 'Own', 'Quiet']);
    expect(names(await listPopularTopics(side.pool, { spaceId, topicType: 'PRIMARY' }))).toEqual([
      'Busy',
      'Quiet',
    ]);
    const ofSubject = await listPopularTopics(side.pool, { spaceId, subjectIds: [subjectId], limit: 1 });
    expect(names(ofSubject)).toEqual(['Busy']);
  });
});
