import { DEFAULT_SCORING_RULES, factKeysOf, foldFact, type ScoreFact, scoreEntryOf } from '@nimo/domain';
import { describe, expect, it } from '@jest/globals';
import { foldInMemory } from '@nimo/projection-engine';
import { historySeed } from '@nimo/testing';
import type { ProjectedEvent } from '../projection.js';
import { EventHistory } from '../testing/event-history.fixture.js';
import { randomHistory } from '../testing/random-history.fixture.js';
import { auditEntries, auditRules, type AuditEntryRow, type AuditRulesRow } from './audit.tables.js';
import { lineId, type ScoredLine, pointsOfLines } from './audit-points.js';

const projected = (past: EventHistory): ProjectedEvent[] =>
  past.events.map((event, index) => ({ ...event, ordinal: index + 1 }));

function fold(past: EventHistory): { lines: AuditEntryRow[]; rules: AuditRulesRow[] } {
  const events = projected(past);
  return { lines: foldInMemory(auditEntries, events), rules: foldInMemory(auditRules, events) };
}

/** Kind and points of each line that moves points, in log order. */
function pointsOf(past: EventHistory) {
  const { lines, rules } = fold(past);
  const points = pointsOfLines(lines as ScoredLine[], rules);
  return lines
    .filter((line) => points.has(lineId(line)))
    .map((line) => [
      line.kind,
      ...(points.get(lineId(line)) ?? []).map(({ side, merit, impact, rulesVersion }) =>
        [side, merit, impact, rulesVersion].join(' '),
      ),
    ]);
}

function open() {
  const past = new EventHistory();
  const spaceId = past.newSpace();
  const [author, voter, other, third] = [1, 2, 3, 4].map(() => past.newStudent()) as [
    string,
    string,
    string,
    string,
  ];
  const questionId = past.ask(author, past.newTopic(spaceId, past.newSubject(spaceId)));
  const moderator = past.newModerator();
  return { past, author, voter, other, third, questionId, moderator };
}

describe('points of audit lines', () => {
  it('follow the weight of each vote, with the impact of an upvote counted once', () => {
    const { past, voter, questionId } = open();
    past.vote(voter, questionId, 'UP');
    past.vote(voter, questionId, 'UP');
    past.vote(voter, questionId, 'UP');
    past.vote(voter, questionId, 'DOWN');
    expect(pointsOf(past)).toEqual([
      ['VoteCast', 'RECEIVER 50 0 1', 'VOTER 0 1 1'],
      ['VoteWithdrawn', 'RECEIVER -50 0 1', 'VOTER 0 0 1'],
      ['VoteCast', 'RECEIVER 50 0 1', 'VOTER 0 0 1'],
      ['VoteWithdrawn', 'RECEIVER -50 0 1', 'VOTER 0 0 1'],
      ['VoteCast', 'RECEIVER -50 0 1', 'VOTER -5 0 1'],
    ]);
  });

  it('are not given to a voter who is a stand-in', () => {
    const { past, questionId } = open();
    past.vote(past.newStandIn(), questionId, 'UP');
    expect(pointsOf(past)).toEqual([['VoteCast', 'RECEIVER 50 0 1']]);
  });

  it('are lost with the report that reaches the threshold and restored by a dismissal', () => {
    const { past, voter, other, third, questionId, moderator } = open();
    past.report(voter, questionId);
    past.report(other, questionId);
    past.report(third, questionId);
    past.report(past.newStudent(), questionId);
    past.dismiss(moderator, questionId);
    past.report(past.newStudent(), questionId);
    expect(pointsOf(past)).toEqual([
      ['PostReported', 'RECEIVER 0 0 1'],
      ['PostReported', 'RECEIVER 0 0 1'],
      ['PostReported', 'RECEIVER -200 0 1'],
      ['PostReported', 'RECEIVER 0 0 1'],
      ['ReportsDismissed', 'RECEIVER 200 0 1'],
      ['PostReported', 'RECEIVER 0 0 1'],
    ]);
  });

  it('change with the first invalidation of a vote and its last reversal, but not for a vote never cast', () => {
    const { past, voter, other, questionId, moderator } = open();
    past.vote(voter, questionId, 'UP');
    const votes = [past.voteData(voter, questionId, 'UP'), past.voteData(other, questionId, 'UP')];
    const [first, second] = [past.invalidate(moderator, votes), past.invalidate(moderator, votes)];
    past.reverse(first);
    past.reverse(second);
    const [, ...lines] = pointsOf(past);
    expect(lines.filter((_, index) => index % 2 === 0)).toEqual([
      ['VotesInvalidated', 'RECEIVER -50 0 1', 'VOTER 0 -1 1'],
      ['VotesInvalidated', 'RECEIVER 0 0 1', 'VOTER 0 0 1'],
      ['InvalidationReversed', 'RECEIVER 0 0 1', 'VOTER 0 0 1'],
      ['InvalidationReversed', 'RECEIVER 50 0 1', 'VOTER 0 1 1'],
    ]);
    expect(lines.filter((_, index) => index % 2 === 1).flatMap(([, ...points]) => points)).toEqual(
      Array.from({ length: 8 }, () => expect.stringMatching(/ 0 0 1$/)),
    );
  });

  it('use the rules published before the line', () => {
    const { past, voter, other, questionId } = open();
    const weights = { ...DEFAULT_SCORING_RULES.weights, QUESTION_UPVOTED: { merit: 7, impact: 0 } };
    past.vote(voter, questionId, 'UP');
    past.publishRules({ effectiveFrom: null, weights });
    past.vote(other, questionId, 'UP');
    past.vote(voter, questionId, 'UP');
    expect(pointsOf(past).map(([, receiver]) => receiver)).toEqual([
      'RECEIVER 50 0 1',
      'RECEIVER 7 0 2',
      'RECEIVER -7 0 2',
    ]);
  });

  it('ignore a version withdrawn before the line', () => {
    const { past, voter, other, questionId } = open();
    const weights = { ...DEFAULT_SCORING_RULES.weights, QUESTION_UPVOTED: { merit: 7, impact: 0 } };
    past.publishRules({ effectiveFrom: past.events.at(-1)?.metadata.occurredAt ?? null, weights });
    past.vote(voter, questionId, 'UP');
    past.withdrawRules(2);
    past.vote(other, questionId, 'UP');
    expect(pointsOf(past).map(([, receiver]) => receiver)).toEqual(['RECEIVER 7 0 2', 'RECEIVER 50 0 1']);
  });

  it('use the rules in effect when the vote was cast', () => {
    const { past, voter, other, questionId } = open();
    const weights = { ...DEFAULT_SCORING_RULES.weights, QUESTION_UPVOTED: { merit: 7, impact: 0 } };
    past.vote(voter, questionId, 'UP');
    const effectiveFrom = new Date(
      Date.parse(past.events.at(-1)?.metadata.occurredAt ?? '') + 1,
    ).toISOString();
    past.publishRules({ effectiveFrom, weights });
    past.vote(other, questionId, 'UP');
    past.vote(voter, questionId, 'UP');
    expect(pointsOf(past).map(([, receiver]) => receiver)).toEqual([
      'RECEIVER 50 0 1',
      'RECEIVER 7 0 2',
      'RECEIVER -50 0 1',
    ]);
  });

  it('are zero for votes on a post whose deletion forfeited them, except on the voter’s side', () => {
    const { past, voter, author, questionId, moderator } = open();
    past.publishRules({ deletionForfeitsWithinHours: 24 });
    past.vote(voter, questionId, 'UP');
    past.deleteQuestion(questionId);
    past.invalidate(moderator, [past.voteData(voter, questionId, 'UP')]);
    const asked = past.events.find(({ type, data }) => type === 'QuestionAsked' && data.authorId === author);
    const ordinal = past.events.findIndex(({ type }) => type === 'QuestionDeleted') + 1;
    const deletion = {
      postId: questionId,
      occurredAt: asked?.metadata.occurredAt ?? '',
      deletedAt: past.events[ordinal - 1]?.metadata.occurredAt ?? '',
      ordinal,
    };
    const { lines, rules } = fold(past);
    const points = pointsOfLines(lines as ScoredLine[], rules, [deletion]);
    expect([...points.values()].map((sides) => sides.map(({ merit, impact }) => [merit, impact]))).toEqual([
      [
        [50, 0],
        [0, 1],
      ],
      [
        [0, 0],
        [0, -1],
      ],
    ]);
  });

  it('show the penalty on the decision that makes it due', () => {
    const { past, voter, questionId, moderator } = open();
    past.report(voter, questionId);
    past.publishRules({ upheldReportsCount: true });
    past.uphold(moderator, questionId);
    past.reverseUpholding(moderator, questionId);
    expect(pointsOf(past)).toEqual([
      ['PostReported', 'RECEIVER 0 0 1'],
      ['ReportsUpheld', 'RECEIVER -200 0 2'],
      ['UpholdingReversed', 'RECEIVER 200 0 2'],
    ]);
  });

  it('show the penalty that the moderator chose on the decision', () => {
    const { past, voter, questionId, moderator } = open();
    const other = past.newStudent();
    for (const reporter of [voter, other, past.newStudent()]) past.report(reporter, questionId);
    past.uphold(moderator, questionId, 'NONE');
    past.reverseUpholding(moderator, questionId);
    past.report(past.newStudent(), questionId);
    past.uphold(moderator, questionId, 'FULL');
    expect(pointsOf(past)).toEqual([
      ['PostReported', 'RECEIVER 0 0 1'],
      ['PostReported', 'RECEIVER 0 0 1'],
      ['PostReported', 'RECEIVER -200 0 1'],
      ['ReportsUpheld', 'RECEIVER 200 0 1'],
      ['UpholdingReversed', 'RECEIVER 0 0 1'],
      ['PostReported', 'RECEIVER 0 0 1'],
      ['ReportsUpheld', 'RECEIVER -200 0 1'],
    ]);
  });

  it('are none for a removal of all posts without reports, nor for its reversal', () => {
    const { past, author, voter, questionId, moderator } = open();
    const { spaceId } = past.post(questionId);
    past.answer(author, questionId);
    past.report(voter, questionId);
    past.publishRules({ upheldReportsCount: true });
    past.restoreAll(moderator, past.removeAll(moderator, author, spaceId));
    expect(pointsOf(past)).toEqual([
      ['PostReported', 'RECEIVER 0 0 1'],
      ['ReportsUpheld', 'RECEIVER -200 0 2'],
      ['ReportsUpheld'],
      ['UpholdingReversed', 'RECEIVER 200 0 2'],
      ['UpholdingReversed'],
    ]);
  });

  it('add up to the final weight of the facts in a random history with one version of the rules', () => {
    const seed = historySeed();
    const past = randomHistory(seed, 800);
    const kept = past.events.filter(({ type }) => type !== 'ScoringRulesPublished');
    past.events.splice(0, past.events.length, ...kept);
    const { lines, rules } = fold(past);
    const moved = new Map<string, number>();
    for (const points of pointsOfLines(lines as ScoredLine[], rules).values())
      for (const { kind, merit, impact } of points)
        moved.set(kind, (moved.get(kind) ?? 0) + merit + 1000 * impact);
    expect({ seed, moved: sorted(moved) }).toEqual({ seed, moved: sorted(weighed(projected(past), moved)) });
  });
});

const sorted = (sums: ReadonlyMap<string, number>) => [...sums].filter(([, sum]) => sum !== 0).sort();

/** Weights of the final facts, summed by kind, for the kinds that lines can move. */
function weighed(events: readonly ProjectedEvent[], moved: ReadonlyMap<string, number>): Map<string, number> {
  const facts = new Map<string, ScoreFact | undefined>();
  for (const event of events) {
    for (const key of factKeysOf(event)) {
      const id = JSON.stringify(key);
      facts.set(id, foldFact(facts.get(id), event, key));
    }
  }
  const sums = new Map<string, number>();
  for (const fact of facts.values()) {
    const entry = fact && moved.has(fact.kind) ? scoreEntryOf(fact, []) : undefined;
    if (entry) sums.set(entry.kind, (sums.get(entry.kind) ?? 0) + entry.merit + 1000 * entry.impact);
  }
  return sums;
}
