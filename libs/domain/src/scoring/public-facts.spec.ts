import { describe, expect, it } from '@jest/globals';
import type { FactKind } from '../events.js';
import { countsTheSame, isCast, publicFacts } from './public-facts.js';
import type { ScoreFact } from './score-fact.js';
import { scoreFold } from './score-fold.js';
import { beginDay, dayOf } from './scoring-day.js';
import { FACT_KINDS } from './scoring-rules.js';

const factOf = (kind: FactKind, ordinal: number, changes: Partial<ScoreFact> = {}): ScoreFact => ({
  spaceId: 'space',
  studentId: 'student',
  kind,
  postId: `post-${ordinal}`,
  sourceId: 'source',
  ordinal,
  occurredAt: '2026-01-01T08:00:00.000Z',
  held: true,
  invalidatedBy: [],
  standing: true,
  round: null,
  reports: [],
  ...changes,
});
const withdrawn = (fact: ScoreFact): ScoreFact => ({ ...fact, held: false, standing: false });
const seen = (now: readonly ScoreFact[], atDawn: readonly ScoreFact[]) => {
  const { reputations, commitments, lastOrdinal } = scoreFold(publicFacts(now, atDawn), []);
  return { reputations, commitments, lastOrdinal };
};

describe('the facts that count for others', () => {
  it('are those that tell nothing of the student’s own voting, at once', () => {
    expect(FACT_KINDS.filter((kind) => isCast({ kind }))).toEqual(['UPVOTE_CAST', 'DOWNVOTE_CAST']);
    const asked = factOf('QUESTION_POSTED', 1);
    const received = factOf('QUESTION_UPVOTED', 3);
    expect(seen([asked, factOf('UPVOTE_CAST', 2), received], [asked])).toEqual({
      reputations: 51,
      commitments: 10,
      lastOrdinal: 3,
    });
  });

  it('keep a vote that is taken back today until tomorrow', () => {
    const received = factOf('QUESTION_UPVOTED', 1);
    const cast = factOf('DOWNVOTE_CAST', 2);
    expect(seen([received, withdrawn(cast)], [received, cast])).toMatchObject({ reputations: 46 });
    expect(seen([received, withdrawn(cast)], [received, withdrawn(cast)])).toMatchObject({ reputations: 51 });
  });

  it('keep their places in the log, by which merit meets its floor', () => {
    const [up, down, upAgain] = [
      factOf('QUESTION_UPVOTED', 1),
      factOf('QUESTION_DOWNVOTED', 3),
      factOf('ANSWER_UPVOTED', 4),
    ];
    const cast = factOf('DOWNVOTE_CAST', 2);
    // 51, 46, 1 instead of -4, 71; and for others meanwhile 51, 1, 71.
    expect(seen([up, cast, down, upAgain], [up])).toMatchObject({ reputations: 71 });
    // Had the cast been at the end it would have cost 5: from tomorrow on it counts where it was cast.
    expect(seen([up, cast, down, upAgain], [up, cast])).toMatchObject({ reputations: 71 });
    expect(seen([up, down, upAgain, factOf('DOWNVOTE_CAST', 5)], [factOf('DOWNVOTE_CAST', 5)])).toMatchObject(
      {
        reputations: 66,
      },
    );
  });

  it('are the same where a vote stands at the same place, or not at all', () => {
    const cast = factOf('DOWNVOTE_CAST', 2);
    expect(countsTheSame(undefined, withdrawn(cast))).toBe(true);
    expect(countsTheSame(withdrawn(cast), withdrawn({ ...cast, ordinal: 7 }))).toBe(true);
    expect(countsTheSame(cast, { ...cast, invalidatedBy: [] })).toBe(true);
    expect(countsTheSame(cast, withdrawn(cast))).toBe(false);
    expect(countsTheSame(cast, { ...cast, ordinal: 7 })).toBe(false);
    expect(countsTheSame(undefined, cast)).toBe(false);
  });
});

describe('a day', () => {
  it('begins once, and in UTC', () => {
    const now = '2026-03-01T00:00:00.000Z';
    expect(dayOf('2026-02-28T23:59:59.999Z')).toBe('2026-02-28');
    expect(beginDay(now, false)).toEqual([{ type: 'DayBegan', data: { day: '2026-03-01' } }]);
    expect(beginDay(now, true)).toEqual([]);
  });
});
