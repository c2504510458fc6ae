import { describe, expect, it } from '@jest/globals';
import type { EventType } from '@nimo/domain';
import { expectConsistentScores } from '../testing/every-surface.fixture.js';
import { randomHistory } from '../testing/random-history.fixture.js';

/** Events that change a score. */
const SCORING_EVENTS: readonly EventType[] = [
  'QuestionAsked',
  'AnswerPosted',
  'CommentPosted',
  'QuestionDeleted',
  'AnswerDeleted',
  'CommentDeleted',
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

describe('a student’s score', () => {
  it.each([1, 2])(
    'is the same everywhere and matches an independent count, in random history %i',
    async (seed) => {
      const past = randomHistory(seed * 3_313, 450);
      const types = new Set(past.events.map(({ type }) => type));
      expect(SCORING_EVENTS.filter((type) => !types.has(type))).toEqual([]);
      const { snapshots } = await expectConsistentScores(past, 20);
      expect(snapshots).toBeGreaterThan(0);
    },
  );
});
