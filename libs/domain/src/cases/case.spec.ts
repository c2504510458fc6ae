import { describe, expect, it } from '@jest/globals';
import { fold } from '../decider.js';
import type { InvalidationCategory, InvalidationReversed, VoteData, VotesInvalidated } from '../events.js';
import { newActor, newId, newMaintainer, newModerator, newVote } from '../testing/builders.js';
import { given } from '../testing/given-when-then.js';
import {
  caseDecider,
  invalidateVotes,
  type InvalidateVotes,
  reviewedVoteDecider,
  requireHeldVotes,
  reverseInvalidation,
} from './case.decide.js';

const spaceId = newId();
const actor = newModerator(spaceId);
const caseId = newId();
const votes = [newVote({ spaceId }), newVote({ spaceId, direction: 'DOWN' })];
const category = 'ARRANGED';
const data = { caseId, moderatorId: actor.studentId, category, reason: 'A ring', votes } as const;
const invalidated: VotesInvalidated = { type: 'VotesInvalidated', data };
const reversed: InvalidationReversed = {
  type: 'InvalidationReversed',
  data: { ...data, reason: 'Was none' },
};

describe('invalidateVotes', () => {
  const invalidating = (changes: Partial<InvalidateVotes> = {}) =>
    given(caseDecider).when((s) =>
      invalidateVotes({ actor, caseId, category, votes, reason: 'A ring', ...changes }, s),
    );

  it('records all votes in one event', () => invalidating().then(invalidated));
  it('requires a moderator of every affected space', () => {
    invalidating({ actor: newActor() }).thenRefused('FORBIDDEN');
    invalidating({ votes: [...votes, newVote()] }).thenRefused('FORBIDDEN');
  });
  it('refuses maintainers without the moderator role', () =>
    invalidating({ actor: newMaintainer() }).thenRefused('FORBIDDEN'));
  it("refuses the moderator's own votes and votes on their posts", () => {
    const own = newVote({ spaceId, voterId: actor.studentId });
    const onOwn = newVote({ spaceId, postAuthorId: actor.studentId });
    for (const vote of [own, onOwn]) invalidating({ votes: [...votes, vote] }).thenRefused('OWN_VOTES_CASE');
    const involved: VotesInvalidated = { ...invalidated, data: { ...data, votes: [...votes, onOwn] } };
    given(caseDecider, involved)
      .when((s) => reverseInvalidation({ actor, reason: 'Mine' }, s))
      .thenRefused('OWN_VOTES_CASE');
  });
  it('requires a reason', () => invalidating({ reason: '' }).thenRefused('DELETE_REASON_REQUIRED'));
  it('requires distinct votes up to the limit', () => {
    invalidating({ votes: [] }).thenRefused('CASE_VOTES_INVALID');
    invalidating({ votes: [...votes, ...votes] }).thenRefused('CASE_VOTES_INVALID');
    invalidating({ votes: Array.from({ length: 1_001 }, () => newVote({ spaceId })) }).thenRefused(
      'CASE_VOTES_INVALID',
    );
  });
  it('refuses an unknown category', () =>
    invalidating({ category: 'HUNCH' as InvalidationCategory }).thenRefused('CASE_CATEGORY_INVALID'));
  it('refuses an existing case', () =>
    given(caseDecider, invalidated)
      .when((s) => invalidateVotes({ actor, caseId, category, votes, reason: 'x' }, s))
      .thenRefused('CASE_EXISTS'));
});

describe('reverseInvalidation', () => {
  it('repeats the votes', () =>
    given(caseDecider, invalidated)
      .when((s) => reverseInvalidation({ actor, reason: 'Was none' }, s))
      .then(reversed));
  it('reverses once', () =>
    given(caseDecider, invalidated, reversed)
      .when((s) => reverseInvalidation({ actor, reason: 'Was none' }, s))
      .thenNothingHappens());
  it('requires a reason', () =>
    given(caseDecider, invalidated)
      .when((s) => reverseInvalidation({ actor, reason: ' ' }, s))
      .thenRefused('DELETE_REASON_REQUIRED'));
  it('requires a moderator', () =>
    given(caseDecider, invalidated)
      .when((s) => reverseInvalidation({ actor: newActor(), reason: 'x' }, s))
      .thenRefused('FORBIDDEN'));
  it('refuses an unknown case', () =>
    given(caseDecider)
      .when((s) => reverseInvalidation({ actor, reason: 'x' }, s))
      .thenRefused('CASE_NOT_FOUND'));
});

describe('a reviewed vote', () => {
  const [up] = votes as [VoteData];
  const cast = { type: 'VoteCast', data: up } as const;
  const withdrawn = { type: 'VoteWithdrawn', data: up } as const;
  const after = (...events: readonly (typeof cast | typeof withdrawn)[]) => fold(reviewedVoteDecider, events);

  it('reflects the latest event and counts changes', () =>
    expect(after(cast, withdrawn, cast)).toEqual({ vote: up, isHeld: true, changes: 3 }));
  it('is refused if inactive', () => {
    expect(requireHeldVotes([after(cast)])).toEqual([up]);
    for (const inactive of [after(), after(cast, withdrawn)])
      expect(() => requireHeldVotes([after(cast), inactive])).toThrow(
        expect.objectContaining({ code: 'CASE_VOTE_NOT_STANDING' }),
      );
  });
});
