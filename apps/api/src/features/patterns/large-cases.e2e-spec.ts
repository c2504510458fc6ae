import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@nimo/testing';
import { bootApp, type TestApp } from '../../../../../test/app.js';
import { newCommunity, newSpace, type Community } from '../../../../../test/community.js';
import { concurrently } from '../../../../../test/concurrently.js';
import { Participant } from '../../../../../test/participant.js';
import { listenTo } from '../../../../../test/servers/listener.js';

interface Ref {
  readonly postId: string;
  readonly voterId: string;
}

const CASE = `_id state reason votes moderator { _id } proposedBy { _id } declinedBy { _id } declineReason canBeConfirmed
  invalidatedAt effect { studentCount } reviewedVotes { postId voter { _id } caseIds }`;

let app: TestApp;
let community: Community;
let people: Participant[];
let proposer: Participant;
let second: Participant;
/** All votes of everybody for the first question of each other. */
let votes: readonly Ref[];
const idOf = ({ student }: Participant) => student.studentId;

const newcomer = async (role?: 'MODERATOR' | 'MAINTAINER', spaceId?: string) => {
  const student = await app.signUp();
  if (role) await app.grantRole(student.studentId, role, spaceId);
  return new Participant(app, student, community);
};

beforeAll(async () => {
  app = await bootApp();
  community = await newCommunity(app, 11, { name: 'Large cases' });
  people = community.members.map((student) => new Participant(app, student, community));
  proposer = await newcomer('MODERATOR', community.spaceId);
  const posts = new Map<Participant, string>();
  await concurrently(people, async (author) => {
    posts.set(author, await author.ask());
  });
  await concurrently(people, async (voter) => {
    for (const [author, post] of posts)
      if (author !== voter) await voter.perform(`upvoteQuestion(questionId: "${post}") { _id }`);
  });
  votes = people.flatMap((voter) =>
    [...posts].flatMap(([author, postId]) => (author === voter ? [] : [{ postId, voterId: idOf(voter) }])),
  );
  await app.caughtUp();
});
afterAll(() => app.close());

const listOf = (refs: readonly Ref[]) =>
  `[${refs.map(({ postId, voterId }) => `{postId: "${postId}", voterId: "${voterId}"}`).join(', ')}]`;
const preview = (who: Participant, refs = votes) =>
  who.query<{ fingerprint: string; needsConfirmation: boolean }>(
    `previewInvalidation(votes: ${listOf(refs)}) { fingerprint needsConfirmation }`,
  );
const invalidating = (refs: readonly Ref[], fingerprint: string) =>
  `invalidateVotes(votes: ${listOf(refs)}, category: ARRANGED, reason: "A ring", fingerprint: "${fingerprint}") { _id state }`;
const invalidate = async (who: Participant, refs: readonly Ref[]) => {
  const { fingerprint } = await preview(who, refs);
  return who.perform<{ _id: string; state: string }>(invalidating(refs, fingerprint));
};
const propose = (refs = votes) => invalidate(proposer, refs);
const reversing = (caseId: string) =>
  `reverseInvalidation(caseId: "${caseId}", reason: "Not proven") { _id }`;
const confirming = (caseId: string, fingerprint: string) =>
  `confirmInvalidation(caseId: "${caseId}", fingerprint: "${fingerprint}") { _id }`;
const declining = (caseId: string) =>
  `declineInvalidation(caseId: "${caseId}", reason: "They study together") { _id }`;
const caseOf = (who: Participant, caseId: string) =>
  who.query<object>(`getInvalidationCase(caseId: "${caseId}") { ${CASE} }`);
const upvotes = (postId: string) =>
  proposer.query<{ upvoteCount: number }>(`getQuestionById(questionId: "${postId}") { upvoteCount }`);
const openFor = async (who: Participant) => {
  const [{ docs }, { proposedCases }] = await Promise.all([
    who.query<{ docs: { type: string; payload: object }[] }>(
      'getPaginatedNotifications { docs { type title payload { ... on ProposalNotification { caseId reason votes space } } } }',
    ),
    who.query<{ proposedCases: number }>('getModerationCounts { proposedCases }'),
  ]);
  return [docs.filter(({ type }) => type === 'INVALIDATION_PROPOSED'), proposedCases] as const;
};
const refusalOf = (who: Participant, operation: string) => who.refusal(`mutation { ${operation} }`);

describe('a case of more than 100 votes', () => {
  it('waits for a second moderator, whom it notifies once the space has one', async () => {
    const [{ postId }] = votes as [Ref];
    const before = await upvotes(postId);
    expect(await preview(proposer)).toMatchObject({ needsConfirmation: true });
    expect(await preview(proposer, votes.slice(0, 100))).toMatchObject({ needsConfirmation: false });
    const { _id: caseId, state } = await propose();
    expect(state).toBe('PROPOSED');
    expect(await caseOf(proposer, caseId)).toMatchObject({
      ...{ state: 'PROPOSED', proposedBy: { _id: idOf(proposer) }, canBeConfirmed: false, effect: null },
      ...{ votes: votes.length, invalidatedAt: null },
    });
    expect(await upvotes(postId)).toEqual(before);

    second = await newcomer('MODERATOR', community.spaceId);
    await app.caughtUp();
    expect(await caseOf(proposer, caseId)).toMatchObject({ canBeConfirmed: true });
    expect(await openFor(second)).toEqual([
      [
        {
          type: 'INVALIDATION_PROPOSED',
          title: `Confirm or decline the invalidation of ${votes.length} votes in Large cases`,
          payload: { caseId, reason: 'A ring', votes: votes.length, space: community.spaceId },
        },
      ],
      1,
    ]);
    expect(await openFor(proposer)).toEqual([[], 0]);

    const { fingerprint } = await preview(second);
    expect((await refusalOf(proposer, confirming(caseId, fingerprint))).message).toBe(
      'Another moderator has to confirm your proposal.',
    );
    expect((await refusalOf(second, confirming(caseId, 'outdated'))).code).toBe('CONFLICT');
    await second.perform(confirming(caseId, fingerprint));
    expect(await caseOf(proposer, caseId)).toMatchObject({
      ...{ state: 'INVALIDATED', moderator: { _id: idOf(second) }, proposedBy: { _id: idOf(proposer) } },
      effect: { studentCount: people.length },
    });
    expect(await upvotes(postId)).toEqual({ upvoteCount: 0 });
    expect(await openFor(second)).toEqual([[], 0]);
    expect((await refusalOf(second, declining(caseId))).message).toBe(
      'This proposal has already been decided.',
    );
    await proposer.perform(reversing(caseId));
    expect(await upvotes(postId)).toEqual(before);
  });

  it('is not decided by students, maintainers, moderators of other spaces and those involved', async () => {
    const { _id: caseId } = await propose();
    const { fingerprint } = await preview(second);
    const involved = people[0] as Participant;
    const others = [
      people[1] as Participant,
      await newcomer('MAINTAINER'),
      await newcomer('MODERATOR', await newSpace(app)),
    ];
    for (const operation of [confirming(caseId, fingerprint), declining(caseId)])
      for (const who of others) expect((await refusalOf(who, operation)).code).toBe('FORBIDDEN');
    await app.grantRole(idOf(involved), 'MODERATOR', community.spaceId);
    await app.caughtUp();
    for (const operation of [confirming(caseId, fingerprint), declining(caseId)])
      expect((await refusalOf(involved, operation)).message).toBe(
        'You can’t review your own votes or votes on your own posts.',
      );
    expect(await openFor(involved)).toEqual([[], 0]);
    expect((await involved.refusal(`{ getInvalidationCase(caseId: "${caseId}") { _id } }`)).code).toBe(
      'NOT_FOUND',
    );
    await proposer.perform(declining(caseId));
    expect(await caseOf(second, caseId)).toMatchObject({
      ...{ state: 'DECLINED', declinedBy: { _id: idOf(proposer) }, declineReason: 'They study together' },
      canBeConfirmed: false,
    });
    expect(await openFor(second)).toEqual([[], 0]);
  });

  it('signals a proposal to the other moderators', async () => {
    const listener = listenTo(app, 'notificationArrived { space }', second.student.token);
    try {
      await eventually(() => Promise.resolve(listener.heard.length > 0));
      const { _id: caseId } = await propose();
      await eventually(() => Promise.resolve(listener.heard.length > 1));
      await proposer.perform(declining(caseId));
      await eventually(() => Promise.resolve(listener.heard.length > 2));
    } finally {
      await listener.close();
    }
  });

  it('is refused if a vote changed, or another case invalidated it meanwhile', async () => {
    const [first, ...others] = votes as [Ref, ...Ref[]];
    const { _id: caseId } = await propose();
    const before = await preview(second);
    const voter = people[0] as Participant;
    const toggle = () => voter.perform(`upvoteQuestion(questionId: "${first.postId}") { _id }`);
    await toggle();
    expect((await refusalOf(second, confirming(caseId, before.fingerprint))).message).toContain(
      'no longer counts',
    );
    await app.caughtUp();
    expect(await caseOf(second, caseId)).toMatchObject({ state: 'PROPOSED', canBeConfirmed: false });
    expect(await openFor(second)).toEqual([[], 0]);
    await toggle();
    await app.caughtUp();
    expect(await caseOf(second, caseId)).toMatchObject({ canBeConfirmed: true });
    expect((await openFor(second))[1]).toBe(1);
    expect((await refusalOf(second, confirming(caseId, before.fingerprint))).message).toContain(
      'changed since the preview',
    );
    const { fingerprint } = await preview(second);
    const { state } = await invalidate(second, [first]);
    expect(state).toBe('INVALIDATED');
    expect((await refusalOf(second, confirming(caseId, fingerprint))).message).toContain('no longer counts');
    expect(await caseOf(second, caseId)).toMatchObject({ state: 'PROPOSED', canBeConfirmed: false });
    expect(await openFor(second)).toEqual([[], 0]);
    await second.perform(declining(caseId));
    const repeated = await propose(others);
    const { fingerprint: now } = await preview(second, others);
    await second.perform(confirming(repeated._id, now));
    expect(await caseOf(proposer, repeated._id)).toMatchObject({
      state: 'INVALIDATED',
      votes: others.length,
    });
  });

  it('has one line in the audit for its proposal and one for its declination', async () => {
    const auditOf = (who: Participant) =>
      who.query<{ nodes: { kind: string; actor: { _id: string } | null }[] }>(
        `getAuditEntries(filter: { space: "${community.spaceId}", kinds: [InvalidationProposed, InvalidationDeclined] }) { nodes { kind actor { _id } reason } }`,
      );
    const { nodes } = await auditOf(second);
    const count = (kind: string) => nodes.filter((line) => line.kind === kind).length;
    expect([count('InvalidationProposed'), count('InvalidationDeclined')]).toEqual([5, 3]);
    expect((await auditOf(people[0] as Participant)).nodes).toEqual([]);
  });
});

describe('votes that a moderator invalidates in several cases', () => {
  const [size, rest] = [60, 50];
  const parts = () => [votes.slice(0, size), votes.slice(size, size + rest)] as const;
  let alone: Participant;

  beforeAll(async () => {
    const { docs } = await second.query<{ docs: { _id: string; state: string }[] }>(
      'getInvalidationCases { docs { _id state } }',
    );
    for (const { _id, state } of docs) if (state === 'INVALIDATED') await second.perform(reversing(_id));
  });
  beforeEach(async () => {
    alone = await newcomer('MODERATOR', community.spaceId);
  });

  it('count together, until the earlier case is reversed', async () => {
    const [first, last] = parts();
    const { _id: earlier, state } = await invalidate(alone, first);
    expect(state).toBe('INVALIDATED');
    expect(await preview(alone, last)).toMatchObject({ needsConfirmation: true });
    expect(await preview(second, last)).toMatchObject({ needsConfirmation: false });
    const proposal = await invalidate(alone, last);
    expect(proposal.state).toBe('PROPOSED');
    expect(await caseOf(second, earlier)).toMatchObject({ state: 'INVALIDATED' });
    await alone.perform(declining(proposal._id));
    await alone.perform(reversing(earlier));
    expect(await preview(alone, last)).toMatchObject({ needsConfirmation: false });
  });

  it('count together when they are sent at once', async () => {
    const previewed = await Promise.all(
      parts().map(async (refs) => ({ refs, ...(await preview(alone, refs)) })),
    );
    expect(previewed.map(({ needsConfirmation }) => needsConfirmation)).toEqual([false, false]);
    const opened = await Promise.all(
      previewed.map(({ refs, fingerprint }) =>
        alone.perform<{ _id: string; state: string }>(invalidating(refs, fingerprint)),
      ),
    );
    expect(opened.map(({ state }) => state).sort()).toEqual(['INVALIDATED', 'PROPOSED']);
    for (const { _id, state } of opened)
      await alone.perform(state === 'PROPOSED' ? declining(_id) : reversing(_id));
  });

  it('are refused while they are in a proposal of the moderator, and left to a colleague', async () => {
    const [first] = parts();
    const { fingerprint } = await preview(alone, first);
    const { _id: caseId } = await invalidate(alone, votes);
    const operations = [
      `mutation { ${invalidating(first, fingerprint)} }`,
      `{ previewInvalidation(votes: ${listOf(first)}) { fingerprint } }`,
    ];
    for (const operation of operations)
      expect(await alone.refusal(operation)).toMatchObject({
        code: 'CONFLICT',
        message: expect.stringContaining(`your open proposal ${caseId}`),
      });
    const { fingerprint: shown } = await preview(second);
    await second.perform(confirming(caseId, shown));
    expect(await caseOf(alone, caseId)).toMatchObject({ state: 'INVALIDATED' });
    await second.perform(reversing(caseId));
  });
});
