import { randomUUID } from 'node:crypto';
import type { VoteDirection } from '@nimo/domain';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { historySeed } from '@nimo/testing';
import { findLeaderboardScore } from '../leaderboard/leaderboard.queries.js';
import { READ_TYPES } from '@nimo/projection-engine';
import { EventHistory } from '../testing/event-history.fixture.js';
import { randomHistory } from '../testing/random-history.fixture.js';
import { openReadSide, type ReadSide } from '../testing/read-side.fixture.js';
import {
  findCase,
  isAnyInAnotherCase,
  listVotesOfCase,
  listVotesOfLinks,
  pageOfCases,
  pageOfJudgedVotes,
} from './cases.queries.js';
import { effectOfCase, type EffectStanding, type InvalidationEffect } from './invalidation-effect.queries.js';
import { listScoreNotices } from './score-notices.queries.js';

let side: ReadSide;
beforeEach(async () => {
  side = await openReadSide();
});
afterEach(() => side.close());

const rows = async <R>(text: string): Promise<R[]> =>
  (await side.pool.query({ text, types: READ_TYPES })).rows as R[];

/** Standings and vote counts as the product shows them. */
async function shown({ students, posts }: InvalidationEffect) {
  const standings = students.map(async ({ spaceId, studentId }): Promise<EffectStanding> => {
    const score = await findLeaderboardScore(side.pool, { spaceId, studentId, viewerId: null });
    const { reputations = 0, commitments = 0, score: points = 0, rank = null } = score ?? {};
    return { reputations, commitments, score: points, rank };
  });
  const counts = await rows<{ post_id: string; upvotes: number; downvotes: number }>(
    'select * from read.post_votes',
  );
  return {
    standings: await Promise.all(standings),
    votes: posts.map(({ postId }) => {
      const { upvotes = 0, downvotes = 0 } = counts.find(({ post_id }) => post_id === postId) ?? {};
      return { upvotes, downvotes };
    }),
  };
}

const sideOf = ({ students, posts }: InvalidationEffect, when: 'before' | 'after') => ({
  standings: students.map((student) => student[when]),
  votes: posts.map((post) => post[when]),
});

describe('the effect of a case', () => {
  it.each([
    ['a random history', historySeed],
    ['another random history', () => historySeed() + 1],
    ['a history where points for voting decide a rank', () => 101_707],
  ])('matches the outcome and the reversal in %s', async (_, seedOf) => {
    const seed = seedOf();
    const past = randomHistory(seed, 500);
    await side.record(past);
    const cast = await rows<{ post_id: string; voter_id: string; direction: VoteDirection }>(
      `select distinct on (md5(post_id || voter_id)) post_id, voter_id, direction from read.votes
       order by md5(post_id || voter_id), direction limit 6`,
    );
    const votes = cast.map(({ post_id, voter_id, direction }) => past.voteData(voter_id, post_id, direction));
    const moderator = past.newModerator();
    const data = {
      caseId: randomUUID(),
      moderatorId: moderator,
      category: 'OTHER',
      reason: 'x',
      votes,
    } as const;
    const effect = await effectOfCase(side.pool, { type: 'VotesInvalidated', data });
    expect({ seed, ...(await shown(effect)) }).toEqual({ seed, ...sideOf(effect, 'before') });

    const caseId = past.invalidate(moderator, votes);
    await side.record(past);
    expect({ seed, ...(await shown(effect)) }).toEqual({ seed, ...sideOf(effect, 'after') });

    const reversal = await effectOfCase(side.pool, {
      type: 'InvalidationReversed',
      data: { ...data, caseId },
    });
    past.reverse(caseId);
    await side.record(past);
    expect({ seed, ...(await shown(reversal)) }).toEqual({ seed, ...sideOf(reversal, 'after') });
    expect({ seed, ...(await shown(effect)) }).toEqual({ seed, ...sideOf(effect, 'before') });
  });
});

describe('case visibility', () => {
  function begin() {
    const past = new EventHistory();
    const spaceId = past.newSpace();
    const place = past.newTopic(spaceId, past.newSubject(spaceId));
    const [author, voter, other] = [past.newStudent(), past.newStudent(), past.newStudent()];
    const moderator = past.newModerator();
    const questionId = past.ask(author, place, { title: 'Why?' });
    past.vote(voter, questionId, 'UP');
    past.vote(other, questionId, 'UP');
    return { past, spaceId, author, voter, other, moderator, questionId };
  }

  it('gives voters and authors one notice per post and day that identifies no one', async () => {
    const { past, spaceId, author, voter, other, moderator, questionId } = begin();
    const caseId = past.invalidate(moderator, [
      past.voteData(voter, questionId, 'UP'),
      past.voteData(other, questionId, 'UP'),
    ]);
    await side.record(past);
    const noticesOf = (studentId: string) => listScoreNotices(side.pool, { spaceId, studentId });
    const notice = {
      kind: 'INVALIDATED',
      category: 'ARRANGED',
      day: '2026-01-01',
      post: { _id: questionId, postType: 'QUESTION', question: { _id: questionId, title: 'Why?' } },
    };
    expect(await noticesOf(author)).toMatchObject([{ ...notice, side: 'RECEIVED', count: 2 }]);
    expect(await noticesOf(voter)).toMatchObject([{ ...notice, side: 'GIVEN', count: 1 }]);
    const everything = JSON.stringify([await noticesOf(author), await noticesOf(voter)]);
    for (const secret of [moderator, caseId, 'A ring', voter, other])
      expect(everything).not.toContain(secret);
    expect(JSON.stringify(await noticesOf(voter))).not.toContain(author);

    past.reverse(caseId);
    past.deleteQuestion(questionId);
    await side.record(past);
    expect(await noticesOf(author)).toMatchObject([
      { kind: 'INVALIDATED', post: { question: null } },
      { kind: 'VALID_AGAIN', side: 'RECEIVED', count: 2, post: { question: null } },
    ]);
    expect(await noticesOf(moderator)).toEqual([]);
  });

  it('shows moderators the votes of their spaces', async () => {
    const { past, spaceId, author, voter, other, moderator, questionId } = begin();
    const elsewhere = past.newSpace();
    const vote = past.voteData(voter, questionId, 'UP');
    await side.record(past);
    const refs = [{ postId: questionId, voterId: voter }];
    expect(await isAnyInAnotherCase(side.pool, refs, null)).toBe(false);
    const caseId = past.invalidate(moderator, [vote]);
    past.vote(other, questionId, 'UP');
    await side.record(past);
    expect(await isAnyInAnotherCase(side.pool, refs, null)).toBe(true);
    expect(await isAnyInAnotherCase(side.pool, refs, caseId)).toBe(false);

    const list = (filter: object) =>
      pageOfJudgedVotes(side.pool, { spaceId, readerId: moderator, limit: 10, ...filter });
    const chosen = { voterId: voter, authorId: author, isHeld: true, caseIds: [caseId], direction: 'UP' };
    for (const filter of [{}, { voterId: voter }, { authorId: author }, { postId: questionId }])
      expect(await list(filter)).toMatchObject({ docs: [chosen], totalPages: 1 });
    expect((await list({ voterId: other })).docs).toEqual([]);
    expect((await list({ spaceId: elsewhere })).docs).toEqual([]);
    const links = [{ voterId: voter, authorId: author, direction: 'UP' as const }];
    expect(await listVotesOfLinks(side.pool, spaceId, links, 5)).toEqual([]);

    expect(await listVotesOfCase(side.pool, caseId)).toMatchObject([chosen]);
    const page = { page: 1, limit: 5, readerId: moderator };
    for (const spaces of ['all', [spaceId, elsewhere]] as const)
      expect((await pageOfCases(side.pool, { spaces, ...page })).docs).toMatchObject([
        { _id: caseId, votes: 1 },
      ]);
    expect((await pageOfCases(side.pool, { spaces: [elsewhere], ...page })).docs).toEqual([]);
    // People involved in the case see neither the case nor its votes.
    for (const readerId of [voter, author]) {
      expect((await pageOfCases(side.pool, { spaces: 'all', ...page, readerId })).docs).toEqual([]);
      expect(await findCase(side.pool, caseId, readerId)).toBeNull();
      expect((await list({ readerId })).docs).toEqual([]);
    }
  });
});
