import { beforeAll, describe, expect, it } from '@jest/globals';
import { GraphQLSchemaHost } from '@nestjs/graphql';
import { sharedApp, type TestApp } from '../../../../../test/app.js';
import { expiredToken } from '../../../../../test/expired-session.js';
import { newCommunity, newMember, type Community } from '../../../../../test/community.js';
import { Participant, refusalOf } from '../../../../../test/participant.js';
import { eventually } from '@nimo/testing';

interface Entry {
  readonly ordinal: number;
  readonly line: number;
  readonly kind: string;
  readonly isSwitch: boolean;
  readonly actor: { readonly _id: string } | null;
  readonly voter: { readonly _id: string; readonly userName: string } | null;
  readonly post: { readonly _id: string; readonly title: string } | null;
  readonly points: readonly { readonly side: string; readonly merit: number; readonly impact: number }[];
}
interface Connection {
  readonly nodes: readonly Entry[];
  readonly pageInfo: { readonly endCursor: string | null; readonly hasNextPage: boolean };
}
const FIELDS = `
  nodes { ordinal line lines kind class eventId commandId occurredAt recordedAt actorKind actor { _id userName }
    voter { _id userName isErased isStandIn } receiver { _id userName } space { _id name } post { _id postType questionId title }
    direction isSwitch reason round caseId about points { side kind merit impact rulesVersion } }
  pageInfo { endCursor hasNextPage }`;

let app: TestApp;
let community: Community;
let ada: Participant;
let bob: Participant;
let moderator: Participant;
let questionId: string;

const newModerator = async (spaceId?: string, role: 'MODERATOR' | 'MAINTAINER' = 'MODERATOR') => {
  const student = await app.signUp();
  await app.grantRole(student.studentId, role, spaceId);
  return new Participant(app, student, community);
};

beforeAll(async () => {
  app = await sharedApp();
  community = await newCommunity(app, 2);
  const [first, second] = community.members.map((student) => new Participant(app, student, community));
  if (!first || !second) throw new Error('no members');
  [ada, bob] = [first, second];
  moderator = await newModerator(community.spaceId);
  questionId = await ada.ask();
  await bob.perform(`upvoteQuestion(questionId: "${questionId}") { _id }`);
  await bob.perform(`downvoteQuestion(questionId: "${questionId}") { _id }`);
  await bob.perform(`reportPost(postId: "${questionId}", postType: QUESTION, reason: "Its spam") { _id }`);
  await eventually(
    () => entries(moderator, `{post: "${questionId}"}`),
    ({ nodes }) => nodes.length === 4,
  );
});

const operation = (filter: string, more = '', fields = FIELDS) =>
  `getAuditEntries(filter: ${filter}${more}) { ${fields} }`;
const entries = (who: Participant, filter: string, more = '') =>
  who.query<Connection>(operation(filter, more));
const event = (ordinal: number) =>
  `getAuditEntry(ordinal: ${ordinal}) { entry { ordinal kind } streamId revision schemaVersion correlationId causationId
    data { name value isErased person { _id userName } } }`;

describe('the audit', () => {
  it('lists the history of a post with actor, kind, time, position and points', async () => {
    const { nodes, pageInfo } = await entries(moderator, `{post: "${questionId}"}`);
    expect(
      nodes.map(({ kind, isSwitch, points }) => [kind, isSwitch, points.map(({ merit }) => merit)]),
    ).toEqual([
      ['PostReported', false, [0]],
      ['VoteCast', true, [-50, -5]],
      ['VoteWithdrawn', true, [-50, 0]],
      ['VoteCast', false, [50, 0]],
    ]);
    expect(nodes[0]).toMatchObject({
      actorKind: 'student',
      actor: { _id: bob.student.studentId },
      voter: { _id: bob.student.studentId, userName: bob.student.userName, isErased: false },
      receiver: { _id: ada.student.studentId },
      space: { _id: community.spaceId },
      post: { _id: questionId, postType: 'QUESTION', title: 'Is every group a set?' },
      reason: 'Its spam',
    });
    expect(pageInfo.hasNextPage).toBe(false);
  });

  it('continues from a cursor unaffected by new entries', async () => {
    const first = await entries(moderator, `{post: "${questionId}"}`, ', first: 2');
    expect(first.pageInfo.hasNextPage).toBe(true);
    const carol = new Participant(app, await newMember(app, community.spaceId), community);
    await carol.perform(`upvoteQuestion(questionId: "${questionId}") { _id }`);
    await eventually(
      () => entries(moderator, `{post: "${questionId}"}`),
      ({ nodes }) => nodes.length === 5,
    );
    const second = await entries(
      moderator,
      `{post: "${questionId}"}`,
      `, first: 2, after: "${first.pageInfo.endCursor}"`,
    );
    expect([...first.nodes, ...second.nodes].map(({ kind }) => kind)).toEqual([
      'PostReported',
      'VoteCast',
      'VoteWithdrawn',
      'VoteCast',
    ]);
    expect(second.pageInfo.hasNextPage).toBe(false);
    for (const after of ['nonsense', 'a'.repeat(5_000)]) {
      const refusal = await moderator.refusal(`{ ${operation('{}', `, after: "${after}"`)} }`);
      expect(refusal).toMatchObject({ code: 'VALIDATION_FAILED', field: 'after' });
    }
  });

  it('returns one event with all its data from the log', async () => {
    const { nodes } = await entries(moderator, `{post: "${questionId}", kinds: [PostReported]}`);
    const ordinal = nodes[0]?.ordinal ?? 0;
    const shown = await moderator.query<{ data: { name: string; person: object | null }[] }>(event(ordinal));
    expect(shown).toMatchObject({
      entry: { ordinal, kind: 'PostReported' },
      streamId: `moderation-${questionId}`,
      revision: 0,
      schemaVersion: 1,
    });
    expect(shown.data).toEqual(
      expect.arrayContaining([
        {
          name: 'reporterId',
          value: bob.student.studentId,
          isErased: false,
          person: { _id: bob.student.studentId, userName: bob.student.userName },
        },
        { name: 'reason', value: 'Its spam', isErased: false, person: null },
      ]),
    );
    expect(await moderator.query(event(2_147_483_647))).toBeNull();
  });

  it('shows maintainers actions without a space, with the event data', async () => {
    const maintainer = await newModerator(undefined, 'MAINTAINER');
    const { nodes } = await eventually(
      () => entries(maintainer, `{receiver: "${maintainer.student.studentId}", actionsOnly: true}`),
      ({ nodes: acts }) => acts.length > 0,
    );
    expect(await maintainer.query(event(nodes[0]?.ordinal ?? 0))).toMatchObject({
      entry: { kind: 'RoleGranted' },
      data: [
        { name: 'studentId', person: { _id: maintainer.student.studentId } },
        { name: 'role', value: 'MAINTAINER' },
        { name: 'spaceId', value: null, isErased: false },
      ],
    });
  });
});

describe('access to the audit', () => {
  it('is denied to visitors and students', async () => {
    for (const query of [operation('{}', '', 'nodes { ordinal }'), event(1)]) {
      expect(refusalOf(await app.graphql(`{ ${query} }`))).toMatchObject({ code: 'UNAUTHENTICATED' });
      expect(await bob.refusal(`{ ${query} }`)).toMatchObject({ code: 'FORBIDDEN' });
    }
  });

  it('is granted to moderators of the space; others see neither entries nor events', async () => {
    const elsewhere = await newCommunity(app, 1);
    const stranger = await newModerator(elsewhere.spaceId);
    const here = `{space: "${community.spaceId}"}`;
    expect(await stranger.refusal(`{ ${operation(here)} }`)).toMatchObject({ code: 'FORBIDDEN' });
    expect((await entries(stranger, `{post: "${questionId}"}`)).nodes).toEqual([]);
    const { nodes } = await entries(moderator, here, ', first: 1');
    expect(await stranger.query(event(nodes[0]?.ordinal ?? 0))).toBeNull();
    const own = await eventually(
      () => entries(stranger, '{}'),
      ({ nodes: lines }) => lines.length >= 4,
    );
    expect(new Set(own.nodes.map(({ kind }) => kind))).toEqual(
      new Set(['RoleGranted', 'TopicCreated', 'SubjectAdded', 'SpaceCreated']),
    );
  });

  it('includes blocks, but no other actions without a space, for moderators of all spaces', async () => {
    const ofAll = await newModerator();
    const made = await entries(ofAll, `{space: "${community.spaceId}", actionsOnly: true}`);
    expect(made.nodes.map(({ kind }) => kind)).toContain('SpaceCreated');
    expect(await entries(ofAll, `{space: "${community.spaceId}", actsOnly: true}`)).toEqual(made);
    expect((await entries(ofAll, '{kinds: [StudentErased, ScoringRulesPublished]}')).nodes).toEqual([]);
    const granted = await entries(ofAll, '{kinds: [RoleGranted]}');
    expect(granted.nodes).toMatchObject(granted.nodes.map(() => ({ space: { _id: expect.any(String) } })));
  });

  it('hides reports on one’s own post, whatever the role', async () => {
    const writer = await newModerator(community.spaceId);
    await writer.perform(`joinSpace(spaceId: "${community.spaceId}") { _id }`);
    const own = await writer.ask();
    await bob.perform(`reportPost(postId: "${own}", postType: QUESTION, reason: "Its spam") { _id }`);
    const { nodes } = await eventually(
      () => entries(moderator, `{post: "${own}"}`),
      ({ nodes: lines }) => lines.length === 1,
    );
    expect((await entries(writer, `{post: "${own}"}`)).nodes).toEqual([]);
    expect((await entries(writer, `{voter: "${bob.student.studentId}", post: "${own}"}`)).nodes).toEqual([]);
    expect(await writer.query(event(nodes[0]?.ordinal ?? 0))).toBeNull();
    const file = await app
      .http()
      .get(`/audit/export.csv?post=${own}`)
      .set('authorization', writer.student.token);
    expect(file.text).not.toContain(bob.student.studentId);
  });

  it('requires a valid session, over GraphQL and for exports', async () => {
    const token = await expiredToken(app, (await newModerator(community.spaceId)).student.studentId);
    const answer = await app.graphql(`{ ${operation('{}')} }`, {}, token);
    expect(refusalOf(answer)).toMatchObject({ code: 'UNAUTHENTICATED' });
    const file = await app.http().get('/audit/export.csv').set('authorization', `Bearer ${token}`);
    expect(file.status).toBe(401);
  });
});

describe('the audit log', () => {
  it('cannot be edited: there is no mutation, and the database rejects changes', async () => {
    const { schema } = app.api.get(GraphQLSchemaHost, { strict: false });
    const mutations = Object.keys(schema.getMutationType()?.getFields() ?? {});
    expect(mutations.filter((name) => /audit/i.test(name))).toEqual([]);
    for (const statement of [
      "update log.events set type = 'x'",
      'delete from log.events',
      'truncate log.events',
    ])
      await expect(app.pool.query(statement)).rejects.toThrow();
  });
});
