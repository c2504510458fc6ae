import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { DomainEvent, VoteData } from '../events.js';
import { newId, newPost, newVote } from '../testing/builders.js';
import { numbered } from '../testing/score-facts.js';
import { factEventOf, happenedInOrder, versionsByMoment, versionsByOrdinal } from './fact-history.js';
import { factKeysOf, type OrdinalEvent, type ScoreFactKey } from './score-fact.js';

const vote = newVote();
const cases = { moderatorId: newId(), category: 'OTHER', reason: 'r', votes: [vote] } as const;
const cast: DomainEvent = { type: 'VoteCast', data: vote };
const withdrawn: DomainEvent = { type: 'VoteWithdrawn', data: vote };
const invalidated = (caseId = 'a'): DomainEvent => ({ type: 'VotesInvalidated', data: { caseId, ...cases } });
const reversed = (caseId = 'a'): DomainEvent => ({
  type: 'InvalidationReversed',
  data: { caseId, ...cases },
});
const { postId, postAuthorId, spaceId, voterId } = vote satisfies VoteData;
const key: ScoreFactKey = [spaceId, postAuthorId, 'QUESTION_UPVOTED', postId, voterId];

/** The events with the days on which they happened, counted from the first of January. */
const onDays = (...told: readonly (readonly [day: number, event: DomainEvent])[]): OrdinalEvent[] =>
  numbered(told.map(([, event]) => event)).map((event, index) => ({
    ...event,
    metadata: { occurredAt: dayOf(told[index]?.[0] ?? 0) },
  }));
const dayOf = (day: number): string => new Date(Date.UTC(2026, 0, day)).toISOString();
const courseOf = (versions: ReturnType<typeof versionsByOrdinal>) =>
  versions.map(({ sinceOrdinal, sinceAt, standing }) => [sinceOrdinal, sinceAt, standing]);

describe('the versions of a fact by ordinal', () => {
  it('are what it was after each of its events', () => {
    const events = onDays([1, cast], [2, withdrawn], [3, cast], [4, invalidated()], [5, reversed()]);
    expect(courseOf(versionsByOrdinal(events, key))).toEqual([
      [1, dayOf(1), true],
      [2, dayOf(2), false],
      [3, dayOf(3), true],
      [4, dayOf(4), false],
      [5, dayOf(5), true],
    ]);
  });
  it('tell of the cast that counts, not of the event that they begin with', () => {
    const events = onDays([1, cast], [2, withdrawn], [3, cast], [4, invalidated()]);
    expect(versionsByOrdinal(events, key).map(({ ordinal, occurredAt }) => [ordinal, occurredAt])).toEqual([
      [1, dayOf(1)],
      [1, dayOf(1)],
      [3, dayOf(3)],
      [3, dayOf(3)],
    ]);
  });
  it('begin with the event that makes the fact: what comes before it changes nothing', () => {
    expect(courseOf(versionsByOrdinal(onDays([1, withdrawn], [2, cast]), key))).toEqual([
      [2, dayOf(2), true],
    ]);
    expect(versionsByOrdinal([], key)).toEqual([]);
  });
  it('of a round keep its reporters in the order of the log', () => {
    const post = newPost();
    const report = (reporterId: string): DomainEvent => ({
      type: 'PostReported',
      data: { ...post, reporterId, reason: 'Spam', round: 1 },
    });
    const [first] = factKeysOf(report('ann'));
    if (!first) throw new Error('a report concerns a score');
    const versions = versionsByOrdinal(
      onDays([1, report('ann')], [2, report('bob')], [3, report('ann')]),
      first,
    );
    expect(versions.map(({ reports }) => reports.map(({ reporterId }) => reporterId))).toEqual([
      ['ann'],
      ['ann', 'bob'],
      ['ann', 'bob'],
    ]);
  });
});

describe('the versions of a fact by moment', () => {
  it('are those by ordinal where the events happened in the order of the log', () => {
    const events = onDays([1, cast], [2, withdrawn], [3, cast]);
    expect(happenedInOrder(events)).toBe(true);
    expect(versionsByMoment(events, key)).toEqual(versionsByOrdinal(events, key));
  });
  it('leave out what was undone in the same moment', () => {
    const events = onDays([1, cast], [2, withdrawn], [2, cast]);
    expect(happenedInOrder(events)).toBe(true);
    expect(courseOf(versionsByMoment(events, key))).toEqual([
      [1, dayOf(1), true],
      [3, dayOf(2), true],
    ]);
  });
  it('tell what had happened by then, where an import tells of years ago', () => {
    const events = onDays([9, cast], [3, withdrawn], [2, cast]);
    expect(happenedInOrder(events)).toBe(false);
    // On the third day the cast of the second had happened, which the log tells after the withdrawal.
    expect(courseOf(versionsByMoment(events, key))).toEqual([
      [3, dayOf(2), true],
      [3, dayOf(3), true],
      [3, dayOf(9), true],
    ]);
  });
});

describe('what is kept of an event for the history of a fact', () => {
  const kinds = [cast, withdrawn, invalidated(), invalidated('b'), reversed(), reversed('b')] as const;
  const days = fc.array(fc.tuple(fc.integer({ min: 1, max: 9 }), fc.constantFrom(...kinds)), {
    maxLength: 12,
  });

  it('gives the same versions as the whole event', () => {
    fc.assert(
      fc.property(days, (told) => {
        const events = onDays(...told);
        const kept = events.map(factEventOf);
        expect(versionsByOrdinal(kept, key)).toEqual(versionsByOrdinal(events, key));
        expect(versionsByMoment(kept, key)).toEqual(versionsByMoment(events, key));
      }),
    );
  });
  it('names nobody but the reporter of a round', () => {
    const [event] = onDays([1, invalidated()]);
    expect(event && factEventOf(event)).toEqual({
      type: 'VotesInvalidated',
      ordinal: 1,
      metadata: { occurredAt: dayOf(1) },
      data: { caseId: 'a' },
    });
    const report = { ...newPost(), reporterId: 'ann', reason: 'Rude to me', round: 2 };
    const [reported] = onDays([1, { type: 'PostReported', data: report }]);
    expect(reported && factEventOf(reported)).toMatchObject({ data: { reporterId: 'ann', round: 2 } });
    expect(JSON.stringify(reported && factEventOf(reported))).not.toContain('Rude');
    const [told] = onDays([1, cast]);
    expect(told && factEventOf(told)).not.toHaveProperty('data');
  });
});

describe('the last version by moment', () => {
  it('is the last by ordinal, whatever happened when: in the end all has happened', () => {
    const told = fc.array(fc.tuple(fc.integer({ min: 1, max: 5 }), fc.constantFrom(cast, withdrawn)), {
      maxLength: 9,
    });
    fc.assert(
      fc.property(told, (days) => {
        const events = onDays(...days);
        const [byMoment, byOrdinal] = [
          versionsByMoment(events, key).at(-1),
          versionsByOrdinal(events, key).at(-1),
        ];
        expect(byMoment && { ...byMoment, sinceAt: '' }).toEqual(byOrdinal && { ...byOrdinal, sinceAt: '' });
      }),
    );
  });
});
