import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@nimo/testing';
import { sharedApp, type TestApp } from '../../../../../test/app.js';
import { newCommunity, newSpace, type Community } from '../../../../../test/community.js';
import { holdErasure, runErasureSteps } from '../../../../../test/erasure.js';
import { Participant } from '../../../../../test/participant.js';
import { RequestErasure } from '../erasure/commands/request-erasure.js';

interface ShownCode {
  readonly spaceName: string;
  readonly invitation: {
    readonly _id: string;
    readonly state: string;
    readonly secret: string | null;
    readonly uses: number;
    readonly used: number;
  };
  readonly students: readonly { readonly _id: string; readonly firstName: string }[];
}

let app: TestApp;
let community: Community;
let moderator: Participant;
beforeAll(async () => {
  app = await sharedApp();
  community = await newCommunity(app, 1, { name: 'Class 7b', entry: 'INVITATION' });
  moderator = await staffOf('MODERATOR', community.spaceId);
});

const newcomer = async (): Promise<Participant> => new Participant(app, await app.signUp(), community);
async function staffOf(role: 'MODERATOR' | 'MAINTAINER', space?: string): Promise<Participant> {
  const who = await newcomer();
  await app.grantRole(who.student.studentId, role, space);
  return who;
}
const invite = (details: string): Promise<string> =>
  moderator.perform(`createInvitation(space: "${community.spaceId}", details: { ${details} })`);
const newCode = (uses = 30) => invite(`kind: CODE, uses: ${uses}, days: 1`);
const query = (id: string, space = community.spaceId) =>
  `getClassCode(space: "${space}", id: "${id}") {
    spaceName invitation { _id state secret uses used } students { _id firstName } }`;
const show = (id: string, by = moderator): Promise<ShownCode> => by.query(query(id));
const refusal = (by: Participant, id: string, space?: string) => by.refusal(`{ ${query(id, space)} }`);
const idsOf = ({ students }: ShownCode) => students.map(({ _id }) => _id);
/** Joins with the code and waits until the moderator sees it: a moderator's reads do not wait for others' commands. */
async function joinWith(id: string, who: Participant): Promise<void> {
  const { invitation } = await show(id);
  await who.perform(`joinByInvitation(secret: "${invitation.secret}") { _id }`);
  await eventually(
    () => show(id),
    (shown) => idsOf(shown).includes(who.student.studentId),
  );
}
const listedUntil = (id: string, students: readonly Participant[]) =>
  eventually(
    () => show(id),
    (shown) => String(idsOf(shown)) === String(students.map(({ student }) => student.studentId)),
  );

describe('the class code to project', () => {
  it('comes with its space and the members who joined with it, latest first', async () => {
    const [id, other] = [await newCode(2), await newCode()];
    const [first, second, elsewhere] = [await newcomer(), await newcomer(), await newcomer()];
    expect(await show(id)).toEqual({
      spaceName: 'Class 7b',
      invitation: {
        _id: id,
        state: 'ACTIVE',
        secret: expect.stringMatching(/^[A-Z3479]{6}$/),
        uses: 2,
        used: 0,
      },
      students: [],
    });
    await joinWith(id, first);
    await joinWith(other, elsewhere);
    await joinWith(id, second);
    const shown = await show(id);
    expect(idsOf(shown)).toEqual([second.student.studentId, first.student.studentId]);
    expect(shown.invitation).toMatchObject({ state: 'USED_UP', secret: null, used: 2 });
  });

  it('is no longer shown once it is revoked or expired, while the members stay', async () => {
    const [revoked, expired] = [await newCode(), await newCode()];
    const [eve, dan] = [await newcomer(), await newcomer()];
    await joinWith(revoked, eve);
    await joinWith(expired, dan);
    await moderator.perform(`revokeInvitation(space: "${community.spaceId}", id: "${revoked}") { flag }`);
    await app.pool.query('update state.invitation set expires_at = now() where id = $1', [expired]);
    for (const [id, state, who] of [
      [revoked, 'REVOKED', eve],
      [expired, 'EXPIRED', dan],
    ] as const) {
      const shown = await show(id);
      expect(shown.invitation).toMatchObject({ state, secret: null });
      expect(idsOf(shown)).toEqual([who.student.studentId]);
    }
  });

  it('does not name former members or erased students, but counts them', async () => {
    const id = await newCode();
    const [stays, leaves, removed, erased] = [
      await newcomer(),
      await newcomer(),
      await newcomer(),
      await newcomer(),
    ];
    for (const who of [stays, leaves, removed, erased]) await joinWith(id, who);
    await leaves.perform(`leaveSpace(spaceId: "${community.spaceId}") { joined }`);
    await moderator.perform(
      `removeMember(space: "${community.spaceId}", studentId: "${removed.student.studentId}", reason: "Wrong class") { flag }`,
    );
    await listedUntil(id, [erased, stays]);
    const { studentId } = erased.student;
    await holdErasure(app, studentId);
    await app.execute(
      new RequestErasure(app.operator(), studentId, { withWords: false, reason: 'Asked', atOnce: true }),
    );
    await runErasureSteps(app, studentId);
    const shown = await listedUntil(id, [stays]);
    expect(shown.invitation).toMatchObject({ used: 4 });
  });

  it('is shown only to moderators of its space', async () => {
    const id = await newCode();
    const member = await newcomer();
    await joinWith(id, member);
    const elsewhere = await newSpace(app, undefined, { entry: 'INVITATION' });
    for (const by of [
      member,
      await newcomer(),
      await staffOf('MODERATOR', elsewhere),
      await staffOf('MAINTAINER'),
    ])
      expect(await refusal(by, id)).toMatchObject({ code: 'FORBIDDEN' });
    const { errors } = await app.graphql(`{ ${query(id)} }`);
    expect(errors?.[0]?.extensions.code).toBe('UNAUTHENTICATED');
    expect(idsOf(await show(id, await staffOf('MODERATOR')))).toEqual([member.student.studentId]);
  });

  it('is unknown in other spaces, and for other kinds and IDs', async () => {
    const [id, link] = [await newCode(), await invite('kind: LINK, uses: 1, days: 1')];
    const other = await newSpace(app, undefined, { entry: 'INVITATION' });
    const everywhere = await staffOf('MODERATOR');
    for (const [given, space] of [
      [id, other],
      [link, community.spaceId],
      [randomUUID(), community.spaceId],
    ] as const) {
      const { errors } = await app.graphql(`{ ${query(given, space)} }`, {}, everywhere.student.token);
      expect(errors?.map(({ extensions }) => extensions.rule)).toEqual(['INVITATION_UNKNOWN']);
    }
    expect(await refusal(everywhere, 'seven-b')).toMatchObject({ code: 'VALIDATION_FAILED', field: 'id' });
  });
});
