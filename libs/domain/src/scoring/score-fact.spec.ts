import { describe, expect, it } from '@jest/globals';
import type { DomainEvent, PostReported, ReportsDismissed, VoteData } from '../events.js';
import { answerPosted, newId, newPost, newVote, questionAsked } from '../testing/builders.js';
import { factsOf, factsOfStudent, numbered } from '../testing/score-facts.js';
import { FACT_EVENT_TYPES, factKeysOf, foldFact } from './score-fact.js';
import { scoreFold } from './score-fold.js';

const cast = (data: VoteData): DomainEvent => ({ type: 'VoteCast', data });
const withdrawn = (data: VoteData): DomainEvent => ({ type: 'VoteWithdrawn', data });
const invalidated = (caseId: string, ...votes: VoteData[]): DomainEvent => ({
  type: 'VotesInvalidated',
  data: { caseId, moderatorId: newId(), category: 'OTHER', reason: 'r', votes },
});
const reversed = (caseId: string, ...votes: VoteData[]): DomainEvent => ({
  type: 'InvalidationReversed',
  data: { caseId, moderatorId: newId(), category: 'OTHER', reason: 'r', votes },
});
const standing = (events: readonly DomainEvent[]) =>
  factsOf(events)
    .filter((fact) => fact.standing)
    .map(({ kind, ordinal }) => `${kind}@${ordinal}`)
    .sort();
const up = newVote();
const down: VoteData = { ...up, direction: 'DOWN' };

describe('post facts', () => {
  it('give the author one fact per post', () => {
    const [asked, answered] = [questionAsked(), answerPosted()];
    expect(factsOf([asked, answered])).toMatchObject([
      {
        kind: 'QUESTION_POSTED',
        studentId: asked.data.authorId,
        postId: asked.data.questionId,
        ordinal: 1,
        standing: true,
      },
      {
        kind: 'ANSWER_POSTED',
        studentId: answered.data.authorId,
        postId: answered.data.answerId,
        ordinal: 2,
        standing: true,
      },
    ]);
  });
  it('record the first deletion by the author, but none by a moderator', () => {
    const asked = questionAsked();
    const { questionId, spaceId, authorId } = asked.data;
    const deleted = (reason: string | null): DomainEvent => ({
      type: 'QuestionDeleted',
      data: { questionId, spaceId, authorId, reason },
    });
    const deletedAt = numbered([asked, deleted(null)])[1]?.metadata.occurredAt;
    expect(factsOf([asked, deleted('Off topic')])).toEqual(factsOf([asked]));
    expect(factsOf([asked, deleted(null), deleted(null)])).toEqual(
      factsOf([asked]).map((fact) => ({ ...fact, deletedAt })),
    );
  });
  it('record which acceptance was superseded, on both sides', () => {
    const [questionId, spaceId, questionAuthorId] = [newId(), newId(), newId()];
    const [first, second] = [newId(), newId()].map((answerId) => ({ answerId, answerAuthorId: newId() }));
    if (!first || !second) throw new Error('two answers');
    const question = { questionId, spaceId, questionAuthorId };
    const accepted: DomainEvent[] = [
      { type: 'AnswerAccepted', data: { ...question, ...first } },
      { type: 'AnswerAccepted', data: { ...question, ...second, supersedes: first } },
      { type: 'AnswerAccepted', data: { ...question, ...first, supersedes: second } },
    ];
    const superseded = (count: number) =>
      factsOf(accepted.slice(0, count))
        .filter((fact) => fact.superseded)
        .map(({ kind, postId, sourceId }) => [kind, kind === 'ANSWER_ACCEPTED' ? postId : sourceId]);
    const sidesOf = ({ answerId }: { answerId: string }) => [
      ['ANSWER_ACCEPTED', answerId],
      ['ACCEPTED_AN_ANSWER', answerId],
    ];
    expect([1, 2, 3].map(superseded)).toEqual([[], sidesOf(first), sidesOf(second)]);
  });
  it('give two facts per acceptance', () => {
    const data = {
      questionId: newId(),
      answerId: newId(),
      spaceId: newId(),
      questionAuthorId: newId(),
      answerAuthorId: newId(),
    };
    const first: DomainEvent = { type: 'AnswerAccepted', data };
    const second: DomainEvent = { type: 'AnswerAccepted', data: { ...data, answerId: newId() } };
    expect(standing([first])).toEqual(['ACCEPTED_AN_ANSWER@1', 'ANSWER_ACCEPTED@1']);
    expect(standing([first, second])).toHaveLength(4);
  });
});

describe('vote facts', () => {
  it('give one fact each to author and voter', () => {
    expect(standing([cast(up)])).toEqual(['QUESTION_UPVOTED@1', 'UPVOTE_CAST@1']);
    expect(standing([cast(down)])).toEqual(['DOWNVOTE_CAST@1', 'QUESTION_DOWNVOTED@1']);
    expect(standing([cast({ ...up, postType: 'ANSWER' })])).toEqual(['ANSWER_UPVOTED@1', 'UPVOTE_CAST@1']);
  });
  it('give a stand-in voter no fact', () =>
    expect(standing([cast({ ...down, voterIsStandIn: true })])).toEqual(['QUESTION_DOWNVOTED@1']));
  it('end with a withdrawal, except for the impact of an upvote', () => {
    expect(standing([cast(up), withdrawn(up)])).toEqual(['UPVOTE_CAST@1']);
    expect(standing([cast(down), withdrawn(down)])).toEqual([]);
  });
  it('have the position of the latest cast, or of the first for impact', () => {
    expect(standing([cast(up), withdrawn(up), cast(up)])).toEqual(['QUESTION_UPVOTED@3', 'UPVOTE_CAST@1']);
    expect(standing([cast(down), withdrawn(down), cast(down)])).toEqual([
      'DOWNVOTE_CAST@3',
      'QUESTION_DOWNVOTED@3',
    ]);
  });
  it('change with a replaced vote', () =>
    expect(standing([cast(up), withdrawn(up), cast(down)])).toEqual([
      'DOWNVOTE_CAST@3',
      'QUESTION_DOWNVOTED@3',
      'UPVOTE_CAST@1',
    ]));
  it('do not count while invalidated, including impact, and return to their position after a reversal', () => {
    const [a, b] = [newId(), newId()];
    expect(standing([cast(up), invalidated(a, up)])).toEqual([]);
    expect(standing([cast(up), invalidated(a, up), reversed(a, up)])).toEqual([
      'QUESTION_UPVOTED@1',
      'UPVOTE_CAST@1',
    ]);
    expect(standing([cast(up), invalidated(a, up), invalidated(b, up), reversed(a, up)])).toEqual([]);
  });
  it('stay inactive after a reversal if the vote was withdrawn', () => {
    const id = newId();
    expect(standing([cast(up), withdrawn(up), invalidated(id, up), reversed(id, up)])).toEqual([
      'UPVOTE_CAST@1',
    ]);
    expect(standing([cast(up), invalidated(id, up), withdrawn(up), reversed(id, up)])).toEqual([
      'UPVOTE_CAST@1',
    ]);
    expect(standing([cast(down), invalidated(id, down), withdrawn(down), reversed(id, down)])).toEqual([]);
  });
  it('stay invalidated if the vote is toggled twice', () => {
    const id = newId();
    const toggled = [cast(up), invalidated(id, up), withdrawn(up), cast(up)];
    expect(standing(toggled)).toEqual([]);
    expect(standing([...toggled, reversed(id, up)])).toEqual(['QUESTION_UPVOTED@4', 'UPVOTE_CAST@1']);
  });
  it('are invalidated individually', () =>
    expect(standing([cast(up), cast({ ...up, voterId: newId() }), invalidated(newId(), up)])).toHaveLength(
      2,
    ));
});

describe('report facts', () => {
  const { removed: _removed, ...post } = newPost();
  const report = (round = 0, reporterId = newId()): PostReported => ({
    type: 'PostReported',
    data: { ...post, reporterId, reason: 'Its spam', round },
  });
  const dismissed = (round = 0): ReportsDismissed => ({
    type: 'ReportsDismissed',
    data: { ...post, moderatorId: newId(), reason: 'r', round },
  });
  const rich = Array.from({ length: 10 }, () => cast(newVote({ ...post })));
  const merit = (...events: DomainEvent[]) =>
    scoreFold(factsOfStudent([...rich, ...events], post.postAuthorId), []).reputations;

  it('cost nothing for fewer than three reporters', () => {
    const twice = newId();
    expect(merit(report(), report())).toBe(501);
    expect(merit(report(), report(0, twice), report(0, twice))).toBe(501);
  });
  it('cost points once from the third report on', () => {
    expect(merit(report(), report(), report())).toBe(301);
    expect(merit(report(), report(), report(), report(), report(), report(), report())).toBe(301);
  });
  it('are reversed by a dismissal', () => expect(merit(report(), report(), report(), dismissed())).toBe(501));
  it('need three new reports after a dismissal', () => {
    const before = [report(), report(), report(), dismissed()];
    expect(merit(...before, report(1), report(1))).toBe(501);
    expect(merit(...before, report(1), report(1), report(1))).toBe(301);
  });
  it('ignore late reports of a dismissed round', () =>
    expect(merit(report(), report(), dismissed(), report(), report())).toBe(501));
  it('do not count reports of different rounds together', () =>
    expect(merit(report(), report(), dismissed(), report(1))).toBe(501));
  const upheld = (penalty?: 'NONE' | 'FULL'): DomainEvent => ({
    type: 'ReportsUpheld',
    data: { ...dismissed().data, ...(penalty && { penalty }) },
  });
  it('keep the penalty when upheld', () => expect(merit(report(), report(), report(), upheld())).toBe(301));
  it('cost nothing when upheld without a penalty, even after the third report', () =>
    expect(merit(report(), report(), report(), upheld('NONE'))).toBe(501));
  it('cost the full penalty once when upheld with it, until a reversal', () => {
    expect(merit(report(), upheld('FULL'))).toBe(301);
    expect(merit(report(), report(), report(), upheld('FULL'))).toBe(301);
    const reversal: DomainEvent = { type: 'UpholdingReversed', data: dismissed().data };
    expect(merit(report(), upheld('FULL'), reversal)).toBe(501);
  });
  it('cost nothing without a report', () => {
    expect(merit(upheld())).toBe(501);
    expect(merit(upheld('FULL'))).toBe(501);
  });
  it('do not exist for a removal of a post without reports, nor for its reversal', () => {
    const ruling = { ...dismissed().data, removalId: newId() };
    const upheld: DomainEvent = { type: 'ReportsUpheld', data: ruling };
    const reversed: DomainEvent = { type: 'UpholdingReversed', data: ruling };
    expect(factsOfStudent([upheld], post.postAuthorId)).toEqual([]);
    expect(factsOfStudent([upheld, reversed], post.postAuthorId)).toEqual([]);
    expect(merit(upheld)).toBe(501);
    expect(merit(report(), report(), report(), upheld)).toBe(301);
    expect(merit(report(), report(), report(), upheld, reversed)).toBe(501);
  });
  it('take effect at the third report', () => {
    const poor = [report(), report(), report(), ...rich];
    expect(scoreFold(factsOfStudent(poor, post.postAuthorId), []).reputations).toBe(501);
  });
});

describe('foldFact', () => {
  it('returns unique keys for the listed event types only', () => {
    const log = [questionAsked(), cast(up), invalidated(newId(), up, { ...up, voterId: newId() })];
    for (const event of log) {
      const keys = factKeysOf(event).map((key) => key.join());
      expect(new Set(keys).size).toBe(keys.length);
      expect(FACT_EVENT_TYPES).toContain(event.type);
    }
    expect(factKeysOf({ type: 'StudentErased', data: { studentId: newId(), withWords: false } })).toEqual([]);
  });
  it('returns the same row if nothing changes, and none without a first event', () => {
    const events = numbered([cast(up), withdrawn(up), withdrawn(up), reversed(newId(), up)]);
    for (const key of factKeysOf(cast(up))) {
      const after = events
        .slice(0, 2)
        .reduce<ReturnType<typeof foldFact>>((row, event) => foldFact(row, event, key), undefined);
      for (const event of events.slice(2)) {
        expect(foldFact(after, event, key)).toBe(after);
        expect(foldFact(undefined, event, key)).toBeUndefined();
      }
    }
  });
});
