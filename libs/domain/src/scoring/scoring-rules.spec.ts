import { describe, expect, it } from '@jest/globals';
import { OPERATOR } from '../authority.js';
import type { ScoringRules } from '../events.js';
import { newActor, newMaintainer, newModerator } from '../testing/builders.js';
import { given } from '../testing/given-when-then.js';
import { publishScoringRules, type PublishScoringRules } from './scoring-rules.decide.js';
import { DEFAULT_SCORING_RULES, type FACT_KINDS, rulesAt } from './scoring-rules.js';
import { scoringRulesDecider } from './scoring-rules.state.js';

const { version: _version, ...defaults } = DEFAULT_SCORING_RULES;
const now = '2026-06-01T12:00:00.000Z';
const version = (number: number, effectiveFrom: string | null): ScoringRules => ({
  ...defaults,
  version: number,
  effectiveFrom,
});

describe('the default rules', () => {
  it('are those of the specification', () =>
    expect(DEFAULT_SCORING_RULES).toMatchObject({
      weights: {
        QUESTION_UPVOTED: { merit: 50, impact: 0 },
        ANSWER_UPVOTED: { merit: 70, impact: 0 },
        ANSWER_ACCEPTED: { merit: 100, impact: 0 },
        ACCEPTED_AN_ANSWER: { merit: 15, impact: 0 },
        QUESTION_DOWNVOTED: { merit: -50, impact: 0 },
        ANSWER_DOWNVOTED: { merit: -50, impact: 0 },
        DOWNVOTE_CAST: { merit: -5, impact: 0 },
        POST_REPORTED: { merit: -200, impact: 0 },
        QUESTION_POSTED: { merit: 0, impact: 10 },
        ANSWER_POSTED: { merit: 0, impact: 10 },
        COMMENT_POSTED: { merit: 0, impact: 2 },
        UPVOTE_CAST: { merit: 0, impact: 1 },
      },
      reportThreshold: 3,
    }));
  it('would be accepted if they were published', () =>
    given(scoringRulesDecider)
      .when((s) => publishScoringRules({ by: OPERATOR, basedOn: 1, now, ...defaults }, s))
      .then({ type: 'ScoringRulesPublished', data: { ...defaults, version: 2 } }));
});

describe('rulesAt', () => {
  const versions = [version(2, '2026-02-01T00:00:00.000Z'), version(3, '2026-01-01T00:00:00.000Z')];
  it('falls back on the defaults', () =>
    expect(rulesAt(versions, '2025-12-31T23:59:59.999Z').version).toBe(1));
  it('covers the moment itself', () => expect(rulesAt(versions, '2026-01-01T00:00:00.000Z').version).toBe(3));
  it('takes the latest published, not the latest to begin', () =>
    expect(rulesAt(versions, '2026-03-01T00:00:00.000Z').version).toBe(3));
  it('does not depend on the order of the list', () =>
    expect(rulesAt(versions.toReversed(), '2026-03-01T00:00:00.000Z').version).toBe(3));
  it('lets a version for all of history replace everything before it', () =>
    expect(rulesAt([...versions, version(4, null)], '1990-01-01T00:00:00.000Z').version).toBe(4));
});

describe('publishScoringRules', () => {
  const publishing = (changes: Partial<PublishScoringRules> = {}) =>
    given(scoringRulesDecider).when((s) =>
      publishScoringRules({ by: newMaintainer(), basedOn: 1, now, ...defaults, ...changes }, s),
    );
  const weigh = (kind: (typeof FACT_KINDS)[number], merit: number, impact: number) =>
    publishing({ weights: { ...defaults.weights, [kind]: { merit, impact } } });

  it('counts versions up', () =>
    given(scoringRulesDecider, { type: 'ScoringRulesPublished', data: version(2, null) })
      .when((s) => publishScoringRules({ by: OPERATOR, basedOn: 2, now, ...defaults }, s))
      .then({ type: 'ScoringRulesPublished', data: version(3, null) }));
  it('refuses what was made from a version that is not the last any more', () => {
    const published = { type: 'ScoringRulesPublished', data: version(2, null) } as const;
    for (const basedOn of [1, 3])
      given(scoringRulesDecider, published)
        .when((s) => publishScoringRules({ by: OPERATOR, basedOn, now, ...defaults }, s))
        .thenRefused('SCORING_RULES_OUTDATED');
  });
  it.each(['', '  \n', 'x'.repeat(501)])('refuses a note that tells nothing or too much', (note) =>
    publishing({ note }).thenRefused('SCORING_NOTE_INVALID'),
  );
  it('cuts the space around a note and drops controls', () =>
    publishing({ note: ' More\u202e for answers\u0007 ' }).then({
      type: 'ScoringRulesPublished',
      data: { ...defaults, note: 'More for answers', version: 2 },
    }));
  it('begins at any moment of the past and of a year ahead, and not later', () => {
    for (const effectiveFrom of ['2019-01-01T00:00:00.000Z', '2027-06-01T12:00:00.000Z'])
      publishing({ effectiveFrom }).then({
        type: 'ScoringRulesPublished',
        data: { ...defaults, effectiveFrom, version: 2 },
      });
    publishing({ effectiveFrom: '2027-06-03T12:00:00.000Z' }).thenRefused('SCORING_MOMENT_INVALID');
  });
  it('is for maintainers', () => {
    publishing({ by: newActor() }).thenRefused('FORBIDDEN');
    publishing({ by: newModerator() }).thenRefused('FORBIDDEN');
  });
  it.each(['yesterday', '2026-01-01', '2026-01-01T00:00:00+01:00'])(
    'refuses the moment %j',
    (effectiveFrom) => publishing({ effectiveFrom }).thenRefused('SCORING_MOMENT_INVALID'),
  );
  it.each([0, -1, 1.5, 1001, NaN])('refuses the threshold %d', (reportThreshold) =>
    publishing({ reportThreshold }).thenRefused('SCORING_RULES_INVALID'),
  );
  it('refuses points that are not whole or out of bounds', () => {
    weigh('QUESTION_UPVOTED', 0.5, 0).thenRefused('SCORING_RULES_INVALID');
    weigh('QUESTION_UPVOTED', Infinity, 0).thenRefused('SCORING_RULES_INVALID');
    weigh('QUESTION_UPVOTED', 1e9, 0).thenRefused('SCORING_RULES_INVALID');
  });
  it('never takes impact away, at once or later', () => {
    weigh('QUESTION_POSTED', 0, -1).thenRefused('SCORING_RULES_INVALID');
    weigh('QUESTION_UPVOTED', 50, 1).thenRefused('SCORING_RULES_INVALID');
  });
  it('gives no merit for what outlives its vote', () =>
    weigh('UPVOTE_CAST', 1, 1).thenRefused('SCORING_RULES_INVALID'));
  it('refuses a table that misses a kind', () => {
    const { COMMENT_POSTED: _left, ...rest } = defaults.weights;
    publishing({ weights: rest as typeof defaults.weights }).thenRefused('SCORING_RULES_INVALID');
  });
});
