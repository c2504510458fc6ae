import { describe, expect, it } from '@jest/globals';
import type { ReportsDismissed, ReportsUpheld } from '../events.js';
import { newActor, newId, newModerator, newPost } from '../testing/builders.js';
import { given } from '../testing/given-when-then.js';
import { dismissReports, upholdReports, type DismissReports } from './moderation.decide.js';
import { evolveModeration, initialModeration } from './moderation.state.js';

const moderation = { initial: initialModeration, evolve: evolveModeration };
const post = newPost();
const { removed: _removed, ...ref } = post;
const actor = newModerator(post.spaceId);
const ruling = (changes: Partial<DismissReports> = {}): DismissReports => ({
  actor,
  post,
  openReports: 3,
  reason: 'Looked at it',
  ...changes,
});
const data = (round: number) => ({ ...ref, moderatorId: actor.studentId, reason: 'Looked at it', round });
const dismissed = (round: number): ReportsDismissed => ({ type: 'ReportsDismissed', data: data(round) });
const upheld = (round: number): ReportsUpheld => ({ type: 'ReportsUpheld', data: data(round) });

describe.each([
  ['upholdReports', upholdReports],
  ['dismissReports', dismissReports],
] as const)('%s', (_, rule) => {
  const ruled = (changes: Partial<DismissReports>) => given(moderation).when((s) => rule(ruling(changes), s));

  it('is for moderators of the space', () => {
    ruled({ actor: newActor() }).thenRefused('FORBIDDEN');
    ruled({ actor: newModerator(newId()) }).thenRefused('FORBIDDEN');
    ruled({ actor: { ...actor, blocked: true } }).thenRefused('STUDENT_BLOCKED');
  });
  it('needs a reason', () => ruled({ reason: '\u200b' }).thenRefused('DELETE_REASON_REQUIRED'));
  it('needs an open report', () => ruled({ openReports: 0 }).thenRefused('NOTHING_REPORTED'));
  it('refuses a post that never was', () => ruled({ post: undefined }).thenRefused('POST_NOT_FOUND'));
  it('may also rule on a post that its author deleted', () =>
    expect(rule(ruling({ post: { ...post, removed: true } }), initialModeration)).toHaveLength(1));
});

describe('rounds', () => {
  it('dismisses the open round', () =>
    given(moderation)
      .when((s) => dismissReports(ruling(), s))
      .then(dismissed(0)));
  it('counts dismissals as rounds', () =>
    given(moderation, dismissed(0), dismissed(1))
      .when((s) => upholdReports(ruling(), s))
      .then(upheld(2)));
  it('upholds once', () =>
    given(moderation, upheld(0))
      .when((s) => upholdReports(ruling(), s))
      .thenNothingHappens());
  it('does not dismiss what was upheld', () =>
    given(moderation, upheld(0))
      .when((s) => dismissReports(ruling(), s))
      .thenRefused('POST_NOT_FOUND'));
});
