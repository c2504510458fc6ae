import { describe, expect, it } from '@jest/globals';
import type { EventType } from '@nimo/domain';
import { expectOneScore } from '../testing/every-surface.fixture.js';
import { randomPast } from '../testing/random-history.fixture.js';

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
});
