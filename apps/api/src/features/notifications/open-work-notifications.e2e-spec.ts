import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@nimo/testing';
import { randomUUID } from 'node:crypto';
import { bootApp, type TestApp } from '../../../../../test/app.js';
import { newCommunity, newMember, newSpace } from '../../../../../test/community.js';
import { concurrently } from '../../../../../test/concurrently.js';
import { Participant } from '../../../../../test/participant.js';
import { listenTo } from '../../../../../test/servers/listener.js';
import { newSteppingClock } from '../../../../../test/stepping-clock.js';

const TEN_MINUTES = 10 * 60_000;

const clock = newSteppingClock();
let app: TestApp;
beforeAll(async () => {
  app = await bootApp({}, { clock: clock.now });
});
afterAll(() => app.close());

const LIST = `{ docs { _id type title body isNew payload {
  ... on CaseNotification { postId postType questionTitle openReports space spaceName }
  ... on PatternNotification { patterns space spaceName } } } }`;
interface Listed {
  readonly type: string;
  readonly isNew: boolean;
  readonly payload: { readonly space?: string };
}

/** A space with two moderators who are not members, one of them for all spaces, and members. */
async function newSpaceWithModerators(memberCount = 4) {
  // A name belongs to one space only.
  const spaceName = `Robotics ${randomUUID().slice(0, 8)}`;
  const community = await newCommunity(app, memberCount, { name: spaceName });
  const { spaceId } = community;
  const members = community.members.map((student) => new Participant(app, student, community));
  const newcomer = async () => new Participant(app, await app.signUp(), community);
  const [moderator, ofAllSpaces] = [await newcomer(), await newcomer()];
  await app.grantRole(moderator.student.studentId, 'MODERATOR', spaceId);
  await app.grantRole(ofAllSpaces.student.studentId, 'MODERATOR');
  /** Open work of the space, as listed among that of all moderated spaces or in `place`. */
  const listOf = async (who: Participant, place?: string): Promise<readonly Listed[]> => {
    const { docs } = await who.query<{ docs: readonly Listed[] }>(
      `getPaginatedNotifications${place === undefined ? '' : `(space: "${place}")`} ${LIST}`,
    );
    return docs.filter(({ payload }) => payload.space === spaceId);
  };
  return { community, spaceId, spaceName, members, newcomer, moderator, ofAllSpaces, listOf };
}

const countFor = (who: Participant) => who.query<number>('getNewNotificationCount');
const counts = (who: Participant) =>
  who.query<Record<string, number>>('getModerationCounts { reportedPosts entryRequests votePatterns }');
const report = async (who: Participant, postId: string) => {
  await who.perform(`reportPost(postId: "${postId}", postType: QUESTION, reason: "Its spam") { _id }`);
  await app.caughtUp();
};
const seenOf = async (who: Participant, postId: string) => {
  const seen = await who.query<{ revision: number; openReports: number }>(
    `getModerationCase(postId: "${postId}") { revision openReports }`,
  );
  return `seen: { revision: ${seen.revision}, openReports: ${seen.openReports} }`;
};
const rule = async (who: Participant, name: string, postId: string) =>
  who.perform(`${name}(postId: "${postId}", reason: "Spam", ${await seenOf(who, postId)}) { _id }`);

describe('a reported post', () => {
  it('notifies every moderator of its space until one decides', async () => {
    const { spaceId, spaceName, members, moderator, ofAllSpaces, listOf } = await newSpaceWithModerators();
    const [author, reporter] = members as [Participant, Participant];
    const postId = await author.ask({ title: 'Buy this' });
    await report(reporter, postId);
    const notified = {
      _id: `POST_REPORTED:${postId}`,
      type: 'POST_REPORTED',
      title: `Reported post in ${spaceName}: 1 open report`,
      body: 'Buy this',
      isNew: true,
      payload: {
        ...{ postId, postType: 'QUESTION', questionTitle: 'Buy this', openReports: 1 },
        ...{ space: spaceId, spaceName },
      },
    };
    for (const who of [moderator, ofAllSpaces])
      for (const space of [undefined, spaceId]) expect(await listOf(who, space)).toEqual([notified]);
    expect(await countFor(moderator)).toBe(1);
    expect(await counts(moderator)).toEqual({ reportedPosts: 1, entryRequests: 0, votePatterns: 0 });

    await moderator.perform('markNotificationsSeen');
    expect(await countFor(moderator)).toBe(0);
    expect(await listOf(moderator, spaceId)).toMatchObject([{ isNew: false }]);
    expect(await listOf(ofAllSpaces)).toMatchObject([{ isNew: true }]);

    await rule(moderator, 'upholdReports', postId);
    for (const who of [moderator, ofAllSpaces]) expect(await listOf(who)).toEqual([]);
    expect(await counts(moderator)).toEqual({ reportedPosts: 0, entryRequests: 0, votePatterns: 0 });
  });

  it('is new again once it is handed over to a moderator, or reaches the report threshold', async () => {
    const { members, moderator, ofAllSpaces, listOf } = await newSpaceWithModerators(5);
    const [author, one, two, three] = members as [Participant, Participant, Participant, Participant];
    const postId = await author.ask();
    await report(one, postId);
    for (const who of [moderator, ofAllSpaces]) await who.perform('markNotificationsSeen');
    const seen = await seenOf(moderator, postId);
    const to = ofAllSpaces.student.studentId;
    await moderator.perform(`handOverReports(postId: "${postId}", toModeratorId: "${to}", ${seen}) { _id }`);
    expect(await listOf(moderator)).toMatchObject([{ type: 'POST_REPORTED', isNew: false }]);
    expect(await listOf(ofAllSpaces)).toMatchObject([{ type: 'CASE_ESCALATED', isNew: true }]);
    for (const reporter of [two, three]) await report(reporter, postId);
    expect(await listOf(moderator)).toMatchObject([{ type: 'CASE_ESCALATED', isNew: true }]);
  });

  it('notifies neither its author, its reporters, nor people who do not moderate the space', async () => {
    const { community, spaceId, members, listOf } = await newSpaceWithModerators();
    const [author, reporter, member] = members as [Participant, Participant, Participant];
    const [elsewhere, maintainer] = [
      new Participant(app, await newMember(app, spaceId), community),
      new Participant(app, await newMember(app, spaceId), community),
    ];
    for (const who of [author, reporter]) await app.grantRole(who.student.studentId, 'MODERATOR', spaceId);
    await app.grantRole(elsewhere.student.studentId, 'MODERATOR', await newSpace(app));
    await app.grantRole(maintainer.student.studentId, 'MAINTAINER');
    await report(reporter, await author.ask());
    for (const who of [author, reporter, member, elsewhere, maintainer])
      expect(await listOf(who, spaceId)).toEqual([]);
    for (const who of [author, reporter, elsewhere]) {
      expect(await listOf(who)).toEqual([]);
      expect(await counts(who)).toMatchObject({ reportedPosts: 0 });
    }
  });
});

describe('notifications of all moderated spaces', () => {
  it('are refused without the role of a moderator', async () => {
    const { members } = await newSpaceWithModerators(2);
    const [member, maintainer] = members as [Participant, Participant];
    await app.grantRole(maintainer.student.studentId, 'MAINTAINER');
    for (const operation of [
      '{ getPaginatedNotifications { page } }',
      '{ getNewNotificationCount }',
      '{ getModerationCounts { reportedPosts } }',
      'mutation { markNotificationsSeen }',
    ])
      for (const who of [member, maintainer]) expect((await who.refusal(operation)).code).toBe('FORBIDDEN');
  });

  it('count and list requests to join', async () => {
    const { moderator, newcomer } = await newSpaceWithModerators(1);
    const { spaceId: closed } = await newCommunity(app, 1, { entry: 'REQUEST' });
    await app.grantRole(moderator.student.studentId, 'MODERATOR', closed);
    const asker = await newcomer();
    await asker.perform(`requestEntry(spaceId: "${closed}") { _id }`);
    expect(await counts(moderator)).toMatchObject({ entryRequests: 1 });
    const { docs } = await moderator.query<{ docs: readonly object[] }>(
      'getPaginatedNotifications { docs { type payload { ... on EntryRequestNotification { space } } } }',
    );
    expect(docs).toEqual([{ type: 'ENTRY_REQUESTED', payload: { space: closed } }]);
  });

  it('signal reports and decisions to moderators, but not to the author', async () => {
    const { spaceId, members, moderator } = await newSpaceWithModerators();
    const [author, reporter, second] = members as [Participant, Participant, Participant];
    await app.grantRole(author.student.studentId, 'MODERATOR', spaceId);
    const listeners = [moderator, author].map(({ student }) =>
      listenTo(app, 'notificationArrived { space }', student.token),
    );
    const heard = () => listeners.map((listener) => listener.heard.length);
    const untilHeard = (count: number) => eventually(() => Promise.resolve((heard()[0] ?? 0) >= count));
    try {
      await eventually(() => Promise.resolve(heard().every((length) => length > 0)));
      const postId = await author.ask();
      await report(reporter, postId);
      await untilHeard(2);
      await rule(moderator, 'dismissReports', postId);
      await untilHeard(3);
      // Signals arrive in order: this one reaches both.
      await report(reporter, await second.ask());
      await untilHeard(4);
      await eventually(() => Promise.resolve((heard()[1] ?? 0) >= 2));
      expect(heard()[1]).toBe(2);
    } finally {
      for (const listener of listeners) await listener.close();
    }
  });
});

describe('vote patterns', () => {
  it('notify moderators of the space once, except those they concern, until they are triaged', async () => {
    const { spaceId, spaceName, members, moderator, ofAllSpaces, listOf } = await newSpaceWithModerators(14);
    const ring = members.slice(0, 3);
    const posts = new Map<Participant, string[]>();
    await concurrently(members, async (person) => {
      const own: string[] = [];
      for (let post = 0; post < (ring.includes(person) ? 10 : 1); post += 1) own.push(await person.ask());
      posts.set(person, own);
    });
    for (const group of [ring, members.slice(3)])
      await concurrently(group, async (voter) => {
        for (const author of group)
          if (author !== voter)
            for (const post of posts.get(author) ?? [])
              await voter.perform(`upvoteQuestion(questionId: "${post}") { _id }`);
      });
    await app.caughtUp();
    const patterns = await moderator.query<readonly { _id: string; votes: number }[]>(
      `getVotePatterns(space: "${spaceId}") { _id votes }`,
    );
    expect(patterns).toHaveLength(1);
    const notified = {
      _id: `PATTERNS_FOUND:${spaceId}`,
      type: 'PATTERNS_FOUND',
      title: `1 vote pattern to triage in ${spaceName}`,
      payload: { patterns: 1, space: spaceId, spaceName },
    };
    clock.advance(TEN_MINUTES);
    for (const who of [moderator, ofAllSpaces]) expect(await listOf(who)).toMatchObject([notified]);
    // In the space, from what was detected for the staff areas.
    expect(await listOf(moderator, spaceId)).toMatchObject([notified]);
    expect(await counts(moderator)).toMatchObject({ votePatterns: 1 });

    const suspect = ring[0] as Participant;
    await app.grantRole(suspect.student.studentId, 'MODERATOR', spaceId);
    expect(await counts(suspect)).toMatchObject({ votePatterns: 0 });

    await moderator.perform('markNotificationsSeen');
    expect(await listOf(moderator)).toMatchObject([{ isNew: false }]);
    clock.advance(TEN_MINUTES);
    expect(await listOf(moderator)).toMatchObject([{ isNew: false }]);

    for (const { _id, votes } of patterns)
      await moderator.perform(
        `triageVotePattern(space: "${spaceId}", pattern: "${_id}", verdict: HARMLESS, votes: ${votes}, revision: 0) { _id }`,
      );
    for (const who of [moderator, ofAllSpaces]) expect(await listOf(who)).toEqual([]);
    expect(await counts(moderator)).toMatchObject({ votePatterns: 0 });
  });
});
