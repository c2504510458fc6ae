import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { sharedApp, type TestApp } from '../../../../../test/app.js';
import { newCommunity, newSpace, type Community } from '../../../../../test/community.js';
import { ChangeContact } from '../contacts/commands/change-contact.js';
import { Participant } from '../../../../../test/participant.js';
import { eventually } from '@nimo/testing';

let app: TestApp;
let community: Community;
let moderator: Participant;
beforeAll(async () => {
  app = await sharedApp();
  community = await newCommunity(app, 1, { entry: 'REQUEST' });
  const student = await app.signUp();
  await app.grantRole(student.studentId, 'MODERATOR', community.spaceId);
  moderator = new Participant(app, student, community);
});

const newcomer = async (): Promise<Participant> => new Participant(app, await app.signUp(), community);
const shown = '{ joined request requestReason memberCount }';
const asking = (text = '') => `requestEntry(spaceId: "${community.spaceId}", text: "${text}") ${shown}`;
const answering = (student: Participant, isAccepted: boolean, reason = '') =>
  `answerEntryRequest(space: "${community.spaceId}", studentId: "${student.student.studentId}", isAccepted: ${isAccepted}, reason: "${reason}") { flag }`;
const waiting = async () =>
  (
    await moderator.query<{ docs: { _id: string; text: string | null }[] }>(
      `getEntryRequests(space: "${community.spaceId}") { docs { _id text student { userName } } }`,
    )
  ).docs;
const isWaiting = async ({ student }: Participant) =>
  (await waiting()).some(({ _id }) => _id === student.studentId);

describe('a request to join', () => {
  it('admits the student once a moderator accepts it', async () => {
    const eve = await newcomer();
    expect(await eve.perform(asking('I am in 7b'))).toEqual({
      joined: false,
      request: 'OPEN',
      requestReason: null,
      memberCount: null,
    });
    expect(await waiting()).toContainEqual({
      _id: eve.student.studentId,
      text: 'I am in 7b',
      student: { userName: eve.student.userName },
    });
    await moderator.perform(answering(eve, true));
    const [space] = await eve.query<object[]>(`getStudentSpaces ${shown}`);
    expect(space).toMatchObject({ joined: true, request: null, memberCount: expect.any(Number) });
    expect(await eve.ask()).toEqual(expect.any(String));
    expect(await isWaiting(eve)).toBe(false);
  });

  it('can be refused with a reason and repeated', async () => {
    const eve = await newcomer();
    await eve.perform(asking());
    await moderator.perform(answering(eve, false, 'For 7b only'));
    const spaces = await eve.query<{ _id: string }[]>(`getSpaces { _id joined request requestReason }`);
    expect(spaces.find(({ _id }) => _id === community.spaceId)).toMatchObject({
      joined: false,
      request: 'REFUSED',
      requestReason: 'For 7b only',
    });
    expect(await eve.perform(asking('Again'))).toMatchObject({ request: 'OPEN' });
    expect(await isWaiting(eve)).toBe(true);
  });

  it('is answered by mail if the student has an email address', async () => {
    const { student } = await newcomer();
    const { studentId, userName, password } = student;
    const email = `${randomUUID()}@example.org`;
    const contact = { kind: 'email', value: email } as const;
    await app.execute(new ChangeContact(app.contextOf(studentId), contact, 'no session'));
    const { data } = await app.graphql<{ login: { accessToken: string } }>(
      `{ login(userName: "${userName}", password: "${password}") { accessToken } }`,
    );
    const eve = new Participant(app, { ...student, token: data.login.accessToken }, community);
    const mails = async () =>
      (
        await app.pool.query<{ text: string }>(
          "select text from state.outbox where recipient = $1 and subject like 'Joining %' order by id",
          [email],
        )
      ).rows.map(({ text }) => text);
    for (const isAccepted of [false, true]) {
      await eve.perform(asking());
      await moderator.perform(answering(eve, isAccepted, 'For the choir only'));
    }
    const sent = await eventually(mails, (found) => found.length === 2);
    expect(sent.filter((text) => text.includes('declined your request'))).toHaveLength(1);
    expect(sent.filter((text) => text.includes('You are now a member.'))).toHaveLength(1);
    // The reason appears only on the page.
    expect(sent.join()).not.toContain('choir');
  });

  it('is recorded once under concurrency, and only the first answer counts', async () => {
    const [eve, colleague] = [await newcomer(), await newcomer()];
    await app.grantRole(colleague.student.studentId, 'MODERATOR', community.spaceId);
    await Promise.all([1, 2, 3].map(() => eve.perform(asking('Please'))));
    const answers = await Promise.all([
      moderator.mutate(answering(eve, true)),
      colleague.mutate(answering(eve, false)),
    ]);
    expect(answers.flatMap(({ errors }) => errors ?? []).map(({ extensions }) => extensions.rule)).toEqual([
      'ENTRY_NOT_REQUESTED',
    ]);
    const { rows } = await app.pool.query<{ type: string }>(
      'select type from log.events where stream_id = $1 order by revision',
      [`membership-${community.spaceId}-${eve.student.studentId}`],
    );
    expect(rows.filter(({ type }) => type === 'EntryRequested')).toHaveLength(1);
    expect(await moderator.refusal(`mutation { ${answering(eve, true)} }`)).toEqual({
      message: 'This student has no open request. It was answered or withdrawn.',
      code: 'CONFLICT',
    });
  });

  it('cannot be accepted after withdrawal', async () => {
    const eve = await newcomer();
    await eve.perform(asking());
    await eve.perform(`withdrawEntryRequest(spaceId: "${community.spaceId}") ${shown}`);
    expect(await isWaiting(eve)).toBe(false);
    expect(await moderator.refusal(`mutation { ${answering(eve, true)} }`)).toMatchObject({
      code: 'CONFLICT',
    });
    expect(await eve.query(`getStudentSpaces ${shown}`)).toEqual([]);
  });

  it('can be answered only by moderators of the space', async () => {
    const eve = await newcomer();
    await eve.perform(asking());
    const others = await Promise.all([1, 2, 3].map(() => newcomer()));
    const [elsewhere, maintainer, former] = others as [Participant, Participant, Participant];
    await app.grantRole(elsewhere.student.studentId, 'MODERATOR', await newSpace(app));
    await app.grantRole(maintainer.student.studentId, 'MAINTAINER');
    for (const by of [eve, former, elsewhere, maintainer]) {
      expect(await by.refusal(`mutation { ${answering(eve, true)} }`)).toMatchObject({ code: 'FORBIDDEN' });
      expect(await by.refusal(`{ getEntryRequests(space: "${community.spaceId}") { page } }`)).toMatchObject({
        code: 'FORBIDDEN',
      });
    }
    expect(await isWaiting(eve)).toBe(true);
  });

  it('keeps its text out of the log', async () => {
    const eve = await newcomer();
    const words = `words-${randomUUID()}`;
    await eve.perform(asking(words));
    const { rows } = await app.pool.query<{ data: string }>(
      'select data::text as data from log.events where stream_id = $1',
      [`membership-${community.spaceId}-${eve.student.studentId}`],
    );
    expect(rows).toHaveLength(1);
    expect(rows[0]?.data).not.toContain(words);
  });

  it('is rejected in open, invitation-only and unknown spaces and if too long', async () => {
    const eve = await newcomer();
    const refusalIn = (space: string, text = '') =>
      eve.refusal(`mutation { requestEntry(spaceId: "${space}", text: "${text}") { _id } }`);
    expect(await refusalIn(await newSpace(app))).toMatchObject({ code: 'CONFLICT' });
    expect(await refusalIn(await newSpace(app, undefined, { entry: 'INVITATION' }))).toEqual({
      message: 'This space is by invitation only.',
      code: 'FORBIDDEN',
    });
    expect(await refusalIn(randomUUID())).toMatchObject({ code: 'NOT_FOUND' });
    expect(await refusalIn(community.spaceId, 'x'.repeat(501))).toMatchObject({
      code: 'VALIDATION_FAILED',
      field: 'text',
    });
    expect(await eve.refusal(`mutation { joinSpace(spaceId: "${community.spaceId}") { _id } }`)).toEqual({
      message: 'Send the moderators a request to join this space.',
      code: 'FORBIDDEN',
    });
  });
});

describe('an invitation by name', () => {
  it('lets the student join once unless revoked', async () => {
    const spaceId = await newSpace(app, undefined, { entry: 'INVITATION' });
    const [eve, staff, other] = (await Promise.all([1, 2, 3].map(() => newcomer()))) as [
      Participant,
      Participant,
      Participant,
    ];
    await app.grantRole(staff.student.studentId, 'MAINTAINER');
    const inviting = (userName: string) =>
      `inviteStudent(space: "${spaceId}", userName: "${userName}") { flag }`;
    const joining = `mutation { joinSpace(spaceId: "${spaceId}") { joined } }`;
    const invited = () => staff.query<object[]>(`getInvitedStudents(space: "${spaceId}") { _id }`);
    expect(await eve.refusal(joining)).toEqual({
      message: 'This space is by invitation only.',
      code: 'FORBIDDEN',
    });
    for (const by of [eve, moderator])
      expect(await by.refusal(`mutation { ${inviting(eve.student.userName)} }`)).toMatchObject({
        code: 'FORBIDDEN',
      });
    expect(await staff.refusal(`mutation { ${inviting('nobody_of_that_name')} }`)).toMatchObject({
      code: 'NOT_FOUND',
    });
    for (const { student } of [eve, other]) await staff.perform(inviting(student.userName));
    expect(await invited()).toHaveLength(2);
    const spaces = await eve.query<{ _id: string }[]>('getSpaces { _id isInvited memberCount }');
    expect(spaces.find(({ _id }) => _id === spaceId)).toMatchObject({ isInvited: true, memberCount: null });
    await staff.perform(
      `revokeStudentInvitation(space: "${spaceId}", studentId: "${other.student.studentId}") { flag }`,
    );
    expect(await other.refusal(joining)).toMatchObject({ code: 'FORBIDDEN' });
    expect(await eve.perform(`joinSpace(spaceId: "${spaceId}") { joined isInvited }`)).toEqual({
      joined: true,
      isInvited: false,
    });
    expect(await invited()).toEqual([]);
    await eve.perform(`leaveSpace(spaceId: "${spaceId}") { joined }`);
    expect(await eve.refusal(joining)).toMatchObject({ code: 'FORBIDDEN' });
  });
});

describe('a removed member', () => {
  const removalOf = ({ student }: Participant, reason: string) =>
    `removeMember(space: "${community.spaceId}", studentId: "${student.studentId}", reason: "${reason}") { flag }`;
  const newMember = async (): Promise<Participant> => {
    const eve = await newcomer();
    await eve.perform(asking());
    await moderator.perform(answering(eve, true));
    return eve;
  };

  it('loses access and can return only by a new request', async () => {
    const eve = await newMember();
    const questionId = await eve.ask({ title: 'Who reads this?' });
    expect(await moderator.refusal(`mutation { ${removalOf(eve, '')} }`)).toMatchObject({
      code: 'VALIDATION_FAILED',
    });
    await moderator.perform(removalOf(eve, 'Left the school'));
    expect(await eve.query(`getQuestionById(questionId: "${questionId}") { title }`)).toBeNull();
    expect(await eve.refusal(`mutation { joinSpace(spaceId: "${community.spaceId}") { _id } }`)).toEqual({
      message: 'A moderator removed you from this space. Ask the moderators to let you rejoin.',
      code: 'FORBIDDEN',
    });
    const { data } = await moderator.mutate<string>(
      `createInvitation(space: "${community.spaceId}", details: { kind: LINK, uses: 5, days: 7 })`,
    );
    const links = await moderator.query<{ _id: string; secret: string; used: number }[]>(
      `getInvitations(space: "${community.spaceId}") { _id secret used }`,
    );
    const link = links.find(({ _id }) => _id === data.done);
    expect(
      await eve.refusal(`mutation { joinByInvitation(secret: "${link?.secret ?? ''}") { _id } }`),
    ).toMatchObject({ code: 'FORBIDDEN', message: expect.stringContaining('removed you') });
    expect(await eve.perform(asking())).toMatchObject({ joined: false, request: 'OPEN' });
    await moderator.perform(answering(eve, true));
    expect(await eve.query(`getQuestionById(questionId: "${questionId}") { title }`)).toEqual({
      title: 'Who reads this?',
    });
  });

  it('can return by a new invitation by name', async () => {
    const eve = await newMember();
    await moderator.perform(removalOf(eve, 'By mistake'));
    await moderator.perform(
      `inviteStudent(space: "${community.spaceId}", userName: "${eve.student.userName}") { flag }`,
    );
    expect(await eve.perform(`joinSpace(spaceId: "${community.spaceId}") { joined }`)).toEqual({
      joined: true,
    });
  });

  it('is in the audit with the reason, which only staff read', async () => {
    const eve = await newMember();
    await moderator.perform(removalOf(eve, 'Left the school'));
    const audit = `getAuditEntries(filter: { space: "${community.spaceId}", kinds: [MemberRemoved], receiver: "${eve.student.studentId}" }) { nodes { kind reason actor { _id } receiver { _id } } }`;
    const entries = () => moderator.query<{ nodes: readonly object[] }>(audit).then(({ nodes }) => nodes);
    expect(await eventually(entries, (nodes) => nodes.length > 0)).toEqual([
      {
        kind: 'MemberRemoved',
        reason: 'Left the school',
        actor: { _id: moderator.student.studentId },
        receiver: { _id: eve.student.studentId },
      },
    ]);
    expect(await eve.refusal(`{ ${audit} }`)).toMatchObject({ code: 'FORBIDDEN' });
  });
});
