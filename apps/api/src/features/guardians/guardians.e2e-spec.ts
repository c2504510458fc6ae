import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { sharedApp, type TestApp } from '../../../../../test/app.js';
import { newCommunity, newSpace, type Community } from '../../../../../test/community.js';
import { Participant } from '../../../../../test/participant.js';
import { eventually } from '@nimo/testing';

let app: TestApp;
let community: Community;
let moderator: Participant;
beforeAll(async () => {
  app = await sharedApp();
  community = await newCommunity(app, 1, { entry: 'OPEN', consentAge: 16 });
  const student = await app.signUp();
  await app.grantRole(student.studentId, 'MODERATOR', community.spaceId);
  moderator = new Participant(app, student, community);
});

const SHOWN = '{ joined consent { age stated guardian } }';
const PAGE = '{ userName spaceName consentAge state termsVersion }';
const newcomer = async (): Promise<Participant> => new Participant(app, await app.signUp(), community);
const newAddress = (): string => `parent.${randomUUID()}@example.org`;
const stating = (band: 'BELOW' | 'FROM', spaceId = community.spaceId) =>
  `declareAge(spaceId: "${spaceId}", band: ${band}) ${SHOWN}`;
const asking = (email: string, spaceId = community.spaceId) =>
  `requestGuardianConsent(spaceId: "${spaceId}", email: "${email}") ${SHOWN}`;
const joining = (spaceId = community.spaceId) => `joinSpace(spaceId: "${spaceId}") ${SHOWN}`;
const refusalOf = (student: Participant, operation: string) => student.refusal(`mutation { ${operation} }`);

async function mailsTo(address: string): Promise<readonly string[]> {
  const { rows } = await app.pool.query<{ text: string }>(
    'select text from state.outbox where recipient = $1 order by id desc',
    [address],
  );
  return rows.map(({ text }) => text);
}

/** The token in the latest link to the address. */
async function tokenAt(address: string): Promise<string> {
  const tokens = async () =>
    (await mailsTo(address)).flatMap((text) => /\/consent#([\w-]+)/.exec(text)?.[1] ?? []);
  return (await eventually(tokens, (found) => found.length > 0))[0] ?? '';
}

const looking = (token: string) => app.graphql(`{ getGuardianConsent(token: "${token}") ${PAGE} }`);
const answering = (token: string, isGiven: boolean, termsVersion = 'nimo-1') =>
  app.graphql(
    `mutation { answerGuardianConsent(token: "${token}", isGiven: ${isGiven}, termsVersion: "${termsVersion}") ${PAGE} }`,
  );
const rulesOf = ({ errors }: Awaited<ReturnType<typeof looking>>) =>
  errors?.map(({ extensions }) => extensions.rule);

/** A student under the age, with a pending consent request. */
async function asked(): Promise<{ eve: Participant; address: string; token: string }> {
  const eve = await newcomer();
  await eve.perform(stating('BELOW'));
  const address = newAddress();
  await eve.perform(asking(address));
  return { eve, address, token: await tokenAt(address) };
}

describe('a space with a consent age', () => {
  it('admits students who are old enough', async () => {
    const eve = await newcomer();
    expect(await refusalOf(eve, joining())).toMatchObject({
      code: 'FORBIDDEN',
      message: 'Confirm whether you are under 16 before you join this space.',
    });
    expect(await eve.perform(stating('FROM'))).toEqual({
      joined: false,
      consent: { age: 16, stated: 'FROM', guardian: null },
    });
    expect(await eve.perform(joining())).toMatchObject({ joined: true });
  });

  it('admits younger students once a guardian without an account agrees', async () => {
    const { eve, token } = await asked();
    expect(await refusalOf(eve, joining())).toMatchObject({ code: 'FORBIDDEN' });
    const question = {
      userName: eve.student.userName,
      consentAge: 16,
      state: 'ASKED',
      termsVersion: 'nimo-1',
    };
    expect((await looking(token)).data).toEqual({
      getGuardianConsent: { ...question, spaceName: expect.any(String) },
    });
    expect((await answering(token, true)).data).toMatchObject({ answerGuardianConsent: { state: 'GIVEN' } });
    expect((await answering(token, true)).data).toMatchObject({ answerGuardianConsent: { state: 'GIVEN' } });
    await app.caughtUp();
    expect(await eve.perform(joining())).toMatchObject({ joined: true, consent: { guardian: 'GIVEN' } });
  });

  it('removes the student when consent is withdrawn with the same link', async () => {
    const { eve, token } = await asked();
    await answering(token, true);
    await eve.perform(joining());
    const question = await eve.ask();
    expect((await answering(token, false)).data).toMatchObject({
      answerGuardianConsent: { state: 'REFUSED' },
    });
    await app.caughtUp();
    expect(await eve.query(`getStudentSpaces { _id }`)).toEqual([]);
    expect(await refusalOf(eve, joining())).toMatchObject({ code: 'FORBIDDEN' });
    // Posts stay, as when any member leaves.
    expect(await moderator.query(`getQuestionById(questionId: "${question}") { _id }`)).toEqual({
      _id: question,
    });
  });

  it('replaces the link when the student asks again', async () => {
    const { eve, token: former } = await asked();
    const address = newAddress();
    await eve.perform(asking(address));
    const token = await tokenAt(address);
    expect(rulesOf(await looking(former))).toEqual(['CONSENT_LINK_ENDED']);
    expect(rulesOf(await answering(former, true))).toEqual(['CONSENT_LINK_ENDED']);
    expect((await answering(token, false)).data).toMatchObject({
      answerGuardianConsent: { state: 'REFUSED' },
    });
    await app.caughtUp();
    expect(await eve.query<object[]>(`getSpaces { _id consent { guardian } }`)).toContainEqual({
      _id: community.spaceId,
      consent: { guardian: 'REFUSED' },
    });
  });

  it('accepts concurrent answers one after the other and emails a repeated request once', async () => {
    const { token } = await asked();
    const answers = await Promise.all([answering(token, true), answering(token, false)]);
    expect(answers.flatMap(({ errors }) => errors ?? [])).toEqual([]);
    const eve = await newcomer();
    await eve.perform(stating('BELOW'));
    const address = newAddress();
    const headers = { 'idempotency-key': randomUUID() };
    for (const _ of [1, 2])
      await app.graphql(`mutation { ${asking(address)} }`, {}, eve.student.token, headers);
    await tokenAt(address);
    await app.caughtUp();
    expect(await mailsTo(address)).toHaveLength(1);
  });

  it('rejects invalid and expired links', async () => {
    const { eve, token } = await asked();
    const altered = `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`;
    for (const wrong of ['', 'x', altered, token.slice(1), randomUUID()])
      expect(rulesOf(await looking(wrong))).toEqual(['CONSENT_LINK_ENDED']);
    await app.pool.query(`update state.guardian_link set expires_at = now() where student_id = $1`, [
      eve.student.studentId,
    ]);
    expect(rulesOf(await looking(token))).toEqual(['CONSENT_LINK_ENDED']);
    expect(rulesOf(await answering(token, true))).toEqual(['CONSENT_LINK_ENDED']);
  });

  it('rejects consent to outdated terms', async () => {
    const { token } = await asked();
    expect(rulesOf(await answering(token, true, 'nimo-0'))).toEqual(['TERMS_CHANGED']);
    // Refusing does not require reading them.
    expect((await answering(token, false, 'nimo-0')).errors).toBeUndefined();
  });

  it('keeps the address out of the log and deletes it after the answer', async () => {
    const { eve, address, token } = await asked();
    const held = async () =>
      (
        await app.pool.query<{ sealed: string | null }>(
          'select sealed from state.guardian_link where student_id = $1',
          [eve.student.studentId],
        )
      ).rows;
    expect(await held()).toEqual([{ sealed: expect.not.stringContaining(address) }]);
    const { rows } = await app.pool.query<{ log: string }>(
      'select string_agg(data::text, chr(10)) as log from log.events where stream_id like $1',
      [`membership-%-${eve.student.studentId}`],
    );
    expect(rows[0]?.log).toContain('consentId');
    expect(rows[0]?.log).not.toContain(address);
    // The age band is sealed.
    expect(rows[0]?.log).not.toContain('BELOW');
    await answering(token, true);
    expect(await held()).toEqual([{ sealed: null }]);
    expect(await mailsTo(address)).toEqual([]);
  });

  it('rejects an age where none is asked for, an invalid address, and a second statement', async () => {
    const eve = await newcomer();
    const open = await newSpace(app);
    expect(await refusalOf(eve, stating('BELOW', open))).toMatchObject({ code: 'CONFLICT' });
    expect(await refusalOf(eve, asking(newAddress()))).toMatchObject({ code: 'CONFLICT' });
    await eve.perform(stating('BELOW'));
    expect(await refusalOf(eve, asking('nobody'))).toMatchObject({ code: 'VALIDATION_FAILED' });
    expect(await refusalOf(eve, stating('FROM'))).toEqual({
      message: 'You have already given your age. To change it, ask a moderator of the space.',
      code: 'CONFLICT',
    });
  });
});

describe('age management', () => {
  const younger = () =>
    moderator.query<{ docs: { _id: string }[] }>(
      `getYoungerStudents(space: "${community.spaceId}") { docs { _id age consent termsVersion isMember student { userName } } }`,
    );
  const forgetting = ({ student }: Participant) =>
    `clearAge(space: "${community.spaceId}", studentId: "${student.studentId}") { flag }`;

  it('shows moderators younger students with their consent, and lets an age be stated again', async () => {
    const { eve, token } = await asked();
    await answering(token, true);
    await app.caughtUp();
    expect((await younger()).docs).toContainEqual({
      _id: eve.student.studentId,
      age: 16,
      consent: 'GIVEN',
      termsVersion: 'nimo-1',
      isMember: false,
      student: { userName: eve.student.userName },
    });
    await moderator.perform(forgetting(eve));
    expect((await younger()).docs.map(({ _id }) => _id)).not.toContain(eve.student.studentId);
    expect(await eve.perform(stating('FROM'))).toMatchObject({ consent: { stated: 'FROM' } });
  });

  it('is available only to moderators of the space', async () => {
    const { eve } = await asked();
    const [other, maintainer] = await Promise.all([newcomer(), newcomer()]);
    await app.grantRole(other.student.studentId, 'MODERATOR', await newSpace(app));
    await app.grantRole(maintainer.student.studentId, 'MAINTAINER');
    for (const by of [eve, other, maintainer]) {
      expect(await refusalOf(by, forgetting(eve))).toMatchObject({ code: 'FORBIDDEN' });
      expect(
        await by.refusal(`{ getYoungerStudents(space: "${community.spaceId}") { page } }`),
      ).toMatchObject({ code: 'FORBIDDEN' });
    }
  });
});

describe('invitations and requests to a space with a consent age', () => {
  it('require an age, and do not use up an invitation when rejected', async () => {
    const closed = await newSpace(app, undefined, { entry: 'INVITATION', consentAge: 16 });
    await app.grantRole(moderator.student.studentId, 'MODERATOR', closed);
    await moderator.perform(
      `createInvitation(space: "${closed}", details: { kind: LINK, uses: 1, days: 1 })`,
    );
    const [invitation] = await moderator.query<{ secret: string }[]>(
      `getInvitations(space: "${closed}") { secret }`,
    );
    const entering = `joinByInvitation(secret: "${invitation?.secret}") ${SHOWN}`;
    const [eve, max] = await Promise.all([newcomer(), newcomer()]);
    expect(await refusalOf(eve, entering)).toMatchObject({ code: 'FORBIDDEN' });
    await max.perform(stating('FROM', closed));
    expect(await max.perform(entering)).toMatchObject({ joined: true });
  });

  it('turn an accepted request into an invitation if consent was withdrawn meanwhile', async () => {
    const byRequest = await newSpace(app, undefined, { entry: 'REQUEST', consentAge: 16 });
    await app.grantRole(moderator.student.studentId, 'MODERATOR', byRequest);
    const eve = await newcomer();
    const requesting = `requestEntry(spaceId: "${byRequest}") { request }`;
    expect(await refusalOf(eve, requesting)).toMatchObject({ code: 'FORBIDDEN' });
    await eve.perform(stating('BELOW', byRequest));
    const address = newAddress();
    await eve.perform(asking(address, byRequest));
    const token = await tokenAt(address);
    await answering(token, true);
    expect(await eve.perform(requesting)).toEqual({ request: 'OPEN' });
    await answering(token, false);
    await moderator.perform(
      `answerEntryRequest(space: "${byRequest}", studentId: "${eve.student.studentId}", isAccepted: true) { flag }`,
    );
    await app.caughtUp();
    const spaces = await eve.query<{ _id: string }[]>('getSpaces { _id joined isInvited request }');
    expect(spaces.find(({ _id }) => _id === byRequest)).toEqual({
      _id: byRequest,
      joined: false,
      isInvited: true,
      request: null,
    });
    await answering(token, true);
    expect(await eve.perform(joining(byRequest))).toMatchObject({ joined: true });
  });
});
