import { describe, expect, it } from '@jest/globals';
import { fold } from '../decider.js';
import type { InvalidationCategory, InvalidationReversed, VoteData, VotesInvalidated } from '../events.js';
import { newActor, newId, newMaintainer, newModerator, newVote } from '../testing/builders.js';
import { given } from '../testing/given-when-then.js';
import {
  caseDecider,
  invalidateVotes,
  type InvalidateVotes,
  judgedVoteDecider,
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

  it('lists the votes in one event', () => invalidating().then(invalidated));
  it('is for moderators of every space concerned', () => {
    invalidating({ actor: newActor() }).thenRefused('FORBIDDEN');
    invalidating({ votes: [...votes, newVote()] }).thenRefused('FORBIDDEN');
  });
  it('is not for maintainers who moderate nothing', () =>
    invalidating({ actor: newMaintainer() }).thenRefused('FORBIDDEN'));
  it('is never of own votes or of votes on own posts', () => {
    const own = newVote({ spaceId, voterId: actor.studentId });
    const onOwn = newVote({ spaceId, postAuthorId: actor.studentId });
    for (const vote of [own, onOwn]) invalidating({ votes: [...votes, vote] }).thenRefused('OWN_VOTES_CASE');
    const concerned: VotesInvalidated = { ...invalidated, data: { ...data, votes: [...votes, onOwn] } };
    given(caseDecider, concerned)
      .when((s) => reverseInvalidation({ actor, reason: 'Mine' }, s))
      .thenRefused('OWN_VOTES_CASE');
  });
  it('needs a reason', () => invalidating({ reason: '' }).thenRefused('DELETE_REASON_REQUIRED'));
  it('needs votes, each once, and not more than fit an event', () => {
    invalidating({ votes: [] }).thenRefused('CASE_VOTES_INVALID');
    invalidating({ votes: [...votes, ...votes] }).thenRefused('CASE_VOTES_INVALID');
    invalidating({ votes: Array.from({ length: 1_001 }, () => newVote({ spaceId })) }).thenRefused(
      'CASE_VOTES_INVALID',
    );
  });
  it('says to those concerned what kind of case it is', () =>
    invalidating({ category: 'HUNCH' as InvalidationCategory }).thenRefused('CASE_CATEGORY_INVALID'));
  it('opens a case once', () =>
    given(caseDecider, invalidated)
      .when((s) => invalidateVotes({ actor, caseId, category, votes, reason: 'x' }, s))
      .thenRefused('CASE_EXISTS'));
});

describe('reverseInvalidation', () => {
  it('lists the same votes', () =>
    given(caseDecider, invalidated)
      .when((s) => reverseInvalidation({ actor, reason: 'Was none' }, s))
      .then(reversed));
  it('reverses once', () =>
    given(caseDecider, invalidated, reversed)
      .when((s) => reverseInvalidation({ actor, reason: 'Was none' }, s))
      .thenNothingHappens());
  it('needs a reason', () =>
    given(caseDecider, invalidated)
      .when((s) => reverseInvalidation({ actor, reason: ' ' }, s))
      .thenRefused('DELETE_REASON_REQUIRED'));
  it('is for moderators', () =>
    given(caseDecider, invalidated)
      .when((s) => reverseInvalidation({ actor: newActor(), reason: 'x' }, s))
      .thenRefused('FORBIDDEN'));
  it('refuses a case that never was', () =>
    given(caseDecider)
      .when((s) => reverseInvalidation({ actor, reason: 'x' }, s))
      .thenRefused('CASE_NOT_FOUND'));
});

describe('a vote that a case looks at', () => {
  const [up] = votes as [VoteData];
  const cast = { type: 'VoteCast', data: up } as const;
  const withdrawn = { type: 'VoteWithdrawn', data: up } as const;
  const after = (...events: readonly (typeof cast | typeof withdrawn)[]) => fold(judgedVoteDecider, events);

  it('is told by its latest event, with the number of its changes', () =>
    expect(after(cast, withdrawn, cast)).toEqual({ vote: up, isHeld: true, changes: 3 }));
  it('must be held', () => {
    expect(requireHeldVotes([after(cast)])).toEqual([up]);
    for (const judged of [after(), after(cast, withdrawn)])
      expect(() => requireHeldVotes([after(cast), judged])).toThrow(
        expect.objectContaining({ code: 'CASE_VOTE_NOT_STANDING' }),
      );
  });
});
