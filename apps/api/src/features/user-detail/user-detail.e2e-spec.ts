import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Role } from '@nimo/domain';
import { sharedApp, type SignedUpStudent, type TestApp } from '../../../../../test/app.js';
import { newCommunity, newMember, newSpace, type Community } from '../../../../../test/community.js';
import { Participant, refusalOf } from '../../../../../test/participant.js';
import { SuspendMember } from './commands/suspend-member.js';
import { ArchiveSpace } from '../spaces/commands/manage-space.js';
import { JoinSpace } from '../spaces/commands/join-space.js';
import { eventually } from '@nimo/testing';

interface Detail {
  readonly accountStatus: string | null;
  readonly isBlockable: boolean;
  readonly questionsAsked: number;
  readonly score: number;
}

let app: TestApp;
let community: Community;
let ada: Participant;
let bob: Participant;
let moderator: Participant;
beforeAll(async () => {
  app = await sharedApp();
  community = await newCommunity(app, 3);
  [ada, bob, moderator] = community.members.map((student) => new Participant(app, student, community)) as [
    Participant,
    Participant,
    Participant,
  ];
  await app.grantRole(moderator.student.studentId, 'MODERATOR', community.spaceId);
});

const FIELDS = `{ _id userName firstName lastName profileDesc realProfilePicUrl joinedAt isMember reputations commitments score
  rank questionsAsked questionsAnswered answersAccepted accountStatus blockScope isBlockable blockRefusal
  isSuspendable suspendedUntil }`;
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
const forbidden = { message: 'You don’t have permission to do this.', code: 'FORBIDDEN' };
const unknown = { message: 'Student not found.', code: 'NOT_FOUND' };

describe('a student of the space', () => {
  it('is shown to members with counts and posts', async () => {
    const questionId = await ada.ask({ title: 'Is zero even?', body: '<p>I think so.</p>' });
    const answerId = await bob.answer(questionId, '<p>It is.</p>');
    await ada.perform(`acceptAnswer(answerId: "${answerId}", questionId: "${questionId}") { _id }`);
    // Accepting waits only for the question; the points follow.
    const seen = await eventually(
      () => detail(ada, bob.student),
      (shown) => shown?.score === 111,
    );
    expect(seen).toMatchObject({
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

  it('has only zeros before the first contribution', async () => {
    const newcomer = await newMember(app, community.spaceId);
    expect(await detail(ada, newcomer)).toMatchObject({ score: 0, rank: null, questionsAsked: 0 });
    expect(await ada.query(posts(newcomer))).toEqual({ docs: [], page: 1, totalPages: 0 });
  });

  it('is null if never a member of the space', async () => {
    const outsider = await app.signUp();
    expect(await detail(ada, outsider)).toBeNull();
    expect(await ada.query(posts(outsider))).toMatchObject({ docs: [] });
    expect(await detail(ada, { ...outsider, studentId: randomUUID() })).toBeNull();
  });

  it('is hidden from non-members', async () => {
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
  const newStudent = async () => new Participant(app, await newMember(app, community.spaceId), community);
  const newStaff = async (role: Role, spaceId?: string): Promise<Participant> => {
    const staff = await newStudent();
    await app.grantRole(staff.student.studentId, role, spaceId);
    return staff;
  };
  const login = (of: Participant) =>
    app.graphql<{ login: { accessToken: string | null; error: string | null } }>(
      `query($userName: String!, $password: String!) {
        login(userName: $userName, password: $password, userType: "student") { accessToken error } }`,
      { userName: of.student.userName, password: of.student.password },
    );

  it('by a moderator of the space suspends only there, without touching the account or other spaces', async () => {
    const spammer = await newStudent();
    const elsewhere = await newCommunity(app, 1);
    await app.execute(new JoinSpace(app.contextOf(spammer.student.studentId), elsewhere.spaceId));
    const [question, answered] = [await ada.ask(), await ada.ask()];
    const answer = await ada.answer(answered);
    expect(await detail(moderator, spammer.student)).toMatchObject({
      accountStatus: 'ACTIVE',
      blockScope: 'SPACE',
      isBlockable: true,
    });
    expect(await moderator.perform(block(spammer.student))).toMatchObject({
      accountStatus: 'BLOCKED',
      blockScope: 'SPACE',
      isBlockable: true,
    });
    const suspended = {
      message: 'You are suspended in this space. You can read, but not take part.',
      code: 'FORBIDDEN',
    };
    expect(refusalOf(await spammer.tryToAsk())).toEqual(suspended);
    for (const operation of [
      `createAnswer(questionId: "${question}", body: "<p>x</p>") { _id }`,
      `createComment(answerId: "${answer}", body: "x") { _id }`,
      `createQuestionComment(questionId: "${question}", body: "x") { _id }`,
      `upvoteQuestion(questionId: "${question}") { _id }`,
      `downvoteAnswer(answerId: "${answer}") { _id }`,
      `reportPost(postId: "${question}", postType: QUESTION, reason: "Its spam") { _id }`,
    ])
      expect([operation, await spammer.refusal(`mutation { ${operation} }`)]).toEqual([operation, suspended]);
    const seen = `getQuestionById(questionId: "${question}") { isAuthorizedToInteract space { joined } }`;
    expect(await spammer.query(seen)).toEqual({ isAuthorizedToInteract: false, space: { joined: true } });
    expect(await spammer.perform(`saveQuestion(questionId: "${question}") { _id }`)).toEqual({
      _id: question,
    });
    expect(await new Participant(app, spammer.student, elsewhere).ask()).toBeDefined();
    expect((await login(spammer)).data.login.accessToken).not.toBeNull();
    expect(await moderator.perform(unblock(spammer.student))).toMatchObject({ accountStatus: 'ACTIVE' });
    expect(await spammer.query(seen)).toMatchObject({ isAuthorizedToInteract: true });
    expect(await spammer.ask()).toBeDefined();
  });

  it('in a space can end by itself; the student reads why, and until when', async () => {
    const [spammer, witness] = [await newStudent(), await newStudent()];
    const inSpace = `space: "${community.spaceId}"`;
    const suspend = (until: string | null, reason = 'Three adverts') =>
      `suspendMember(${about(spammer.student)}, reason: "${reason}", until: ${until === null ? 'null' : `"${until}"`}) { accountStatus blockScope isSuspendable suspendedUntil }`;
    const days = (count: number): string => new Date(Date.now() + count * 86_400_000).toISOString();
    const own = (who: Participant) =>
      who.query<{ until: string | null; reason: string } | null>(
        `getOwnSuspension(${inSpace}) { since until reason objectTo }`,
      );
    const notices = async (who: Participant) =>
      (
        await who.query<{ docs: { type: string; title: string; body: string; payload: unknown }[] }>(
          `getPaginatedNotifications(${inSpace}) { docs { type title body payload { ... on SuspensionNotification { reason until space spaceName } } } }`,
        )
      ).docs.filter(({ type }) => type === 'SUSPENDED');
    expect(await own(spammer)).toBeNull();
    expect(await detail(moderator, spammer.student)).toMatchObject({
      isSuspendable: true,
      suspendedUntil: null,
    });

    const until = days(1);
    expect(await moderator.perform(suspend(until))).toEqual({
      ...{ accountStatus: 'BLOCKED', blockScope: 'SPACE', isSuspendable: true },
      suspendedUntil: until,
    });
    expect(refusalOf(await spammer.tryToAsk()).message).toMatch(/^You are suspended in this space/);
    expect(await own(spammer)).toMatchObject({ until, reason: 'Three adverts' });
    expect(await own(witness)).toBeNull();
    expect(await detail(witness, spammer.student)).toMatchObject({
      ...{ accountStatus: null, isSuspendable: false, suspendedUntil: null },
    });
    const { name } = (
      await spammer.query<{ _id: string; name: string }[]>('getStudentSpaces { _id name }')
    ).find(({ _id }) => _id === community.spaceId) ?? { name: '' };
    expect(await notices(spammer)).toEqual([
      {
        ...{ type: 'SUSPENDED', title: `A moderator suspended you in ${name}`, body: 'Three adverts' },
        payload: { reason: 'Three adverts', until, space: community.spaceId, spaceName: name },
      },
    ]);
    expect(await notices(witness)).toEqual([]);

    const longer = days(7);
    expect(await moderator.perform(suspend(longer))).toMatchObject({ suspendedUntil: longer });
    expect(await moderator.perform(unblock(spammer.student))).toMatchObject({ accountStatus: 'ACTIVE' });
    expect([await own(spammer), await notices(spammer)]).toEqual([null, []]);
    expect(await spammer.ask()).toBeDefined();

    for (const end of [days(-1), days(400)]) {
      const { message } = await moderator.refusal(`mutation { ${suspend(end)} }`);
      expect(message).toBe('Choose an end in the future, at most 366 days from now.');
    }
    expect(await moderator.refusal(`mutation { ${suspend(null, ' ')} }`)).toMatchObject({
      code: 'VALIDATION_FAILED',
    });
    const elsewhere = await newCommunity(app, 0);
    const strangers = [witness, await newStaff('MAINTAINER'), await newStaff('MODERATOR', elsewhere.spaceId)];
    for (const who of [...strangers, spammer])
      expect((await who.refusal(`mutation { ${suspend(until)} }`)).code).toBe('FORBIDDEN');
    const colleague = await newStaff('MODERATOR', community.spaceId);
    expect(
      await moderator.refusal(`mutation { suspendMember(${about(colleague.student)}, reason: "x") { _id } }`),
    ).toMatchObject({ code: 'FORBIDDEN' });

    // A suspension of the past, which has ended by now.
    const context = { ...app.operator(), occurredAt: days(-3) };
    const { studentId } = spammer.student;
    const past = { studentId, spaceId: community.spaceId, reason: 'Earlier', until: days(-2) };
    await app.execute(new SuspendMember(context, past, 'suspend'));
    expect([await own(spammer), await notices(spammer)]).toEqual([null, []]);
    expect(await detail(moderator, spammer.student)).toMatchObject({
      ...{ accountStatus: 'ACTIVE', isSuspendable: true, suspendedUntil: null },
    });
    expect(await spammer.ask()).toBeDefined();
  });

  it('by a higher role in a space is replaced by that role only', async () => {
    const [keeper, spammer] = [await newStaff('MODERATOR'), await newStudent()];
    const suspend = (reason: string, days: number) =>
      `suspendMember(${about(spammer.student)}, reason: "${reason}", until: "${new Date(Date.now() + days * 86_400_000).toISOString()}") { isSuspendable }`;
    const own = () => spammer.query(`getOwnSuspension(space: "${community.spaceId}") { reason }`);
    expect(await moderator.perform(suspend('Adverts', 1))).toEqual({ isSuspendable: true });
    expect(await moderator.perform(suspend('Insults', 1))).toEqual({ isSuspendable: true });
    expect(await own()).toEqual({ reason: 'Insults' });
    expect(await keeper.perform(suspend('Threats', 3))).toEqual({ isSuspendable: true });
    const refusal = {
      message:
        'Someone with a higher role suspended this person. Only someone with that role can change the suspension.',
      code: 'FORBIDDEN',
    };
    for (const operation of [suspend('Adverts', 7), block(spammer.student)])
      expect(await moderator.refusal(`mutation { ${operation} }`)).toEqual(refusal);
    expect(await own()).toEqual({ reason: 'Threats' });
    expect(await detail(moderator, spammer.student)).toMatchObject({ isSuspendable: false });
  });

  it('is not offered in an archived space, except of the account', async () => {
    const place = await newCommunity(app, 1);
    const [student] = place.members;
    if (!student) throw new Error('no member');
    const [keeper, local] = [await newStaff('MODERATOR'), await newStudent()];
    await app.grantRole(local.student.studentId, 'MODERATOR', place.spaceId);
    await app.execute(new ArchiveSpace(app.operator(), place.spaceId, true));
    await app.caughtUp();
    const offered = (by: Participant) =>
      by.query(
        `getStudentDetail(${about(student, place.spaceId)}) { isBlockable blockRefusal isSuspendable isWarnable arePostsRemovable }`,
      );
    const inSpace = { isSuspendable: false, isWarnable: false, arePostsRemovable: false };
    expect(await offered(local)).toEqual({
      ...{ isBlockable: false, blockRefusal: 'SPACE_ARCHIVED' },
      ...inSpace,
    });
    expect(await offered(keeper)).toEqual({ isBlockable: true, blockRefusal: null, ...inSpace });
  });

  it('by a moderator of all spaces ends the sessions until lifted', async () => {
    const [keeper, spammer] = [await newStaff('MODERATOR'), await newStudent()];
    expect(await detail(keeper, spammer.student)).toMatchObject({ blockScope: 'ACCOUNT', isBlockable: true });
    expect(await keeper.perform(block(spammer.student))).toMatchObject({
      accountStatus: 'BLOCKED',
      blockScope: 'ACCOUNT',
    });
    expect(await spammer.refusal('{ getStudent { _id } }')).toMatchObject({ code: 'UNAUTHENTICATED' });
    expect((await login(spammer)).data.login.accessToken).toBeNull();
    // A moderator of a single space cannot lift it.
    expect(await detail(moderator, spammer.student)).toMatchObject({
      accountStatus: 'BLOCKED',
      isBlockable: false,
      blockRefusal: 'BLOCKED_BY_HIGHER_RANK',
    });
    expect(await moderator.refusal(`mutation { ${unblock(spammer.student)} }`)).toEqual(forbidden);
    expect(await keeper.perform(unblock(spammer.student))).toMatchObject({ accountStatus: 'ACTIVE' });
    expect((await login(spammer)).data.login.accessToken).not.toBeNull();
  });

  it('by a maintainer cannot be lifted by a moderator', async () => {
    const [boss, keeper, spammer] = [
      await newStaff('MAINTAINER'),
      await newStaff('MODERATOR'),
      await newStudent(),
    ];
    await boss.perform(block(spammer.student));
    expect(await detail(keeper, spammer.student)).toMatchObject({ blockRefusal: 'BLOCKED_BY_HIGHER_RANK' });
    expect((await keeper.refusal(`mutation { ${unblock(spammer.student)} }`)).message).toBe(
      'Someone with a higher role blocked this person. Only someone with that role can unblock them.',
    );
    expect(await boss.perform(unblock(spammer.student))).toMatchObject({ accountStatus: 'ACTIVE' });
  });

  it('requires a reason', async () => {
    expect(await moderator.refusal(`mutation { ${block(bob.student, undefined, ' ')} }`)).toEqual({
      message: 'Please give a reason.',
      code: 'VALIDATION_FAILED',
      field: 'reason',
    });
  });

  it('is limited to staff of that space and to people of lower rank', async () => {
    const elsewhere = await newSpace(app);
    const stranger = await newMember(app, elsewhere);
    const [boss, keeper, colleague] = [
      await newStaff('MAINTAINER'),
      await newStaff('MODERATOR'),
      await newStaff('MODERATOR', community.spaceId),
    ];
    const rankRefusal = {
      message: 'Only someone with a higher role can block or unblock this person.',
      code: 'FORBIDDEN',
    };
    for (const operation of [block, unblock]) {
      expect(await ada.refusal(`mutation { ${operation(bob.student)} }`)).toEqual(forbidden);
      expect(await moderator.refusal(`mutation { ${operation(stranger, elsewhere)} }`)).toEqual(forbidden);
      expect(await moderator.refusal(`mutation { ${operation(stranger)} }`)).toEqual(unknown);
      for (const higher of [boss, keeper, colleague])
        expect(await moderator.refusal(`mutation { ${operation(higher.student)} }`)).toEqual(rankRefusal);
      expect((await moderator.refusal(`mutation { ${operation(moderator.student)} }`)).message).toBe(
        'You can’t block or unblock your own account.',
      );
    }
    expect(
      (await boss.refusal(`mutation { ${block((await newStaff('MAINTAINER')).student)} }`)).message,
    ).toBe(rankRefusal.message);
    for (const higher of [boss, keeper, colleague])
      expect(await detail(moderator, higher.student)).toMatchObject({
        isBlockable: false,
        blockRefusal: 'NOT_ABOVE_IN_RANK',
      });
    expect(await detail(moderator, moderator.student)).toMatchObject({ blockRefusal: 'OWN_ACCOUNT_BLOCK' });
    expect(await detail(boss, bob.student)).toMatchObject({ accountStatus: 'ACTIVE', isBlockable: true });
  });
});
