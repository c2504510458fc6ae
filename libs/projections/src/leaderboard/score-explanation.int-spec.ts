import {
  DEFAULT_SCORING_RULES,
  initialScore,
  RECEIVED_KINDS,
  rulesAt,
  type ScoreFact,
  POSTING_KINDS,
  scoreEntryOf,
  type ScoringRules,
  stepScore,
} from '@nimo/domain';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { READ_TYPES } from '@nimo/projection-engine';
import { EventHistory } from '../testing/event-history.fixture.js';
import { randomHistory } from '../testing/random-history.fixture.js';
import { openReadSide, type ReadSide } from '../testing/read-side.fixture.js';
import { factOf, type LeaderboardRow, type ScoreFactRow } from './leaderboard.tables.js';
import {
  listScoreHistory,
  pageOfScoreExplanation,
  type ScoreDayView,
  type ScoreExplanationView,
  type ScorePointView,
} from './score-explanation.queries.js';
import { listScoringRules } from './scoring-rules.queries.js';

const MINUTE = 60_000;

let side: ReadSide;
beforeEach(async () => {
  side = await openReadSide();
});
afterEach(() => side.close());

const rows = async <R>(text: string): Promise<R[]> =>
  (await side.pool.query({ text, types: READ_TYPES })).rows as R[];
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
/** Later than any event of the histories. */
const now = new Date('2026-12-31T00:00:00.000Z');
const explain = (spaceId: string, studentId: string, options: object = {}) =>
  pageOfScoreExplanation(side.pool, { spaceId, studentId, now, ...options });

interface WholeExplanation {
  readonly first: ScoreExplanationView;
  readonly points: readonly ScorePointView[];
  /** Oldest first. */
  readonly days: readonly ScoreDayView[];
}

/** Reads all pages, with a limit small enough to split days. */
async function wholeExplanation(spaceId: string, studentId: string): Promise<WholeExplanation> {
  const first = await explain(spaceId, studentId, { limit: 3 });
  const points = [...first.docs];
  const days = new Map(first.days.map((day) => [day.day, day]));
  for (let page = 2; page <= first.totalPages; page += 1) {
    const next = await explain(spaceId, studentId, { limit: 3, page });
    points.push(...next.docs);
    for (const day of next.days) days.set(day.day, day);
  }
  return { first, points, days: [...days.values()].reverse() };
}

/** Merit restored by the floor on each day, calculated with the domain's functions. */
function heldByFloor(facts: readonly ScoreFact[], versions: readonly ScoringRules[]): Map<string, number> {
  const postings = new Map(
    facts.filter(({ kind }) => POSTING_KINDS.includes(kind)).map((fact) => [fact.postId, fact]),
  );
  const entries = facts
    .flatMap((fact) => {
      const entry = scoreEntryOf(fact, versions, postings.get(fact.postId));
      const dues = [...fact.reports, ...(fact.upheld ? [fact.upheld] : [])];
      const due = dues.find(({ ordinal }) => ordinal === entry?.ordinal) ?? fact;
      return entry ? [{ ...entry, day: due.occurredAt.slice(0, 10) }] : [];
    })
    .sort((left, right) => left.ordinal - right.ordinal);
  const held = new Map<string, number>();
  let score = initialScore;
  for (const entry of entries) {
    const next = stepScore(score, entry);
    const restored = next.reputations - score.reputations - entry.merit;
    held.set(entry.day, (held.get(entry.day) ?? 0) + restored);
    score = next;
  }
  return held;
}

describe('the score explanation', () => {
  it.each([1, 2, 3])('adds up to every leaderboard row in random history %i', async (seed) => {
    await side.record(randomHistory(seed * 7_919, 500, 37 * MINUTE));
    const versions = await listScoringRules(side.pool);
    const facts = (await rows<ScoreFactRow>('select * from read.score_facts')).map(factOf);
    const board = await rows<LeaderboardRow>('select * from read.leaderboard');
    expect(board.length).toBeGreaterThan(0);
    for (const row of board) {
      const own = facts.filter((f) => f.spaceId === row.space_id && f.studentId === row.student_id);
      const explanation = await wholeExplanation(row.space_id, row.student_id);
      expectSums(explanation, row);
      expect(explanation.first.rulesVersion).toBe(rulesAt(versions, now.toISOString()).version);
      const held = heldByFloor(own, versions);
      for (const day of explanation.days) expect(day.heldByFloor).toBe(held.get(day.day) ?? 0);
      expectNoOneIdentified(explanation.points, own, row.student_id);
    }
  });

  function expectSums({ first, points, days }: WholeExplanation, row: LeaderboardRow): void {
    const shown = { reputations: row.merit, commitments: row.impact, score: row.score };
    expect(first).toMatchObject(shown);
    const merit = sum(points.map((point) => point.reputations)) + sum(days.map((day) => day.heldByFloor));
    expect(first.startingReputations + merit).toBe(row.merit);
    expect(sum(points.map((point) => point.commitments))).toBe(row.impact);
    const byReason = sum(first.reasons.map((reason) => reason.reputations + reason.commitments));
    expect(first.startingReputations + byReason + first.heldByFloor).toBe(row.score);
    expect(sum(first.reasons.map((reason) => reason.count))).toBe(sum(points.map((point) => point.count)));
    expect(new Set(points.map(({ _id }) => _id)).size).toBe(points.length);
    if (days.length > 0) expect(days.at(-1)?.scoreAfter).toBe(row.score);
    expectDaysToFollow(days, points);
  }

  function expectDaysToFollow(days: readonly ScoreDayView[], points: readonly ScorePointView[]): void {
    let [merit, impact] = [1, 0];
    for (const day of days) {
      const own = points.filter((point) => point.day === day.day);
      expect(day.reputations).toBe(sum(own.map((point) => point.reputations)));
      merit += day.reputations + day.heldByFloor;
      impact += day.commitments;
      expect(day).toMatchObject({
        reputationsAfter: merit,
        commitmentsAfter: impact,
        scoreAfter: merit + impact,
      });
    }
  }

  /** Expects no IDs and times of other people. */
  function expectNoOneIdentified(
    points: readonly ScorePointView[],
    facts: readonly ScoreFact[],
    studentId: string,
  ): void {
    const byOthers = points.filter(({ kind }) => RECEIVED_KINDS.includes(kind));
    expect(byOthers.every(({ occurredAt }) => occurredAt === null)).toBe(true);
    const text = JSON.stringify(byOthers);
    const others = facts.flatMap(({ kind, sourceId, reports }) => [
      ...(RECEIVED_KINDS.includes(kind) ? [sourceId] : []),
      ...reports.map(({ reporterId }) => reporterId),
    ]);
    expect(others.filter((id) => id !== studentId && text.includes(id))).toEqual([]);
  }

  describe('with a single question', () => {
    const start = () => {
      const past = new EventHistory();
      const spaceId = past.newSpace();
      const author = past.newStudent();
      const place = past.newTopic(spaceId, past.newSubject(spaceId));
      return { past, spaceId, author, questionId: past.ask(author, place, { title: 'Why?' }) };
    };

    it('lists the student’s own actions with times, and groups others’ votes without times', async () => {
      const { past, spaceId, author, questionId } = start();
      for (let count = 0; count < 3; count += 1) past.vote(past.newStudent(), questionId, 'UP');
      await side.record(past);
      const { docs, days, reasons } = await explain(spaceId, author);
      const question = { _id: questionId, title: 'Why?' };
      expect(docs).toMatchObject([
        { kind: 'QUESTION_POSTED', commitments: 10, occurredAt: expect.stringMatching(/Z$/), count: 1 },
        {
          kind: 'QUESTION_UPVOTED',
          reputations: 150,
          occurredAt: null,
          count: 3,
          rulesVersion: DEFAULT_SCORING_RULES.version,
          post: { postType: 'QUESTION', isRemoved: false, question },
        },
      ]);
      expect(days).toMatchObject([{ reputations: 150, commitments: 10, scoreAfter: 161 }]);
      expect(reasons.map(({ kind }) => kind)).toEqual(['QUESTION_POSTED', 'QUESTION_UPVOTED']);
    });

    it('leaves out reports until they cost points', async () => {
      const { past, spaceId, author, questionId } = start();
      for (let count = 0; count < 2; count += 1) past.report(past.newStudent(), questionId);
      await side.record(past);
      const before = await explain(spaceId, author);
      expect(before.docs.map(({ kind }) => kind)).toEqual(['QUESTION_POSTED']);
      past.report(past.newStudent(), questionId);
      past.report(past.newStudent(), questionId);
      await side.record(past);
      const after = await explain(spaceId, author, { kinds: ['POST_REPORTED'] });
      expect(after.docs).toMatchObject([{ reputations: -200, count: 1, occurredAt: null }]);
      expect(after.days).toMatchObject([{ heldByFloor: 200, scoreAfter: 11 }]);
    });

    it('hides the text of removed posts', async () => {
      const { past, spaceId, author, questionId } = start();
      const helper = past.newStudent();
      const answerId = past.answer(helper, questionId);
      const commentId = past.comment(helper, answerId);
      past.deleteAnswer(answerId);
      await side.record(past);
      const ofHelper = await explain(spaceId, helper);
      expect(ofHelper.docs.map(({ post }) => post)).toEqual([
        {
          _id: commentId,
          postType: 'COMMENT',
          isRemoved: true,
          question: { _id: questionId, title: 'Why?' },
        },
        { _id: answerId, postType: 'ANSWER', isRemoved: true, question: { _id: questionId, title: 'Why?' } },
      ]);
      past.deleteQuestion(questionId);
      await side.record(past);
      const [asked] = (await explain(spaceId, author)).docs;
      expect(asked?.post).toEqual({ _id: questionId, postType: 'QUESTION', isRemoved: true, question: null });
    });

    it('filters by reason without changing the daily totals', async () => {
      const { past, spaceId, author, questionId } = start();
      past.vote(past.newStudent(), questionId, 'UP');
      await side.record(past);
      const upvotes = await explain(spaceId, author, { kinds: ['QUESTION_UPVOTED'] });
      expect(upvotes).toMatchObject({ docs: [{ reputations: 50 }], totalPages: 1, score: 61 });
      expect(upvotes.days).toMatchObject([{ scoreAfter: 61 }]);
    });

    it('is empty for a student without activity', async () => {
      const { past, spaceId } = start();
      const newcomer = past.newStudent();
      await side.record(past);
      expect(await explain(spaceId, newcomer)).toMatchObject({
        docs: [],
        totalPages: 0,
        days: [],
        reasons: [],
        startingReputations: 0,
        score: 0,
      });
      expect(await listScoreHistory(side.pool, { spaceId, studentId: newcomer })).toEqual([]);
    });

    it('lists the score at the end of each day', async () => {
      const { past, spaceId, author, questionId } = start();
      past.vote(past.newStudent(), questionId, 'UP');
      await side.record(past);
      const history = await listScoreHistory(side.pool, { spaceId, studentId: author });
      expect(history.at(-1)).toMatchObject({ reputationsAfter: 51, commitmentsAfter: 10, scoreAfter: 61 });
    });
  });
});
