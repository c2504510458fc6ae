import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { EventType } from '@nimo/domain';
import { projections } from '../registry.js';
import { expectOneScore } from '../testing/every-surface.fixture.js';
import { Past } from '../testing/past.fixture.js';
import { randomPast } from '../testing/random-history.fixture.js';
import { openReadSide } from '../testing/read-side.fixture.js';
import { pageOfLeaderboard } from './leaderboard.queries.js';

/** Events that move a score, and those that move it back. */
const MOVES: readonly EventType[] = [
  'QuestionAsked',
  'AnswerPosted',
  'CommentPosted',
  'AnswerAccepted',
  'VoteCast',
  'VoteWithdrawn',
  'PostReported',
  'ReportsUpheld',
  'ReportsDismissed',
  'UpholdingReversed',
  'VotesInvalidated',
  'InvalidationReversed',
  'ScoringRulesPublished',
];

describe('the score of a student', () => {
  it.each([1, 2])('is on every surface what a count by hand gives, in random history %i', async (seed) => {
    const past = randomPast(seed * 3_301, 450);
    const told = new Set(past.events.map(({ type }) => type));
    expect(MOVES.filter((type) => !told.has(type))).toEqual([]);
    const { snapshots } = await expectOneScore(past, 20);
    expect(snapshots).toBeGreaterThan(0);
  });

  it('is untouched by events of a type that is gone, live and in a rebuild', async () => {
    const past = new Past();
    const [author, voter] = [past.newStudent(), past.newStudent()];
    const spaceId = past.newSpace();
    const questionId = past.ask(author, past.newTopic(spaceId, past.newSubject(spaceId)));
    const side = await openReadSide();
    try {
      await side.record(past);
      past.vote(voter, questionId, 'UP');
      const events = (past.appends.at(-1)?.events ?? []).map((event) => ({
        ...event,
        ...{ id: randomUUID(), type: 'DayBegan', data: { day: '2026-01-02' } },
      }));
      await side.store.append([{ streamId: 'day-2026-01-02', expectedRevision: 'any', events }]);
      await side.record(past);
      const scores = async () => {
        const { docs } = await pageOfLeaderboard(side.pool, { spaceId, viewerId: null });
        return docs.map(({ student, score }) => [student._id, score]);
      };
      const expected = [
        [author, 61],
        [voter, 2],
      ];
      expect(await scores()).toEqual(expected);
      for (const { name } of projections) await side.rebuild(name);
      expect(await scores()).toEqual(expected);
    } finally {
      await side.close();
    }
  });
});
