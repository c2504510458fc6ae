import { describe, expect, it } from '@jest/globals';
import type { ActingStudent } from '../authority.js';
import { fold } from '../decider.js';
import type {
  InvalidationCategory,
  InvalidationDeclined,
  InvalidationProposed,
  InvalidationReversed,
  VoteData,
  VotesInvalidated,
} from '../events.js';
import { LARGE_CASE_VOTES } from '../limits.js';
import { newActor, newId, newMaintainer, newModerator, newVote } from '../testing/builders.js';
import { given } from '../testing/given-when-then.js';
import {
  caseDecider,
  confirmInvalidation,
  declineInvalidation,
  invalidateVotes,
  type InvalidateVotes,
  type OwnCases,
  reviewedVoteDecider,
  requireHeldVotes,
  reverseInvalidation,
} from './case.decide.js';

const spaceId = newId();
const actor = newModerator(spaceId);
const caseId = newId();
const votes = [newVote({ spaceId }), newVote({ spaceId, direction: 'DOWN' })];
const category = 'ARRANGED';
const ownCases: OwnCases = { votesInvalidatedAlone: 0, proposalId: null };
const data = { caseId, moderatorId: actor.studentId, category, reason: 'A ring', votes } as const;
const invalidated: VotesInvalidated = { type: 'VotesInvalidated', data };
const reversed: InvalidationReversed = {
  type: 'InvalidationReversed',
  data: { ...data, reason: 'Was none' },
};

describe('invalidateVotes', () => {
  const invalidating = (changes: Partial<InvalidateVotes> = {}) =>
    given(caseDecider).when((s) =>
      invalidateVotes({ actor, caseId, category, votes, reason: 'A ring', ownCases, ...changes }, s),
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
      .when((s) => invalidateVotes({ actor, caseId, category, votes, reason: 'x', ownCases }, s))
      .thenRefused('CASE_EXISTS'));
});

describe('a case of more votes than one moderator may invalidate', () => {
  const large = Array.from({ length: LARGE_CASE_VOTES + 1 }, () => newVote({ spaceId }));
  const second = newModerator(spaceId);
  const proposed: InvalidationProposed = { type: 'InvalidationProposed', data: { ...data, votes: large } };
  const confirmed: VotesInvalidated = {
    type: 'VotesInvalidated',
    data: { ...proposed.data, moderatorId: second.studentId, proposedBy: actor.studentId },
  };
  const declinedBy = (by: ActingStudent): InvalidationDeclined => ({
    type: 'InvalidationDeclined',
    data: { caseId, moderatorId: by.studentId, reason: 'A class', spaceIds: [spaceId] },
  });
  type Past = readonly (InvalidationProposed | InvalidationDeclined | VotesInvalidated)[];
  const confirming = (by = second, now: readonly VoteData[] = large, past: Past = [proposed]) =>
    given(caseDecider, ...past).when((s) => confirmInvalidation({ actor: by, votes: now }, s));
  const declining = (by = second, past: Past = [proposed], reason = 'A class') =>
    given(caseDecider, ...past).when((s) => declineInvalidation({ actor: by, reason }, s));

  const opening = (of: readonly VoteData[], own = ownCases) =>
    given(caseDecider).when((s) =>
      invalidateVotes({ actor, caseId, category, votes: of, reason: 'A ring', ownCases: own }, s),
    );

  it('is only proposed', () => {
    opening(large).then(proposed);
    const atLimit = large.slice(1);
    opening(atLimit).then({ ...invalidated, data: { ...data, votes: atLimit } });
  });
  it('includes votes for the same authors that the moderator invalidated alone', () => {
    const last = large.slice(0, 41);
    const earlier = (votesInvalidatedAlone: number) => ({ ...ownCases, votesInvalidatedAlone });
    opening(last, earlier(59)).then({ ...invalidated, data: { ...data, votes: last } });
    opening(last, earlier(60)).then({ ...proposed, data: { ...data, votes: last } });
  });
  it('is refused if the moderator proposed one of the votes', () =>
    opening(votes, { ...ownCases, proposalId: newId() }).thenRefused('CASE_VOTE_PROPOSED'));
  it('is confirmed by another moderator, once', () => {
    confirming().then(confirmed);
    confirming(second, large, [proposed, confirmed]).thenRefused('CASE_NOT_PROPOSED');
    confirming(second, large, []).thenRefused('CASE_NOT_FOUND');
  });
  it('is not confirmed by its proposer, or by anybody who does not moderate its spaces', () => {
    confirming(actor).thenRefused('OWN_PROPOSAL');
    for (const by of [newActor(), newMaintainer(), newModerator(newId())])
      confirming(by).thenRefused('FORBIDDEN');
  });
  it('is neither confirmed nor declined by a moderator involved in a vote', () => {
    const [first] = large as [VoteData, ...VoteData[]];
    const own = { ...first, voterId: second.studentId };
    const involved = { ...proposed, data: { ...proposed.data, votes: [...large.slice(1), own] } };
    confirming(second, involved.data.votes, [involved]).thenRefused('OWN_VOTES_CASE');
    declining(second, [involved]).thenRefused('OWN_VOTES_CASE');
  });
  it('is not confirmed if a vote was withdrawn or switched', () => {
    const [first, ...others] = large as [VoteData, ...VoteData[]];
    confirming(second, others).thenRefused('CASE_VOTE_NOT_STANDING');
    confirming(second, [{ ...first, direction: 'DOWN' }, ...others]).thenRefused('CASE_VOTE_NOT_STANDING');
  });
  it('is declined by another moderator or withdrawn by its proposer, with a reason', () => {
    for (const by of [second, actor]) declining(by).then(declinedBy(by));
    declining(second, [proposed], ' ').thenRefused('DELETE_REASON_REQUIRED');
    declining(newMaintainer()).thenRefused('FORBIDDEN');
  });
  it('is not decided again after it was declined', () => {
    confirming(second, large, [proposed, declinedBy(actor)]).thenRefused('CASE_NOT_PROPOSED');
    declining(second, [proposed, declinedBy(actor)]).thenRefused('CASE_NOT_PROPOSED');
    declining(second, [proposed, confirmed]).thenRefused('CASE_NOT_PROPOSED');
    declining(second, []).thenRefused('CASE_NOT_FOUND');
  });
  it('is reversed by one moderator, once confirmed', () => {
    given(caseDecider, proposed, confirmed)
      .when((s) => reverseInvalidation({ actor, reason: 'Was none' }, s))
      .then({
        type: 'InvalidationReversed',
        data: { ...proposed.data, moderatorId: actor.studentId, reason: 'Was none' },
      });
    given(caseDecider, proposed)
      .when((s) => reverseInvalidation({ actor, reason: 'Was none' }, s))
      .thenRefused('CASE_NOT_INVALIDATED');
  });
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
