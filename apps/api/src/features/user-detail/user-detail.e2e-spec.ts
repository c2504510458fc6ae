import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bootApp, type SignedUpStudent, type TestApp } from '../../../../../test/app.js';
import { newCommunity, newMember, newSpace, type Community } from '../../../../../test/community.js';
import { Participant } from '../../../../../test/participant.js';

interface Detail {
  readonly accountStatus: string | null;
  readonly isBlockable: boolean;
  readonly questionsAsked: number;
}

let app: TestApp;
let community: Community;
let ada: Participant;
let bob: Participant;
let moderator: Participant;
beforeAll(async () => {
  app = await bootApp();
  community = await newCommunity(app, 3);
  [ada, bob, moderator] = community.members.map((student) => new Participant(app, student, community)) as [
    Participant,
    Participant,
    Participant,
  ];
  await app.grantRole(moderator.student.studentId, 'MODERATOR', community.spaceId);
}, 60_000);
afterAll(() => app.close());

const FIELDS = `{ _id userName firstName lastName profileDesc realProfilePicUrl joinedAt isMember reputations commitments score
  rank questionsAsked questionsAnswered answersAccepted accountStatus isBlockable }`;
const about = ({ studentId }: SignedUpStudent, spaceId = community.spaceId) =>
  `studentId: "${studentId}", space: "${spaceId}"`;
const detail = (by: Participant, student: SignedUpStudent) =>
  by.query<Detail | null>(`getStudentDetail(${about(student)}) ${FIELDS}`);
const posts = (student: SignedUpStudent, more = '') =>
  `getStudentPosts(student: "${student.studentId}", space: "${community.spaceId}"${more})
   { docs { _id postType title excerpt createdAt upvoteCount isAccepted question { _id } } page totalPages }`;
const block = (student: SignedUpStudent, spaceId?: string, reason = 'Spam in every thread') =>
  `blockStudent(${about(student, spaceId)}, reason: "${reason}") ${FIELDS}`;
const unblock = (student: SignedUpStudent, spaceId?: string) =>
  `unblockStudent(${about(student, spaceId)}, reason: "It was a mistake") ${FIELDS}`;
const forbidden = { message: 'You are not allowed to do this.', code: 'FORBIDDEN' };
const unknown = { message: 'Student does not exist.', code: 'NOT_FOUND' };

describe('a student of the space', () => {
  it('is shown to its members with counts and posts', async () => {
    const questionId = await ada.ask({ title: 'Is zero even?', body: '<p>I think so.</p>' });
    const answerId = await bob.answer(questionId, '<p>It is.</p>');
    await ada.does(`acceptAnswer(answerId: "${answerId}", questionId: "${questionId}") { _id }`);
    expect(await detail(ada, bob.student)).toMatchObject({
      _id: bob.student.studentId,
      userName: bob.student.userName,
      isMember: true,
      reputations: 101,
      commitments: 10,
      score: 111,
      rank: 1,
      questionsAsked: 0,
      questionsAnswered: 1,
      answersAccepted: 1,
      accountStatus: null,
      isBlockable: false,
    });
    expect(await ada.query(posts(bob.student))).toMatchObject({
      docs: [
        { _id: answerId, postType: 'ANSWER', title: 'Is zero even?', excerpt: 'It is.', isAccepted: true },
      ],
      totalPages: 1,
    });
    expect(await bob.query(posts(ada.student, ', paginateOptions: { page: 1, limit: 1 }'))).toMatchObject({
      docs: [{ postType: 'QUESTION', isAccepted: true, question: { _id: questionId } }],
    });
  });

  it('reads 0 everywhere before the first deed', async () => {
    const newcomer = await newMember(app, community.spaceId);
    expect(await detail(ada, newcomer)).toMatchObject({ score: 0, rank: null, questionsAsked: 0 });
    expect(await ada.query(posts(newcomer))).toEqual({ docs: [], page: 1, totalPages: 0 });
  });

  it('is nobody where the space does not know the id', async () => {
    const outsider = await app.signUp();
    expect(await detail(ada, outsider)).toBeNull();
    expect(await ada.query(posts(outsider))).toMatchObject({ docs: [] });
    expect(await detail(ada, { ...outsider, studentId: randomUUID() })).toBeNull();
  });

  it('is hidden from those who have not joined', async () => {
    const eve = new Participant(app, await app.signUp(), community);
    const stranger = { message: 'Join the space to take part.', code: 'FORBIDDEN' };
    expect(await eve.refusal(`{ getStudentDetail(${about(ada.student)}) { _id } }`)).toEqual(stranger);
    expect(await eve.refusal(`{ ${posts(ada.student)} }`)).toEqual(stranger);
    for (const operation of [
      `{ getStudentDetail(${about(ada.student)}) { _id } }`,
      `{ ${posts(ada.student)} }`,
      `mutation { ${block(ada.student)} }`,
      `mutation { ${unblock(ada.student)} }`,
    ]) {
      const { errors } = await app.graphql(operation);
      expect(errors?.[0]?.extensions.code).toBe('UNAUTHENTICATED');
    }
  });
});

describe('blocking', () => {
  it('by a moderator ends the sessions until it is taken back', async () => {
    const spammer = new Participant(app, await newMember(app, community.spaceId), community);
    expect(await detail(moderator, spammer.student)).toMatchObject({
      accountStatus: 'ACTIVE',
      isBlockable: true,
    });
    const { data } = await moderator.mutate<Detail>(block(spammer.student));
    expect(data.done).toMatchObject({ accountStatus: 'BLOCKED', isBlockable: true });
    expect(await spammer.refusal('{ getStudent { _id } }')).toMatchObject({ code: 'UNAUTHENTICATED' });
    const { userName, password } = spammer.student;
    const login = `mutation($userName: String!, $password: String!) {
      login(userName: $userName, password: $password, userType: "student") { accessToken error } }`;
    const logIn = () =>
      app.graphql<{ login: { accessToken: string | null; error: string | null } }>(
        login.replace('mutation', 'query'),
        { userName, password },
      );
    expect((await logIn()).data.login.accessToken).toBeNull();
    expect((await moderator.mutate<Detail>(unblock(spammer.student))).data.done).toMatchObject({
      accountStatus: 'ACTIVE',
    });
    expect((await logIn()).data.login.accessToken).not.toBeNull();
  });

  it('needs a reason', async () => {
    expect(await moderator.refusal(`mutation { ${block(bob.student, undefined, ' ')} }`)).toEqual({
      message: 'Please tell the reason.',
      code: 'VALIDATION_FAILED',
      field: 'reason',
    });
  });

  it('is for moderators of that space, never against a maintainer or oneself', async () => {
    const elsewhere = await newSpace(app);
    const stranger = await newMember(app, elsewhere);
    const maintainer = await newMember(app, community.spaceId);
    await app.grantRole(maintainer.studentId, 'MAINTAINER');
    for (const operation of [block, unblock]) {
      expect(await ada.refusal(`mutation { ${operation(bob.student)} }`)).toEqual(forbidden);
      expect(await moderator.refusal(`mutation { ${operation(stranger, elsewhere)} }`)).toEqual(forbidden);
      expect(await moderator.refusal(`mutation { ${operation(stranger)} }`)).toEqual(unknown);
      expect(await moderator.refusal(`mutation { ${operation(maintainer)} }`)).toEqual(forbidden);
      expect(await moderator.refusal(`mutation { ${operation(moderator.student)} }`)).toEqual(forbidden);
    }
    expect(await detail(moderator, maintainer)).toMatchObject({ isBlockable: false });
    expect(await detail(moderator, moderator.student)).toMatchObject({ isBlockable: false });
    const boss = new Participant(app, maintainer, community);
    expect(await detail(boss, bob.student)).toMatchObject({ accountStatus: 'ACTIVE', isBlockable: true });
  });
});
