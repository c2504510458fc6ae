import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bootApp, type TestApp } from '../../../../../test/app.js';
import { newSteppingClock } from '../../../../../test/stepping-clock.js';
import { newCommunity, newSpace, type Community } from '../../../../../test/community.js';
import { concurrently } from '../../../../../test/concurrently.js';
import { Participant } from '../../../../../test/participant.js';

interface Place {
  readonly score: number;
  readonly rank: number | null;
}
interface Effect {
  readonly students: readonly {
    readonly student: { readonly _id: string };
    readonly before: Place;
    readonly after: Place;
  }[];
  readonly posts: readonly {
    readonly postId: string;
    readonly before: { readonly upvotes: number };
    readonly after: { readonly upvotes: number };
  }[];
}
interface Ref {
  readonly postId: string;
  readonly voterId: string;
}

const EFFECT = `students { student { _id userName } space { _id name } votesGiven votesReceived
    before { reputations commitments score rank } after { reputations commitments score rank } }
  posts { postId postType question { _id title } before { upvotes downvotes } after { upvotes downvotes } }`;
const VOTE =
  'postId postType direction castAt isHeld caseIds voter { _id } author { _id } question { _id title }';
const CASE = `_id reason category votes openedAt spaces { _id name } moderator { _id } reversedBy { _id } reversalReason reversedAt`;

let app: TestApp;
let community: Community;
let people: Participant[];
let moderator: Participant;
let outsider: Participant;
const posts = new Map<Participant, string[]>();
const ring = () => people.slice(0, 3);
const idOf = ({ student }: Participant) => student.studentId;
const upvote = (who: Participant, post: string) =>
  who.perform(`upvoteQuestion(questionId: "${post}") { _id }`);

beforeAll(async () => {
  app = await bootApp({}, { clock: newSteppingClock().now });
  community = await newCommunity(app, 14);
  people = community.members.map((student) => new Participant(app, student, community));
  const newModerator = async (spaceId: string) => {
    const student = await app.signUp();
    await app.grantRole(student.studentId, 'MODERATOR', spaceId);
    return new Participant(app, student, community);
  };
  moderator = await newModerator(community.spaceId);
  outsider = await newModerator(await newSpace(app));
  await concurrently(people, async (person) => {
    const count = ring().includes(person) ? 10 : 1;
    const own: string[] = [];
    for (let post = 0; post < count; post += 1) own.push(await person.ask({ title: `Question ${post}` }));
    posts.set(person, own);
  });
  for (const group of [people.slice(3), ring()])
    await concurrently(group, async (voter) => {
      for (const author of group)
        if (author !== voter) for (const post of posts.get(author) ?? []) await upvote(voter, post);
    });
  // Votes return before they are projected, and a ring shows before its last vote is.
  await app.caughtUp();
});
afterAll(() => app.close());

const inSpace = () => `space: "${community.spaceId}"`;
const findings = () =>
  moderator.query<readonly { _id: string; kind: string; students: { _id: string }[]; chanceLog10: number }[]>(
    `getVotePatterns(${inSpace()}) { _id kind votes expected chanceLog10 from until students { _id userName }
       links { votes given expected chanceLog10 direction voter { _id } author { _id } } }`,
  );
const evidenceOf = async (pattern: string): Promise<Ref[]> => {
  const found = await moderator.query<{ evidence: { postId: string; voter: { _id: string } }[] } | null>(
    `getVotePattern(${inSpace()}, pattern: "${pattern}") { _id evidence { ${VOTE} } }`,
  );
  return (found?.evidence ?? []).map(({ postId, voter }) => ({ postId, voterId: voter._id }));
};
const voteListOf = (votes: readonly Ref[]) =>
  `[${votes.map(({ postId, voterId }) => `{postId: "${postId}", voterId: "${voterId}"}`).join(', ')}]`;
const preview = (votes: readonly Ref[], who = moderator) =>
  who.query<{ fingerprint: string; effect: Effect }>(
    `previewInvalidation(votes: ${voteListOf(votes)}) { fingerprint effect { ${EFFECT} } }`,
  );
const invalidate = (
  votes: readonly Ref[],
  fingerprint: string,
  reason = 'They told me',
  category = 'ARRANGED',
) =>
  `invalidateVotes(votes: ${voteListOf(votes)}, category: ${category}, reason: "${reason}", fingerprint: "${fingerprint}") { _id }`;
const placeOf = async (who: Participant): Promise<Place> => {
  const { scores, rank } = await who.query<{ scores: { score: number } | null; rank: number | null }>(
    `getLeaderboardScores(${inSpace()}) { scores { score } rank }`,
  );
  return { score: scores?.score ?? 0, rank };
};
const places = () => Promise.all(ring().map(placeOf));
const noticesOf = (who: Participant) =>
  who.query<readonly { kind: string; side: string; count: number }[]>(
    `getScoreNotices(${inSpace()}) { _id day kind side category count post { _id question { _id title } } }`,
  );

describe('vote patterns and cases', () => {
  it('show a ring with evidence, hide it once invalidated, and show it again after reversal', async () => {
    const isRing = ({ kind }: { kind: string }) => kind === 'RING';
    const pattern = (await findings()).find(isRing);
    if (!pattern) throw new Error('no pattern found');
    expect(pattern.students.map(({ _id }) => _id).sort()).toEqual(ring().map(idOf).sort());
    expect(pattern.chanceLog10).toBeLessThan(-2);
    const votes = await evidenceOf(pattern._id);
    expect(votes).toHaveLength(60);

    const before = await places();
    const { fingerprint, effect } = await preview(votes);
    const predicted = (side: 'before' | 'after') =>
      ring().map((who) => effect.students.find(({ student }) => student._id === idOf(who))?.[side]);
    expect(predicted('before')).toMatchObject(before);

    const { data, errors } = await moderator.mutate(invalidate(votes, fingerprint));
    expect(errors).toBeUndefined();
    const caseId = data.done._id;
    expect(predicted('after')).toMatchObject(await places());
    expect((await places())[0]?.score).toBeLessThan(before[0]?.score ?? 0);
    expect(await findings()).toEqual([]);
    expect(await evidenceOf(pattern._id)).toEqual([]);
    for (const { postId, after } of effect.posts) {
      const question = await moderator.query<{ upvoteCount: number }>(
        `getQuestionById(questionId: "${postId}") { upvoteCount }`,
      );
      expect(question.upvoteCount).toBe(after.upvotes);
    }

    const [member] = ring();
    if (!member) throw new Error('no ring found');
    const notices = await noticesOf(member);
    expect(notices.filter(({ side }) => side === 'RECEIVED')).toHaveLength(10);
    expect(notices.filter(({ side }) => side === 'GIVEN')).toHaveLength(20);
    expect(await noticesOf(people[5] as Participant)).toEqual([]);

    const detail = await moderator.query<{ reviewedVotes: unknown[]; effect: Effect; reversedBy: unknown }>(
      `getInvalidationCase(caseId: "${caseId}") { ${CASE} reviewedVotes { ${VOTE} } effect { ${EFFECT} } }`,
    );
    expect(detail).toMatchObject({ reason: 'They told me', category: 'ARRANGED', reversedBy: null });
    expect(detail.effect).toEqual(effect);
    expect(detail.reviewedVotes).toHaveLength(60);

    const back = await moderator.query<Effect>(`previewReversal(caseId: "${caseId}") { ${EFFECT} }`);
    await moderator.perform(
      `reverseInvalidation(caseId: "${caseId}", reason: "They sit side by side") { _id }`,
    );
    expect(await places()).toEqual(before);
    for (const { student, after } of back.students) {
      const who = people.find((person) => idOf(person) === student._id);
      if (who) expect(after).toMatchObject(await placeOf(who));
    }
    expect((await findings()).find(isRing)?._id).toBe(pattern._id);
    expect((await noticesOf(member)).filter(({ kind }) => kind === 'VALID_AGAIN')).toHaveLength(30);
    const { docs } = await moderator.query<{ docs: unknown[] }>(
      `getInvalidationCases { docs { ${CASE} } page totalPages }`,
    );
    expect(docs).toMatchObject([
      { _id: caseId, reversalReason: 'They sit side by side', reversedBy: { _id: idOf(moderator) } },
    ]);
  });

  it('refuse a confirmation if a vote changed since the preview', async () => {
    const [voter, author] = people.slice(4) as [Participant, Participant];
    const [post = ''] = posts.get(author) ?? [];
    const votes = [{ postId: post, voterId: idOf(voter) }];
    const { fingerprint } = await preview(votes);
    const refused = async (operation: string) => (await moderator.refusal(`mutation { ${operation} }`)).code;
    await upvote(voter, post);
    expect(await refused(invalidate(votes, fingerprint))).toBe('CONFLICT');
    await upvote(voter, post);
    expect(await refused(invalidate(votes, fingerprint))).toBe('CONFLICT');
    await app.caughtUp();
    const again = await preview(votes);
    await moderator.perform(invalidate(votes, again.fingerprint));
    const repeated = `query { previewInvalidation(votes: ${voteListOf(votes)}) { fingerprint } }`;
    expect((await moderator.refusal(repeated)).message).toContain('no longer counts');
  });

  it('open one case when the confirmation is repeated', async () => {
    const [voter, author] = people.slice(6) as [Participant, Participant];
    const votes = [{ postId: posts.get(author)?.[0] ?? '', voterId: idOf(voter) }];
    const { fingerprint } = await preview(votes);
    const headers = { 'idempotency-key': `case-${fingerprint}` };
    const first = await moderator.mutate(invalidate(votes, fingerprint), headers);
    const second = await moderator.mutate(invalidate(votes, fingerprint), headers);
    expect(second.data.done._id).toBe(first.data.done._id);
  });

  it('refuse a blank reason, and no, too many or duplicate votes', async () => {
    const [voter, author] = people.slice(8) as [Participant, Participant];
    const vote = { postId: posts.get(author)?.[0] ?? '', voterId: idOf(voter) };
    const { fingerprint } = await preview([vote]);
    const codeOf = async (operation: string) => (await moderator.refusal(`mutation { ${operation} }`)).code;
    expect(await codeOf(invalidate([vote], fingerprint, ' '))).toBe('VALIDATION_FAILED');
    const many = Array.from({ length: 1_001 }, (_, n) => ({
      postId: vote.postId,
      voterId: `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
    }));
    const previewed = (votes: readonly Ref[]) =>
      app.graphql(
        'query($votes: [VoteRefInput!]!) { previewInvalidation(votes: $votes) { fingerprint } }',
        { votes },
        moderator.student.token,
      );
    for (const votes of [[], [vote, vote], many])
      expect((await previewed(votes)).errors?.[0]?.message).toBe(
        'You can invalidate 1 to 1000 different votes at once. Split them up.',
      );
  });

  it('filter votes by voter, author, post and time cast', async () => {
    const [voter, author] = people.slice(11) as [Participant, Participant];
    const [post = ''] = posts.get(author) ?? [];
    interface Listed {
      readonly postId: string;
      readonly castAt: string;
      readonly voter: { readonly _id: string };
      readonly author: { readonly _id: string };
    }
    const listed = async (filter: string) =>
      (
        await moderator.query<{ docs: readonly Listed[] }>(
          `getVotesForReview(${inSpace()}, ${filter}, paginateOptions: { limit: 100 }) { docs { postId castAt voter { _id } author { _id } } }`,
        )
      ).docs;
    const from = (who: Participant) => `voter: "${idOf(who)}"`;
    const [vote, ...others] = await listed(`${from(voter)}, author: "${idOf(author)}", post: "${post}"`);
    expect(vote).toMatchObject({ postId: post, voter: { _id: idOf(voter) }, author: { _id: idOf(author) } });
    expect(others).toEqual([]);
    const at = vote?.castAt ?? '';
    const all = await listed(from(voter));
    const until = await listed(`${from(voter)}, until: "${at}"`);
    const since = await listed(`${from(voter)}, from: "${at}"`);
    expect(until.every(({ castAt }) => castAt < at)).toBe(true);
    expect(since.every(({ castAt }) => castAt >= at)).toBe(true);
    expect([since.length > 0, until.length > 0, since.length + until.length]).toEqual([
      true,
      true,
      all.length,
    ]);
    for (const wrong of ['yesterday', '+123456-01-01T00:00:00.000Z', '0000-01-01T00:00:00Z'])
      expect(
        (await moderator.refusal(`query { getVotesForReview(${inSpace()}, from: "${wrong}") { page } }`))
          .code,
      ).toBe('VALIDATION_FAILED');
  });

  it('are limited to moderators of the space and reveal no votes to others', async () => {
    const [voter, author] = people.slice(9) as [Participant, Participant];
    const vote = { postId: posts.get(author)?.[0] ?? '', voterId: idOf(voter) };
    const never = { ...vote, voterId: idOf(outsider) };
    const { fingerprint } = await preview([vote]);
    const opened = await moderator.mutate(invalidate([vote], fingerprint));
    const caseId = opened.data.done._id;
    const operations = [
      `query { getVotePatterns(${inSpace()}) { _id } }`,
      `query { getVotePattern(${inSpace()}, pattern: "ring-1") { _id } }`,
      `query { getVotesForReview(${inSpace()}) { page } }`,
      `query { getVoteGivers(${inSpace()}, author: "${idOf(voter)}") { page } }`,
      `query { getScoreNotices(${inSpace()}, studentId: "${idOf(voter)}") { _id } }`,
      `query { previewInvalidation(votes: ${voteListOf([vote])}) { fingerprint } }`,
      `query { previewInvalidation(votes: ${voteListOf([never])}) { fingerprint } }`,
      `mutation { ${invalidate([vote], fingerprint)} }`,
      `mutation { reverseInvalidation(caseId: "${caseId}", reason: "x") { _id } }`,
    ];
    const hidden = [
      `query { getInvalidationCase(caseId: "${caseId}") { _id } }`,
      `query { previewReversal(caseId: "${caseId}") { posts { postId } } }`,
    ];
    for (const operation of [...operations, ...hidden]) {
      expect([operation, (await author.refusal(operation)).code]).toEqual([operation, 'FORBIDDEN']);
      const { code } = await outsider.refusal(operation);
      const expected = hidden.includes(operation)
        ? 'NOT_FOUND'
        : /Notices/.test(operation)
          ? code
          : 'FORBIDDEN';
      expect([operation, code]).toEqual([operation, expected]);
      expect((await app.graphql(operation)).errors?.[0]?.extensions.code).toBe('UNAUTHENTICATED');
      const stale = await app.graphql(operation, {}, `${author.student.token.slice(0, -1)}_`);
      expect(stale.errors?.[0]?.extensions.code).toBe('UNAUTHENTICATED');
    }
    const { docs } = await outsider.query<{ docs: unknown[] }>('getInvalidationCases { docs { _id } }');
    expect(docs).toEqual([]);
    expect((await author.refusal('query { getInvalidationCases { page } }')).code).toBe('FORBIDDEN');
  });

  it('are refused to a maintainer without moderator role and to those the votes concern', async () => {
    const student = await app.signUp();
    await app.grantRole(student.studentId, 'MAINTAINER');
    const maintainer = new Participant(app, student, community);
    const [voter, author] = people.slice(10) as [Participant, Participant];
    const votes = [{ postId: posts.get(author)?.[0] ?? '', voterId: idOf(voter) }];
    const operation = `query { previewInvalidation(votes: ${voteListOf(votes)}) { fingerprint } }`;
    expect((await maintainer.refusal(operation)).code).toBe('FORBIDDEN');
    for (const concerned of [voter, author]) {
      await app.grantRole(idOf(concerned), 'MODERATOR', community.spaceId);
      const { message } = await concerned.refusal(operation);
      expect(message).toBe('You can’t review your own votes or votes on your own posts.');
      const { docs } = await concerned.query<{ docs: { voter: { _id: string }; author: { _id: string } }[] }>(
        `getVotesForReview(space: "${community.spaceId}", paginateOptions: { page: 1, limit: 100 }) { docs { voter { _id } author { _id } } }`,
      );
      const shownIds = docs.flatMap((vote) => [vote.voter._id, vote.author._id]);
      expect(shownIds.length).toBeGreaterThan(0);
      expect(shownIds).not.toContain(idOf(concerned));
      const ofOneself = `query { getVoteGivers(${inSpace()}, author: "${idOf(concerned)}") { page } }`;
      expect((await concerned.refusal(ofOneself)).message).toBe(message);
      const [other] = people.slice(3);
      if (!other) throw new Error('no members');
      const givers = await concerned.query<{ docs: { voter: { _id: string }; upvotes: number }[] }>(
        `getVoteGivers(${inSpace()}, author: "${idOf(other)}") { docs { voter { _id } upvotes } }`,
      );
      const voters = givers.docs.map((giver) => giver.voter._id);
      expect(voters).toContain(idOf(people.slice(4).find((who) => who !== concerned) ?? other));
      expect(voters).not.toContain(idOf(concerned));
    }
  });
});
