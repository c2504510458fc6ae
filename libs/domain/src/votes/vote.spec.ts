import { describe, it } from '@jest/globals';
import type { VoteCast, VoteDirection, VoteEvent, VoteWithdrawn } from '../events.js';
import { newActor, newPost } from '../testing/builders.js';
import { given } from '../testing/given-when-then.js';
import { toggleVote, type ToggleVote, voteDecider } from './vote.decide.js';

const voter = newActor();
const post = newPost();
const { removed: _removed, ...ref } = post;
const data = (direction: VoteDirection, voterIsStandIn = false) => ({
  ...ref,
  voterId: voter.studentId,
  direction,
  voterIsStandIn,
});
const cast = (direction: VoteDirection): VoteCast => ({ type: 'VoteCast', data: data(direction) });
const withdrawn = (direction: VoteDirection): VoteWithdrawn => ({
  type: 'VoteWithdrawn',
  data: data(direction),
});

const toggle = (direction: VoteDirection, changes: Partial<ToggleVote> = {}): ToggleVote => ({
  actor: voter,
  isMember: true,
  voterIsStandIn: false,
  post,
  direction,
  ...changes,
});
const voting = (history: readonly VoteEvent[], direction: VoteDirection, changes: Partial<ToggleVote> = {}) =>
  given(voteDecider, ...history).when((s) => toggleVote(toggle(direction, changes), s));

describe('toggleVote', () => {
  it.each(['UP', 'DOWN'] as const)('casts %s', (direction) => voting([], direction).then(cast(direction)));
  it.each(['UP', 'DOWN'] as const)('withdraws a standing %s', (direction) =>
    voting([cast(direction)], direction).then(withdrawn(direction)),
  );
  it('replaces a downvote with an upvote in one append', () =>
    voting([cast('DOWN')], 'UP').then(withdrawn('DOWN'), cast('UP')));
  it('replaces an upvote with a downvote in one append', () =>
    voting([cast('UP')], 'DOWN').then(withdrawn('UP'), cast('DOWN')));
  it('casts again after a withdrawal', () => voting([cast('UP'), withdrawn('UP')], 'UP').then(cast('UP')));
  it('refuses an upvote by the author of the post', () =>
    voting([], 'UP', { post: { ...post, postAuthorId: voter.studentId } }).thenRefused('OWN_POST_VOTE'));
  it('refuses a downvote by the author of the post', () =>
    voting([], 'DOWN', { post: { ...post, postAuthorId: voter.studentId } }).thenRefused('OWN_POST_VOTE'));
  it('refuses a removed or unknown post', () => {
    voting([], 'UP', { post: { ...post, removed: true } }).thenRefused('POST_NOT_FOUND');
    voting([], 'UP', { post: undefined }).thenRefused('POST_NOT_FOUND');
  });
  it('requires a registered member who is not blocked', () => {
    voting([], 'UP', { isMember: false }).thenRefused('NOT_A_MEMBER');
    voting([], 'UP', { actor: newActor({ blocked: true }) }).thenRefused('STUDENT_BLOCKED');
    voting([], 'UP', { actor: newActor({ registered: false }) }).thenRefused('NOT_REGISTERED');
  });
  it.each([
    [6, 5, true],
    [5, 5, false],
    [1, 5, false],
    [1, 0, true],
  ])('with merit %d, a downvote that costs %d is cast: %s', (merit, cost, isCast) => {
    const downvote = (history: readonly VoteEvent[] = []) =>
      voting(history, 'DOWN', { charge: { merit, cost } });
    if (isCast) downvote().then(cast('DOWN'));
    else downvote().thenRefused('DOWNVOTE_NEEDS_MERIT');
    downvote([cast('DOWN')]).then(withdrawn('DOWN'));
    voting([], 'UP', { charge: { merit, cost } }).then(cast('UP'));
  });
  it('marks the vote of a stand-in', () =>
    voting([], 'UP', { voterIsStandIn: true }).then({ type: 'VoteCast', data: data('UP', true) }));
});
