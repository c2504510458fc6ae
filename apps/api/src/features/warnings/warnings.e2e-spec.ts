import { beforeAll, describe, expect, it } from '@jest/globals';
import { MAX_REASON_LENGTH, type Role } from '@nimo/domain';
import { eventually } from '@nimo/testing';
import { sharedApp, type TestApp } from '../../../../../test/app.js';
import { newCommunity, newMember, type Community } from '../../../../../test/community.js';
import { listenTo } from '../../../../../test/servers/listener.js';
import { Participant } from '../../../../../test/participant.js';

interface Warning {
  readonly _id: string;
  readonly text: string;
}
interface Notice {
  readonly type: string;
}

let app: TestApp;
let community: Community;
let elsewhere: Community;
let moderator: Participant;
let colleague: Participant;
beforeAll(async () => {
  app = await sharedApp();
  [community, elsewhere] = [await newCommunity(app, 0), await newCommunity(app, 0)];
  [moderator, colleague] = [await newStaff('MODERATOR'), await newStaff('MODERATOR')];
});

const newStudent = async (of = community) => new Participant(app, await newMember(app, of.spaceId), of);
async function newStaff(role: Role, spaceId = community.spaceId): Promise<Participant> {
  const staff = await newStudent();
  await app.grantRole(staff.student.studentId, role, role === 'MAINTAINER' ? undefined : spaceId);
  return staff;
}

const idOf = ({ student }: Participant): string => student.studentId;
const warn = (who: Participant, text = 'No adverts, please', postId?: string) =>
  `warnMember(studentId: "${idOf(who)}", space: "${community.spaceId}", text: "${text}"${
    postId === undefined ? '' : `, postId: "${postId}"`
  }) { flag }`;
const list = (who: Participant) =>
  `getStudentWarnings(studentId: "${idOf(who)}") { _id text warnedAt spaceId spaceName moderator { _id userName } post { postId postType title } }`;
const warningsOf = (who: Participant, by = moderator) => by.query<Warning[]>(list(who));
const noticesTo = async (who: Participant) =>
  (
    await who.query<{ docs: Notice[] }>(
      `getPaginatedNotifications(space: "${community.spaceId}") { docs { type title body payload { __typename ... on WarningNotification {
         warning space spaceName objectTo post { questionId questionTitle answerId commentId } } } } }`,
    )
  ).docs.filter(({ type }) => type === 'WARNED');
const spaceName = async () =>
  (await moderator.query<{ _id: string; name: string }[]>('getStudentSpaces { _id name }')).find(
    ({ _id }) => _id === community.spaceId,
  )?.name;
async function report(by: Participant, postId: string): Promise<void> {
  await by.perform(`reportPost(postId: "${postId}", postType: QUESTION, reason: "Its spam") { _id }`);
  // Reporters do not wait for the case.
  await app.caughtUp();
}
const removal = (postId: string) =>
  `upholdReports(postId: "${postId}", reason: "Advert", seen: { revision: 0, openReports: 1 }) { _id }`;

describe('a warning', () => {
  it('is read by the student alone, with the space and where to object, but without the moderator', async () => {
    const [student, witness] = [await newStudent(), await newStudent()];
    await moderator.perform(warn(student));
    const notices = await noticesTo(student);
    const name = await spaceName();
    expect(notices).toEqual([
      {
        ...{ type: 'WARNED', title: `A moderator warned you in ${name}`, body: 'No adverts, please' },
        payload: {
          __typename: 'WarningNotification',
          ...{ warning: 'No adverts, please', space: community.spaceId, spaceName: name },
          ...{ objectTo: null, post: null },
        },
      },
    ]);
    expect(JSON.stringify(notices)).not.toContain(moderator.student.userName);
    expect(await noticesTo(witness)).toEqual([]);
    // The student can still take part.
    expect(await student.ask()).toBeDefined();
  });

  it('signals to the student once it can be read', async () => {
    const [student, witness] = [await newStudent(), await newStudent()];
    const [own, other] = [student, witness].map((who) =>
      listenTo(app, `notificationArrived(space: "${community.spaceId}") { space }`, who.student.token),
    );
    if (!own || !other) throw new Error('missing listeners');
    try {
      await eventually(() => Promise.resolve(own.heard.length === 1 && other.heard.length === 1));
      await moderator.perform(warn(student));
      await eventually(() => Promise.resolve(own.heard.length === 2));
      expect(await student.query(`getNewNotificationCount(space: "${community.spaceId}")`)).toBe(1);
      await moderator.perform(warn(witness));
      await eventually(() => Promise.resolve(other.heard.length === 2));
      expect(own.heard).toHaveLength(2);
    } finally {
      await own.close();
      await other.close();
    }
  });

  it('about a reported post leads to it while it is visible, and is counted in its case', async () => {
    const [student, reporter] = [await newStudent(), await newStudent()];
    const questionId = await student.ask({ title: 'Buy this?' });
    await report(reporter, questionId);
    const counted = async () =>
      (
        await moderator.query<{ record: object }>(
          `getModerationCase(postId: "${questionId}") { record { warnings isWarnable } }`,
        )
      ).record;
    expect(await counted()).toEqual({ warnings: 0, isWarnable: true });
    await moderator.perform(warn(student, 'No adverts', questionId));
    expect(await counted()).toEqual({ warnings: 1, isWarnable: true });
    const post = { questionId, questionTitle: 'Buy this?', answerId: null, commentId: null };
    expect(await noticesTo(student)).toMatchObject([{ payload: { post } }]);
    expect(await warningsOf(student)).toMatchObject([
      { text: 'No adverts', post: { postId: questionId, postType: 'QUESTION', title: 'Buy this?' } },
    ]);
    await moderator.perform(removal(questionId));
    expect(await noticesTo(student)).toMatchObject([{ payload: { warning: 'No adverts', post: null } }]);
  });

  it('about a post needs a case of the student that the moderator may see', async () => {
    const [student, other, reporter] = [await newStudent(), await newStudent(), await newStudent()];
    const [unreported, others, seen] = [await student.ask(), await other.ask(), await student.ask()];
    await report(reporter, others);
    await report(colleague, seen);
    const refused = async (postId: string, by = moderator) =>
      (await by.refusal(`mutation { ${warn(student, 'No adverts', postId)} }`)).code;
    expect(await refused(unreported)).toBe('NOT_FOUND');
    expect(await refused(others)).toBe('NOT_FOUND');
    // Reporters do not decide about the post.
    expect(await refused(seen, colleague)).toBe('NOT_FOUND');
    expect(await refused('not-an-id')).toBe('VALIDATION_FAILED');
    expect(await noticesTo(student)).toEqual([]);
    expect(await moderator.perform(warn(student, 'No adverts', seen))).toEqual({ flag: 1 });
  });

  it('comes from moderators of the space only, to members of lower rank', async () => {
    const student = await newStudent();
    const foreign = await newStaff('MODERATOR', elsewhere.spaceId);
    for (const by of [await newStudent(), foreign, await newStaff('MAINTAINER'), student])
      expect((await by.refusal(`mutation { ${warn(student)} }`)).code).toBe('FORBIDDEN');
    expect((await moderator.refusal(`mutation { ${warn(moderator)} }`)).code).toBe('FORBIDDEN');
    expect((await moderator.refusal(`mutation { ${warn(colleague)} }`)).code).toBe('FORBIDDEN');
    const keeper = await newStudent();
    await app.grantRole(idOf(keeper), 'MODERATOR');
    expect(await keeper.perform(warn(colleague))).toEqual({ flag: 1 });
    const stranger = new Participant(app, await app.signUp(), community);
    expect(await moderator.refusal(`mutation { ${warn(stranger)} }`)).toEqual({
      ...{ message: 'Student not found.', code: 'NOT_FOUND' },
    });
    const { errors } = await app.graphql(`mutation { ${warn(student)} }`);
    expect(errors?.[0]?.extensions.code).toBe('UNAUTHENTICATED');
    expect(await noticesTo(student)).toEqual([]);
  });

  it('needs a text of limited length', async () => {
    const student = await newStudent();
    expect(await moderator.refusal(`mutation { ${warn(student, ' ')} }`)).toMatchObject({
      ...{ message: 'Please write a warning.', code: 'VALIDATION_FAILED', field: 'text' },
    });
    const long = 'x'.repeat(MAX_REASON_LENGTH + 1);
    expect(await moderator.refusal(`mutation { ${warn(student, long)} }`)).toMatchObject({
      ...{ message: 'Warnings can’t be longer than 1000 characters.', field: 'text' },
    });
  });

  it('also reaches a suspended member', async () => {
    const student = await newStudent();
    await moderator.perform(
      `suspendMember(studentId: "${idOf(student)}", space: "${community.spaceId}", reason: "Spam") { _id }`,
    );
    await moderator.perform(warn(student));
    expect(await noticesTo(student)).toHaveLength(1);
  });
});

describe('the warnings of a student', () => {
  it('are listed for moderators of the space, and each view is logged', async () => {
    const student = await newStudent();
    await moderator.perform(warn(student, 'No adverts'));
    await colleague.perform(warn(student, 'Again: no adverts'));
    const seen = await warningsOf(student, colleague);
    const place = { spaceId: community.spaceId, spaceName: await spaceName(), post: null };
    expect(seen).toMatchObject([
      { ...place, text: 'Again: no adverts', moderator: { _id: idOf(colleague) } },
      { ...place, text: 'No adverts', moderator: { _id: idOf(moderator) } },
    ]);
    const { rows } = await app.pool.query(
      `select data from log.events where type = 'ConfidentialDataRead' and data ->> 'what' = 'WARNINGS'
         and metadata -> 'actor' ->> 'id' = $1`,
      [idOf(colleague)],
    );
    expect(rows).toMatchObject([
      { data: { studentIds: [idOf(student)], spaceIds: [community.spaceId], rows: 2 } },
    ]);
  });

  it('are hidden from moderators of other spaces, maintainers and members', async () => {
    const student = await newStudent();
    await moderator.perform(warn(student));
    const foreign = await newStaff('MODERATOR', elsewhere.spaceId);
    expect(await warningsOf(student, foreign)).toEqual([]);
    for (const by of [await newStaff('MAINTAINER'), await newStudent(), student])
      expect((await by.refusal(`{ ${list(student)} }`)).code).toBe('FORBIDDEN');
    const detail = `getStudentDetail(studentId: "${idOf(student)}", space: "${community.spaceId}") { isWarnable }`;
    expect(await moderator.query(detail)).toEqual({ isWarnable: true });
    for (const by of [foreign, student]) expect(await by.query(detail)).toEqual({ isWarnable: false });
  });

  it('do not tell a warned moderator who warned them, nor does the audit', async () => {
    const [warned, keeper] = [await newStaff('MODERATOR'), await newStudent()];
    await app.grantRole(idOf(keeper), 'MODERATOR');
    await keeper.perform(warn(warned));
    expect((await warned.refusal(`{ ${list(warned)} }`)).code).toBe('FORBIDDEN');
    await app.caughtUp();
    const { rows } = await app.pool.query<{ ordinal: number }>(
      `select ordinal::int from read.audit_entries where kind = 'MemberWarned' and receiver_id = $1`,
      [idOf(warned)],
    );
    const entry = `getAuditEntry(ordinal: ${rows[0]?.ordinal ?? 0}) { data { name } }`;
    expect(await warned.query(entry)).toBeNull();
    expect(await moderator.query(entry)).toMatchObject({ data: expect.arrayContaining([{ name: 'text' }]) });
  });

  it('are encrypted in the log, and in the audit without their text', async () => {
    const student = await newStudent();
    await moderator.perform(warn(student, 'A secret of theirs'));
    const { rows } = await app.pool.query<{ data: string }>(
      `select data::text from log.events where type = 'MemberWarned'`,
    );
    expect(rows.length).toBeGreaterThan(0);
    for (const { data } of rows) expect(data).not.toContain('secret');
    const entries = await app.pool.query<{ row: string }>(
      `select to_jsonb(e)::text as row from read.audit_entries e where kind = 'MemberWarned' and receiver_id = $1`,
      [idOf(student)],
    );
    expect(entries.rows).toHaveLength(1);
    expect(entries.rows[0]?.row).not.toContain('secret');
  });
});
