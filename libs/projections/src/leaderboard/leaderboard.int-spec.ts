import {
  DEFAULT_SCORING_RULES,
  factKeysOf,
  foldFact,
  rankOrder,
  type Score,
  type ScoreFact,
  scoreFold,
} from '@nimo/domain';
import { describe, expect, it } from '@jest/globals';
import { READ_TYPES } from '@nimo/projection-engine';
import { EventHistory } from '../testing/event-history.fixture.js';
import { randomHistory } from '../testing/random-history.fixture.js';
import { openReadSide, type ReadSide } from '../testing/read-side.fixture.js';
import { standingRules } from '../testing/standing-rules.fixture.js';
import { findLeaderboardScore, listOwnLeaderboardScores, pageOfLeaderboard } from './leaderboard.queries.js';
import type { LeaderboardRow } from './leaderboard.tables.js';
import { ALL_BUCKETS } from './rescore.sql.js';

let side: ReadSide;

const rows = async <R>(text: string): Promise<R[]> =>
  (await side.pool.query({ text, types: READ_TYPES })).rows as R[];

const scoreOf = (row: LeaderboardRow): Score => ({
  reputations: row.merit,
  commitments: row.impact,
  score: row.score,
  lastOrdinal: row.last_ordinal,
  questionsAsked: row.questions_asked,
  questionsAnswered: row.questions_answered,
  answersAccepted: row.answers_accepted,
});

type Events = EventHistory['events'];

/** All scores, calculated from the log by the domain's folds. */
function scoresByFold(events: Events): Map<string, Score> {
  const facts = new Map<string, ScoreFact>();
  const versions = standingRules(events);
  for (const [index, event] of events.entries()) {
    for (const key of factKeysOf(event)) {
      const fact = foldFact(facts.get(key.join()), { ...event, ordinal: index + 1 }, key);
      if (fact) facts.set(key.join(), fact);
    }
  }
  const byStudent = new Map<string, ScoreFact[]>();
  for (const fact of facts.values()) {
    const key = `${fact.spaceId} ${fact.studentId}`;
    byStudent.set(key, [...(byStudent.get(key) ?? []), fact]);
  }
  return new Map([...byStudent].map(([key, some]) => [key, scoreFold(some, versions)]));
}

const isBlank = ({ score, lastOrdinal, questionsAsked }: Score) =>
  score === 1 && lastOrdinal === 0 && questionsAsked === 0;

describe('the leaderboard', () => {
  it.each([1, 2, 3, 4])(
    'equals the fold of the facts after every part of random history %i',
    async (seed) => {
      const past = randomHistory(seed * 1_009, 500);
      side = await openReadSide();
      try {
        const parts = [0.2, 0.4, 0.45, 0.5, 0.9, 1].map((part) => Math.ceil(part * past.events.length));
        for (const part of parts) {
          await side.record(past, part);
          await expectScoresToHold(past.events.slice(0, part));
        }
      } finally {
        await side.close();
      }
    },
  );

  async function expectScoresToHold(events: Events): Promise<void> {
    const stored = await rows<LeaderboardRow>('select * from read.leaderboard');
    expectEach(stored, scoresByFold(events));
    expect(stored.length).toBeGreaterThan(0);
    await expectRanksToHold(stored);
  }

  function expectEach(stored: readonly LeaderboardRow[], folded: ReadonlyMap<string, Score>): void {
    const scores = new Map(stored.map((row) => [`${row.space_id} ${row.student_id}`, scoreOf(row)]));
    for (const [key, score] of folded) {
      // A student whose facts were all reversed has no row.
      if (scores.has(key) || !isBlank(score)) expect({ key, score: scores.get(key) }).toEqual({ key, score });
    }
    expect([...scores.keys()].filter((key) => !folded.has(key))).toEqual([]);
  }

  async function expectRanksToHold(stored: readonly LeaderboardRow[]): Promise<void> {
    for (const spaceId of new Set(stored.map((row) => row.space_id))) {
      const order = stored
        .filter((row) => row.space_id === spaceId)
        .map((row) => ({ studentId: row.student_id, score: row.score, lastOrdinal: row.last_ordinal }))
        .sort(rankOrder);
      const page = await pageOfLeaderboard(side.pool, { spaceId, viewerId: null });
      expect(page.docs.map(({ student, rank }) => ({ id: student._id, rank }))).toEqual(
        order.map(({ studentId }, index) => ({ id: studentId, rank: index + 1 })),
      );
      for (let start = 0, number = 1; start <= order.length; start += 3, number += 1) {
        const part = await pageOfLeaderboard(side.pool, { spaceId, viewerId: null, page: number, limit: 3 });
        expect(part.totalPages).toBe(Math.ceil(order.length / 3));
        expect(part.docs.map(({ student, rank }) => ({ id: student._id, rank }))).toEqual(
          order
            .slice(start, start + 3)
            .map(({ studentId }, index) => ({ id: studentId, rank: start + index + 1 })),
        );
      }
      for (const [index, { studentId }] of order.entries()) {
        const own = await findLeaderboardScore(side.pool, { spaceId, studentId, viewerId: studentId });
        expect(own?.rank).toBe(index + 1);
        const listed = await listOwnLeaderboardScores(side.pool, studentId);
        expect(listed.find(({ space }) => space._id === spaceId)).toEqual(own);
      }
    }
    const refilled = ALL_BUCKETS.replaceAll('{leaderboard}', 'read.leaderboard');
    const buckets = await rows<object>('select * from read.score_buckets');
    const counted = await rows<object>(
      `select * from (${refilled}) counted(space_id, width, low, block, students)`,
    );
    expect(new Set(buckets.map((row) => JSON.stringify(row)))).toEqual(
      new Set(counted.map((row) => JSON.stringify(row))),
    );
  }

  describe('with a single question', () => {
    const start = () => {
      const past = new EventHistory();
      const spaceId = past.newSpace();
      const place = past.newTopic(spaceId, past.newSubject(spaceId));
      const author = past.newStudent();
      return { past, spaceId, place, author, questionId: past.ask(author, place) };
    };
    /** Opens a separate read side for each test, since a log holds one history. */
    const scoresAfter = async (past: EventHistory, spaceId: string, students: readonly string[]) => {
      const own = await openReadSide();
      try {
        await own.record(past);
        const scores = students.map((studentId) =>
          findLeaderboardScore(own.pool, { spaceId, studentId, viewerId: null }),
        );
        return await Promise.all(scores);
      } finally {
        await own.close();
      }
    };

    it('reverts a withdrawn vote but keeps the impact of casting it', async () => {
      const { past, spaceId, author, questionId } = start();
      const voter = past.newStudent();
      past.vote(voter, questionId, 'UP');
      past.vote(voter, questionId, 'UP');
      past.vote(voter, questionId, 'UP');
      past.vote(voter, questionId, 'UP');
      const [authors, voters] = await scoresAfter(past, spaceId, [author, voter]);
      expect(authors).toMatchObject({
        reputations: 1,
        commitments: 10,
        score: 11,
        questionsAsked: 1,
        rank: 1,
      });
      expect(voters).toMatchObject({ reputations: 1, commitments: 1, score: 2, rank: 2 });
    });

    it('never lets merit fall below one', async () => {
      const { past, spaceId, author, questionId } = start();
      past.vote(past.newStudent(), questionId, 'DOWN');
      past.vote(past.newStudent(), questionId, 'UP');
      const [authors] = await scoresAfter(past, spaceId, [author]);
      expect(authors).toMatchObject({ reputations: 51, commitments: 10 });
    });

    it('counts the votes of a stand-in without giving it a row', async () => {
      const { past, spaceId, author, questionId } = start();
      const standIn = past.newStandIn();
      past.vote(standIn, questionId, 'UP');
      const [authors, voters] = await scoresAfter(past, spaceId, [author, standIn]);
      expect(authors).toMatchObject({ reputations: 51 });
      expect(voters).toBeNull();
    });

    it('applies the penalty with the third report and reverts it on dismissal', async () => {
      const { past, spaceId, author, questionId } = start();
      for (let count = 0; count < 6; count += 1) past.vote(past.newStudent(), questionId, 'UP');
      for (let count = 0; count < 2; count += 1) past.report(past.newStudent(), questionId);
      const own = await openReadSide();
      const merit = async () => {
        await own.record(past);
        return (await findLeaderboardScore(own.pool, { spaceId, studentId: author, viewerId: null }))
          ?.reputations;
      };
      try {
        expect(await merit()).toBe(301);
        past.report(past.newStudent(), questionId);
        expect(await merit()).toBe(101);
        past.dismiss(past.newModerator(), questionId);
        expect(await merit()).toBe(301);
      } finally {
        await own.close();
      }
    });

    it('removes a student whose only fact is reversed', async () => {
      const { past, spaceId, questionId } = start();
      const voter = past.newStudent();
      past.vote(voter, questionId, 'DOWN');
      past.vote(voter, questionId, 'DOWN');
      expect(await scoresAfter(past, spaceId, [voter])).toEqual([null]);
    });

    it('gives no points for invalidated votes, even cast again, until the invalidation is reversed', async () => {
      const { past, spaceId, author, questionId } = start();
      const voter = past.newStudent();
      past.vote(voter, questionId, 'UP');
      const caseId = past.invalidate(past.newModerator(), [past.voteData(voter, questionId, 'UP')]);
      past.vote(voter, questionId, 'UP');
      past.vote(voter, questionId, 'UP');
      const [invalid, withoutImpact] = await scoresAfter(past, spaceId, [author, voter]);
      expect(invalid).toMatchObject({ reputations: 1 });
      expect(withoutImpact).toBeNull();
      past.reverse(caseId);
      const [valid, withImpact] = await scoresAfter(past, spaceId, [author, voter]);
      expect(valid).toMatchObject({ reputations: 51 });
      expect(withImpact).toMatchObject({ commitments: 1 });
    });

    it('shows all viewers the effect on the voter of casting and withdrawing a vote', async () => {
      const { past, spaceId, author, questionId } = start();
      const [up, down] = [past.newStudent(), past.newStudent()];
      past.vote(author, past.ask(down, past.newTopic(spaceId, past.newSubject(spaceId, 'Botany'))), 'UP');
      const own = await openReadSide();
      const seenBy = async (studentId: string, viewerId: string | null) => {
        await own.record(past);
        const found = await findLeaderboardScore(own.pool, { spaceId, studentId, viewerId });
        return found && [found.reputations, found.commitments];
      };
      try {
        past.vote(up, questionId, 'UP');
        past.vote(down, questionId, 'DOWN');
        for (const viewer of [up, author, null]) expect(await seenBy(up, viewer)).toEqual([1, 1]);
        for (const viewer of [down, author, null]) expect(await seenBy(down, viewer)).toEqual([46, 10]);
        past.vote(down, questionId, 'DOWN');
        for (const viewer of [down, author, null]) expect(await seenBy(down, viewer)).toEqual([51, 10]);
      } finally {
        await own.close();
      }
    });

    it('recalculates all scores when rules are published', async () => {
      const { past, spaceId, author, questionId } = start();
      past.vote(past.newStudent(), questionId, 'UP');
      const weights = { ...DEFAULT_SCORING_RULES.weights, QUESTION_UPVOTED: { merit: 7, impact: 0 } };
      past.publishRules({ weights });
      const [authors] = await scoresAfter(past, spaceId, [author]);
      expect(authors).toMatchObject({ reputations: 8, commitments: 10, score: 18, rank: 1 });
    });
  });
});
