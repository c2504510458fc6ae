import { describe, expect, it } from '@jest/globals';
import { fc } from '@nimo/testing';
import type { ScoringRules } from '../events.js';
import type { ScoreFact } from './score-fact.js';
import { robotId } from '../students/robot.js';
import {
  initialScore,
  rankOrder,
  scoreEntriesOf,
  scoreEntryOf,
  scoreFold,
  stepScore,
  type Ranked,
} from './score-fold.js';
import { DEFAULT_SCORING_RULES, FACT_KINDS } from './scoring-rules.js';

const DAY_MS = 86_400_000;
const START_MS = Date.UTC(2026, 0, 1);
const at = (day: number) => new Date(START_MS + day * DAY_MS).toISOString();

const fact = (ordinal: number, changes: Partial<ScoreFact> = {}): ScoreFact => ({
  spaceId: 'space',
  studentId: 'student',
  kind: 'QUESTION_UPVOTED',
  postId: `post-${ordinal}`,
  sourceId: 'source',
  ordinal,
  occurredAt: at(ordinal),
  held: true,
  invalidatedBy: [],
  standing: true,
  round: null,
  reports: [],
  upheld: null,
  deletedAt: null,
  superseded: false,
  ...changes,
});

/** Times are unordered, as in imports; only the position determines the order. */
const anyFacts = fc
  .array(
    fc.record({
      kind: fc.constantFrom(...FACT_KINDS),
      standing: fc.boolean(),
      day: fc.nat(30),
      reporters: fc.nat(5),
    }),
    {
      maxLength: 60,
    },
  )
  .map((drafts) =>
    drafts.map(({ kind, standing, day, reporters }, index) => {
      const ordinal = 1 + index * 10;
      const reports = Array.from({ length: reporters }, (_, i) => ({
        reporterId: `r${i}`,
        ordinal: ordinal + i,
        occurredAt: at(day + i),
      }));
      return fact(ordinal, {
        kind,
        standing,
        occurredAt: at(day),
        ...(kind === 'POST_REPORTED' && { round: 0, reports }),
      });
    }),
  );
const anyWeight = fc.record({ merit: fc.integer({ min: -300, max: 300 }), impact: fc.nat(20) });
const anyVersions: fc.Arbitrary<ScoringRules[]> = fc
  .array(
    fc.record({
      effectiveFrom: fc.option(fc.nat(30).map(at), { nil: null }),
      weights: fc.record({
        QUESTION_POSTED: anyWeight,
        ANSWER_POSTED: anyWeight,
        COMMENT_POSTED: anyWeight,
        UPVOTE_CAST: anyWeight,
        DOWNVOTE_CAST: anyWeight,
        QUESTION_UPVOTED: anyWeight,
        QUESTION_DOWNVOTED: anyWeight,
        ANSWER_UPVOTED: anyWeight,
        ANSWER_DOWNVOTED: anyWeight,
        ANSWER_ACCEPTED: anyWeight,
        ACCEPTED_AN_ANSWER: anyWeight,
        POST_REPORTED: anyWeight,
      }),
      reportThreshold: fc.integer({ min: 1, max: 5 }),
      note: fc.constant(''),
    }),
    { maxLength: 4 },
  )
  .map((drafts) => drafts.map((draft, index) => ({ ...draft, version: index + 2 })));

describe('robot', () => {
  it('has no points, whatever its facts', () => {
    const studentId = robotId('11111111-1111-4111-8111-111111111111');
    const report = { reporterId: 'r', ordinal: 1, occurredAt: at(1) };
    const facts = FACT_KINDS.map((kind, index) =>
      fact(index + 1, { studentId, kind, reports: [report, report, report] }),
    );
    const ofPerson = facts.map((one) => ({ ...one, studentId: 'student' }));
    expect(scoreEntriesOf(ofPerson, [DEFAULT_SCORING_RULES])).toHaveLength(FACT_KINDS.length);
    expect(scoreEntriesOf(facts, [DEFAULT_SCORING_RULES])).toEqual([]);
    expect(scoreFold(facts, [DEFAULT_SCORING_RULES])).toEqual(initialScore);
  });
});

describe('scoreFold', () => {
  it('starts at merit 1 and impact 0', () =>
    expect(scoreFold([], [])).toEqual({
      ...initialScore,
      reputations: 1,
      commitments: 0,
      score: 1,
      lastOrdinal: 0,
    }));
  it('never goes below 1 at any step, so that later points count in full', () => {
    expect(scoreFold([fact(1, { kind: 'QUESTION_DOWNVOTED' }), fact(2)], []).reputations).toBe(51);
    expect(scoreFold([fact(1), fact(2, { kind: 'QUESTION_DOWNVOTED' })], []).reputations).toBe(1);
  });
  it('replays by position, regardless of the input order', () =>
    expect(scoreFold([fact(2), fact(1, { kind: 'QUESTION_DOWNVOTED' })], []).reputations).toBe(51));
  it('adds up merit and impact, and counts posts', () =>
    expect(
      scoreFold(
        [
          fact(1, { kind: 'QUESTION_POSTED' }),
          fact(2, { kind: 'ANSWER_POSTED' }),
          fact(3, { kind: 'COMMENT_POSTED' }),
          fact(4, { kind: 'UPVOTE_CAST' }),
          fact(5, { kind: 'ANSWER_UPVOTED' }),
          fact(6, { kind: 'ANSWER_ACCEPTED' }),
          fact(7, { kind: 'ACCEPTED_AN_ANSWER' }),
          fact(8, { kind: 'DOWNVOTE_CAST' }),
          fact(9, { standing: false }),
        ],
        [],
      ),
    ).toEqual({
      reputations: 1 + 70 + 100 + 15 - 5,
      commitments: 10 + 10 + 2 + 1,
      score: 204,
      lastOrdinal: 8,
      questionsAsked: 1,
      questionsAnswered: 1,
      answersAccepted: 1,
    }));
  it('applies the rules of the time of each fact, including the report threshold', () => {
    const weights = { ...DEFAULT_SCORING_RULES.weights, QUESTION_UPVOTED: { merit: 7, impact: 0 } };
    const later = { ...DEFAULT_SCORING_RULES, version: 2, effectiveFrom: at(2), weights, reportThreshold: 1 };
    expect(scoreFold([fact(1), fact(2), fact(3)], [later]).reputations).toBe(1 + 50 + 7 + 7);
    const reports = [1, 2].map((day) => ({ reporterId: `r${day}`, ordinal: day * 10, occurredAt: at(day) }));
    expect(scoreEntryOf(fact(10, { kind: 'POST_REPORTED', round: 0, reports }), [later])).toMatchObject({
      ordinal: 20,
      merit: -200,
    });
  });
  it.each([
    [24, true],
    [24.001, false],
  ])('forfeits what a post earned that its author deleted after %d hours: %s', (hours, isForfeited) => {
    const rules = { ...DEFAULT_SCORING_RULES, version: 2, deletionForfeitsWithinHours: 24 };
    const deletedAt = new Date(Date.parse(at(1)) + hours * 3_600_000).toISOString();
    const postId = 'post';
    const facts = [
      fact(1, { kind: 'QUESTION_POSTED', postId, occurredAt: at(1), deletedAt }),
      fact(2, { kind: 'QUESTION_UPVOTED', postId }),
      fact(3, { kind: 'ACCEPTED_AN_ANSWER', postId }),
      fact(4, { kind: 'QUESTION_UPVOTED' }),
      fact(5, { kind: 'QUESTION_DOWNVOTED', postId }),
    ];
    const kept = isForfeited ? { reputations: 1, commitments: 0 } : { reputations: 66, commitments: 10 };
    expect(scoreFold(facts, [rules])).toMatchObject({ ...kept, questionsAsked: isForfeited ? 0 : 1 });
    expect(scoreFold(facts, [DEFAULT_SCORING_RULES])).toMatchObject({ reputations: 66, commitments: 10 });
  });
  it('charges for an upheld round from the decision on if the rules or the moderator say so', () => {
    const rules: ScoringRules = { ...DEFAULT_SCORING_RULES, version: 2, upheldReportsCount: true };
    const reports = [1, 2, 3].map((n) => ({ reporterId: `r${n}`, ordinal: n, occurredAt: at(n) }));
    const penalty = (count: number, upheldAfter: number, versions = [rules], isFull = false) =>
      scoreEntryOf(
        fact(1, {
          kind: 'POST_REPORTED',
          round: 0,
          reports: reports.slice(0, count),
          upheld: { ordinal: upheldAfter + 0.5, occurredAt: at(upheldAfter), isFull },
        }),
        versions,
      )?.ordinal;
    expect([penalty(1, 1), penalty(2, 2), penalty(3, 3), penalty(3, 2)]).toEqual([1.5, 2.5, 3, 2.5]);
    expect(penalty(2, 2, [DEFAULT_SCORING_RULES])).toBeUndefined();
    expect(penalty(2, 2, [DEFAULT_SCORING_RULES], true)).toBe(2.5);
  });
  it('ignores facts without points in ties', () => {
    const weights = { ...DEFAULT_SCORING_RULES.weights, COMMENT_POSTED: { merit: 0, impact: 0 } };
    const rules = { ...DEFAULT_SCORING_RULES, version: 2, weights };
    expect(scoreFold([fact(1), fact(2, { kind: 'COMMENT_POSTED' })], [rules]).lastOrdinal).toBe(1);
  });

  it('equals an incremental step for the last fact', () =>
    fc.assert(
      fc.property(anyFacts, anyVersions, (facts, versions) => {
        const last = facts.at(-1);
        const entry = last && scoreEntryOf(last, versions);
        const before = scoreFold(facts.slice(0, -1), versions);
        expect(scoreFold(facts, versions)).toEqual(entry ? stepScore(before, entry) : before);
      }),
    ));
  it('keeps merit at 1 or more', () =>
    fc.assert(
      fc.property(anyFacts, anyVersions, (facts, versions) => scoreFold(facts, versions).reputations >= 1),
    ));
});

describe('rankOrder', () => {
  const anyRanked: fc.Arbitrary<Ranked> = fc.record({
    score: fc.nat(3),
    lastOrdinal: fc.nat(3),
    studentId: fc.constantFrom('a', 'b', 'B', 'é'),
  });

  it('orders by score, then by who reached it first, then by ID', () => {
    const rows = [
      { studentId: 'd', score: 5, lastOrdinal: 2 },
      { studentId: 'c', score: 5, lastOrdinal: 2 },
      { studentId: 'b', score: 5, lastOrdinal: 1 },
      { studentId: 'a', score: 4, lastOrdinal: 0 },
      { studentId: 'e', score: 9, lastOrdinal: 9 },
    ];
    expect(
      rows
        .toSorted(rankOrder)
        .map(({ studentId }) => studentId)
        .join(''),
    ).toBe('ebcda');
  });
  it('is a total order', () =>
    fc.assert(
      fc.property(anyRanked, anyRanked, anyRanked, (a, b, c) => {
        expect(Math.sign(rankOrder(a, b)) + Math.sign(rankOrder(b, a))).toBe(0);
        if (rankOrder(a, b) <= 0 && rankOrder(b, c) <= 0) expect(rankOrder(a, c)).toBeLessThanOrEqual(0);
        expect(rankOrder(a, b) === 0).toBe(
          a.score === b.score && a.lastOrdinal === b.lastOrdinal && a.studentId === b.studentId,
        );
      }),
    ));
});
