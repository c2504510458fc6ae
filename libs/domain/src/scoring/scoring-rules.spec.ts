import { describe, expect, it } from '@jest/globals';
import { OPERATOR } from '../authority.js';
import type { ScoringRules } from '../events.js';
import { newActor, newMaintainer, newModerator } from '../testing/builders.js';
import { given } from '../testing/given-when-then.js';
import { readScoringRules } from './scoring-rules.check.js';
import {
  publishScoringRules,
  type PublishScoringRules,
  scoringRulesDecider,
  withdrawScoringRules,
} from './scoring-rules.decide.js';
import {
  DEFAULT_SCORING_RULES,
  FACT_KINDS,
  rulesAt,
  safeguardsOf,
  stateOfRules,
  takesEffect,
} from './scoring-rules.js';

const { version: _version, ...initial } = DEFAULT_SCORING_RULES;
const defaults = { ...initial, ...safeguardsOf({}) };
const now = '2026-06-01T12:00:00.000Z';
const version = (number: number, effectiveFrom: string | null): ScoringRules => ({
  ...defaults,
  version: number,
  effectiveFrom,
});

describe('default rules', () => {
  it('match the specification', () =>
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
  it('can be published', () =>
    given(scoringRulesDecider)
      .when((s) => publishScoringRules({ by: OPERATOR, basedOn: 1, now, ...defaults }, s))
      .then({ type: 'ScoringRulesPublished', data: { ...defaults, version: 2 } }));
});

describe('rulesAt', () => {
  const versions = [version(2, '2026-02-01T00:00:00.000Z'), version(3, '2026-01-01T00:00:00.000Z')];
  it('falls back to the defaults', () =>
    expect(rulesAt(versions, '2025-12-31T23:59:59.999Z').version).toBe(1));
  it('includes the moment itself', () =>
    expect(rulesAt(versions, '2026-01-01T00:00:00.000Z').version).toBe(3));
  it('prefers the latest published, not the latest to take effect', () =>
    expect(rulesAt(versions, '2026-03-01T00:00:00.000Z').version).toBe(3));
  it('does not depend on the order of the list', () =>
    expect(rulesAt(versions.toReversed(), '2026-03-01T00:00:00.000Z').version).toBe(3));
  it('lets a version for all of history replace all earlier versions', () =>
    expect(rulesAt([...versions, version(4, null)], '1990-01-01T00:00:00.000Z').version).toBe(4));
});

describe('publishScoringRules', () => {
  const publishing = (changes: Partial<PublishScoringRules> = {}) =>
    given(scoringRulesDecider).when((s) =>
      publishScoringRules({ by: newMaintainer(), basedOn: 1, now, ...defaults, ...changes }, s),
    );
  const weigh = (kind: (typeof FACT_KINDS)[number], merit: number, impact: number) =>
    publishing({ weights: { ...defaults.weights, [kind]: { merit, impact } } });

  it('increments the version', () =>
    given(scoringRulesDecider, { type: 'ScoringRulesPublished', data: version(2, null) })
      .when((s) => publishScoringRules({ by: OPERATOR, basedOn: 2, now, ...defaults }, s))
      .then({ type: 'ScoringRulesPublished', data: version(3, null) }));
  it('refuses rules based on an outdated version', () => {
    const published = { type: 'ScoringRulesPublished', data: version(2, null) } as const;
    for (const basedOn of [1, 3])
      given(scoringRulesDecider, published)
        .when((s) => publishScoringRules({ by: OPERATOR, basedOn, now, ...defaults }, s))
        .thenRefused('SCORING_RULES_OUTDATED');
  });
  it.each(['', '  \n', 'x'.repeat(501)])('refuses a note that is blank or too long', (note) =>
    publishing({ note }).thenRefused('SCORING_NOTE_INVALID'),
  );
  it('trims the note and drops control characters', () =>
    publishing({ note: ' More\u202e for answers\u0007 ' }).then({
      type: 'ScoringRulesPublished',
      data: { ...defaults, note: 'More for answers', version: 2 },
    }));
  it('can take effect in the past or within a year', () => {
    for (const effectiveFrom of ['2019-01-01T00:00:00.000Z', '2027-06-01T12:00:00.000Z'])
      publishing({ effectiveFrom }).then({
        type: 'ScoringRulesPublished',
        data: { ...defaults, effectiveFrom, version: 2 },
      });
    publishing({ effectiveFrom: '2027-06-03T12:00:00.000Z' }).thenRefused('SCORING_MOMENT_INVALID');
  });
  it('requires a maintainer', () => {
    publishing({ by: newActor() }).thenRefused('FORBIDDEN');
    publishing({ by: newModerator() }).thenRefused('FORBIDDEN');
  });
  it.each([
    'yesterday',
    '2026-01-01',
    '2026-01-01T00:00:00',
    '2026-02-30T00:00:00Z',
    '0001-01-01T00:00:00+01:00',
  ])('refuses the moment %j', (effectiveFrom) =>
    publishing({ effectiveFrom }).thenRefused('SCORING_MOMENT_INVALID'),
  );
  it('converts the moment to UTC', () =>
    publishing({ effectiveFrom: '2026-01-01T00:00:00+01:00' }).then({
      type: 'ScoringRulesPublished',
      data: { ...defaults, effectiveFrom: '2025-12-31T23:00:00.000Z', version: 2 },
    }));
  it.each([0, -1, 1.5, 1001, NaN])('refuses the threshold %d', (reportThreshold) =>
    publishing({ reportThreshold }).thenRefused('SCORING_RULES_INVALID'),
  );
  it('refuses points that are not whole numbers or are out of bounds', () => {
    weigh('QUESTION_UPVOTED', 0.5, 0).thenRefused('SCORING_RULES_INVALID');
    weigh('QUESTION_UPVOTED', Infinity, 0).thenRefused('SCORING_RULES_INVALID');
    weigh('QUESTION_UPVOTED', 1e9, 0).thenRefused('SCORING_RULES_INVALID');
  });
  it('refuses weights that would take impact away', () => {
    weigh('QUESTION_POSTED', 0, -1).thenRefused('SCORING_RULES_INVALID');
    weigh('QUESTION_UPVOTED', 50, 1).thenRefused('SCORING_RULES_INVALID');
  });
  it('refuses merit for a cast upvote', () =>
    weigh('UPVOTE_CAST', 1, 1).thenRefused('SCORING_RULES_INVALID'));
  it('refuses weights without one of the kinds', () => {
    const { COMMENT_POSTED: _left, ...rest } = defaults.weights;
    publishing({ weights: rest as typeof defaults.weights }).thenRefused('SCORING_RULES_INVALID');
  });
});

describe('signs of points', () => {
  /** Allowed signs of merit and impact, by the specification. */
  const SIGNS = {
    QUESTION_POSTED: '+ +',
    ANSWER_POSTED: '+ +',
    COMMENT_POSTED: '+ +',
    UPVOTE_CAST: '0 +',
    DOWNVOTE_CAST: '- 0',
    QUESTION_UPVOTED: '+ 0',
    QUESTION_DOWNVOTED: '- 0',
    ANSWER_UPVOTED: '+ 0',
    ANSWER_DOWNVOTED: '- 0',
    ANSWER_ACCEPTED: '+ +',
    ACCEPTED_AN_ANSWER: '+ +',
    POST_REPORTED: '- 0',
  } as const;

  it.each(FACT_KINDS)('are enforced for %s', (kind) => {
    const signs = SIGNS[kind].split(' ');
    for (const [index, side] of (['merit', 'impact'] as const).entries())
      for (const points of [-1, 0, 1]) {
        const weight = { ...defaults.weights[kind], [side]: points };
        const { problems } = readScoringRules(
          { ...defaults, weights: { ...defaults.weights, [kind]: weight } },
          { now },
        );
        const isAllowed = points === 0 || signs[index] === (points > 0 ? '+' : '-');
        const field = `weights.${kind}.${side}`;
        expect({ field, points, refused: problems.map((problem) => problem.field) }).toEqual({
          field,
          points,
          refused: isAllowed ? [] : [field],
        });
      }
  });
  it('are explained in the problem', () =>
    expect(
      readScoringRules(
        { ...defaults, weights: { ...defaults.weights, ANSWER_DOWNVOTED: { merit: 50, impact: 0 } } },
        { now },
      ).problems,
    ).toEqual([
      {
        field: 'weights.ANSWER_DOWNVOTED.merit',
        rule: 'must be a whole number from −1,000,000 to 0: it can only cost points; it is 50',
      },
    ]));
});

describe('readScoringRules', () => {
  it('reads exported rules', () =>
    expect(
      readScoringRules(
        { ...DEFAULT_SCORING_RULES, publishedAt: null, publishedBy: null },
        { now, latest: 1 },
      ),
    ).toEqual({
      problems: [],
      rules: {
        ...safeguardsOf({}),
        effectiveFrom: null,
        weights: defaults.weights,
        reportThreshold: defaults.reportThreshold,
      },
    }));
  it('reports all problems by field', () => {
    const { COMMENT_POSTED: _left, ...weights } = defaults.weights;
    const given = {
      version: 99,
      effectiveFrom: '2026-02-30T00:00:00Z',
      reportTreshold: 3,
      reportThreshold: 0,
      weights: {
        ...weights,
        QUESTION_UPVOTED: { merit: -50, impact: 0, gold: 1 },
        QUESTION_SHARED: { merit: 1, impact: 0 },
      },
    };
    expect(readScoringRules(given, { now, latest: 2 }).problems.map(({ field }) => field)).toEqual([
      'reportTreshold',
      'version',
      'effectiveFrom',
      'weights.QUESTION_SHARED',
      'weights.COMMENT_POSTED',
      'weights.QUESTION_UPVOTED.gold',
      'weights.QUESTION_UPVOTED.merit',
      'reportThreshold',
    ]);
  });
  it('reads the safeguards, which are off if missing', () => {
    const safeguards = {
      acceptancePaysOncePerQuestion: true,
      deletionForfeitsWithinHours: 24,
      downvotesNeedMerit: true,
      upheldReportsCount: true,
    };
    expect(readScoringRules({ ...defaults, ...safeguards }, { now })).toMatchObject({
      problems: [],
      rules: safeguards,
    });
    expect(readScoringRules(initial, { now }).rules).toMatchObject({
      acceptancePaysOncePerQuestion: false,
      deletionForfeitsWithinHours: 0,
      downvotesNeedMerit: false,
      upheldReportsCount: false,
    });
  });
  it.each([
    ['acceptancePaysOncePerQuestion', 'yes', 'must be true or false; it is "yes"'],
    ['downvotesNeedMerit', 1, 'must be true or false; it is 1'],
    ['upheldReportsCount', null, 'must be true or false; it is null'],
    ['deletionForfeitsWithinHours', 721, 'must be a whole number of hours from 0 (off) to 720; it is 721'],
    ['deletionForfeitsWithinHours', -1, 'must be a whole number of hours from 0 (off) to 720; it is -1'],
    ['deletionForfeitsWithinHours', true, 'must be a whole number of hours from 0 (off) to 720; it is true'],
  ])('refuses %s: %j', (field, value, rule) =>
    expect(readScoringRules({ ...defaults, [field]: value }, { now }).problems).toEqual([{ field, rule }]),
  );
  it.each([null, 'all', []])('refuses %j as weights', (weights) =>
    expect(readScoringRules({ ...defaults, weights }, { now }).problems).toMatchObject([
      { field: 'weights' },
    ]),
  );
});

describe('withdrawScoringRules', () => {
  const scheduled = {
    type: 'ScoringRulesPublished',
    data: version(2, '2026-06-08T12:00:00.000Z'),
  } as const;
  const withdrawn = { type: 'ScoringRulesWithdrawn', data: { version: 2, reason: 'Too generous' } } as const;
  const withdrawing = (changes: Partial<Parameters<typeof withdrawScoringRules>[0]> = {}) =>
    given(scoringRulesDecider, scheduled).when((s) =>
      withdrawScoringRules({ by: newMaintainer(), version: 2, reason: ' Too generous ', now, ...changes }, s),
    );

  it('withdraws a scheduled version with a reason', () => withdrawing().then(withdrawn));
  it('is possible until the version takes effect', () => {
    withdrawing({ now: '2026-06-08T11:59:59.999Z' }).then(withdrawn);
    withdrawing({ now: '2026-06-08T12:00:00.000Z' }).thenRefused('SCORING_VERSION_NOT_SCHEDULED');
  });
  it('refuses the default rules, rules for all of history and withdrawn rules', () => {
    withdrawing({ version: 1 }).thenRefused('SCORING_VERSION_NOT_SCHEDULED');
    given(scoringRulesDecider, { type: 'ScoringRulesPublished', data: version(2, null) })
      .when((s) => withdrawScoringRules({ by: OPERATOR, version: 2, reason: 'No', now }, s))
      .thenRefused('SCORING_VERSION_NOT_SCHEDULED');
    given(scoringRulesDecider, scheduled, withdrawn)
      .when((s) => withdrawScoringRules({ by: OPERATOR, version: 2, reason: 'No', now }, s))
      .thenRefused('SCORING_VERSION_NOT_SCHEDULED');
  });
  it.each([0, 3, 1.5, NaN])('refuses the unknown version %d', (number) =>
    expect(() => withdrawing({ version: number }).thenNothingHappens()).toThrow(/not (found|scheduled)/),
  );
  it.each(['', ' \n', '\u200b\u2060', 'x'.repeat(501)])(
    'refuses a reason that is blank or too long',
    (reason) => withdrawing({ reason }).thenRefused('SCORING_REASON_INVALID'),
  );
  it('drops control characters from the reason and counts code points', () => {
    const reason = '😀'.repeat(400);
    withdrawing({ reason: `Too \u202e${reason}\u0007` }).then({
      ...withdrawn,
      data: { version: 2, reason: `Too ${reason}` },
    });
  });
  it('requires a maintainer', () => {
    withdrawing({ by: newActor() }).thenRefused('FORBIDDEN');
    withdrawing({ by: newModerator() }).thenRefused('FORBIDDEN');
  });
  it('does not reuse the number of a withdrawn version', () => {
    const publishing = (basedOn: number) =>
      given(scoringRulesDecider, scheduled, withdrawn).when((s) =>
        publishScoringRules({ by: OPERATOR, basedOn, now, ...defaults }, s),
      );
    publishing(1).then({
      type: 'ScoringRulesPublished',
      data: { ...defaults, version: 3 },
    });
    publishing(2).thenRefused('SCORING_RULES_OUTDATED');
  });
});

describe('stateOfRules', () => {
  const [early, late] = [version(2, '2026-06-08T12:00:00.000Z'), version(3, '2026-06-10T12:00:00.000Z')];
  const states = (versions: readonly ScoringRules[], at: string) =>
    [DEFAULT_SCORING_RULES, early, late].map((rules) => stateOfRules(rules, versions, at));
  it('goes from scheduled to in force to replaced over time', () => {
    expect(states([early, late], now)).toEqual(['IN_FORCE', 'SCHEDULED', 'SCHEDULED']);
    expect(states([early, late], '2026-06-08T12:00:00.000Z')).toEqual(['REPLACED', 'IN_FORCE', 'SCHEDULED']);
    expect(states([early, late], '2026-06-10T12:00:00.000Z')).toEqual(['REPLACED', 'REPLACED', 'IN_FORCE']);
  });
  it('is withdrawn if it is no longer in the list', () =>
    expect(states([late], now)).toEqual(['IN_FORCE', 'WITHDRAWN', 'SCHEDULED']));
  it('is replaced if a later version takes effect first', () =>
    expect(states([early, late, version(4, null)], now)).toEqual(['REPLACED', 'REPLACED', 'REPLACED']));
});

describe('takesEffect', () => {
  const moment = '2026-06-08T12:00:00.000Z';
  const scheduled = {
    version: 2,
    effectiveFrom: moment,
    publishedAt: '2026-06-01T00:00:00.000Z',
    state: 'REPLACED',
  } as const;
  const later = {
    version: 3,
    effectiveFrom: null,
    publishedAt: '2026-06-02T00:00:00.000Z',
    state: 'IN_FORCE',
  } as const;

  it.each([
    ['replaced before they take effect', later, false],
    ['replaced by rules that were withdrawn', { ...later, state: 'WITHDRAWN' }, true],
    ['replaced after they took effect', { ...later, publishedAt: '2026-06-09T00:00:00.000Z' }, true],
    ['replaced from a later date on', { ...later, effectiveFrom: '2026-06-09T00:00:00.000Z' }, true],
  ] as const)('rules %s', (_when, other, effect) => {
    expect(takesEffect(scheduled, [scheduled, other])).toBe(effect);
    expect(takesEffect({ ...scheduled, effectiveFrom: null }, [scheduled, other])).toBe(true);
  });
});
