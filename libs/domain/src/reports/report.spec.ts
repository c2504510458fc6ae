import { describe, it } from '@jest/globals';
import type { PostReported } from '../events.js';
import { REPORT_REASONS } from '../report-reasons.js';
import { newActor, newId, newPost } from '../testing/builders.js';
import { given } from '../testing/given-when-then.js';
import { reportPost, type ReportPost } from './report.decide.js';
import { type ModerationEvent, moderationDecider } from '../moderation/moderation.decide.js';

const actor = newActor();
const post = newPost();
const { removed: _removed, ...ref } = post;
const reported = (reason: string, round = 0): PostReported => ({
  type: 'PostReported',
  data: { ...ref, reporterId: actor.studentId, reason, round },
});
const dismissed = (round: number): ModerationEvent => ({
  type: 'ReportsDismissed',
  data: { ...ref, moderatorId: newId(), reason: 'Fine', round },
});
const report = (changes: Partial<ReportPost> = {}): ReportPost => ({
  actor,
  isMember: true,
  post,
  reason: 'Its spam',
  ...changes,
});
const reporting = (changes: Partial<ReportPost> = {}) =>
  given(moderationDecider).when((s) => reportPost(report(changes), s));

describe('reportPost', () => {
  it.each(REPORT_REASONS)('accepts the reason "%s"', (reason) =>
    reporting({ reason }).then(reported(reason)),
  );
  it.each(['', ' ', 'its spam', 'False information', 'Anything'])('refuses the reason %j', (reason) =>
    reporting({ reason }).thenRefused('REPORT_REASON_REQUIRED'),
  );
  it('records the round', () =>
    given(moderationDecider, dismissed(0), dismissed(1))
      .when((s) => reportPost(report(), s))
      .then(reported('Its spam', 2)));
  it('refuses a report by the author of the post', () =>
    reporting({ post: { ...post, postAuthorId: actor.studentId } }).thenRefused('OWN_POST_REPORT'));
  it('reports once', () =>
    given(moderationDecider, reported('Its spam'))
      .when((s) => reportPost(report(), s))
      .thenRefused('ALREADY_REPORTED'));
  it('reports once, even after a dismissal', () =>
    given(moderationDecider, reported('Its spam'), dismissed(0))
      .when((s) => reportPost(report(), s))
      .thenRefused('ALREADY_REPORTED'));
  it('refuses a removed or unknown post', () => {
    reporting({ post: { ...post, removed: true } }).thenRefused('POST_NOT_FOUND');
    reporting({ post: undefined }).thenRefused('POST_NOT_FOUND');
  });
  it('requires a member who is not blocked', () => {
    reporting({ isMember: false }).thenRefused('NOT_A_MEMBER');
    reporting({ actor: newActor({ blocked: true }) }).thenRefused('STUDENT_BLOCKED');
  });
});
