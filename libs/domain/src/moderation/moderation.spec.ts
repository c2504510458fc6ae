import { describe, expect, it } from '@jest/globals';
import { fold } from '../decider.js';
import { DomainError } from '../errors.js';
import { MAX_REASON_LENGTH } from '../limits.js';
import { newActor, newId, newMaintainer, newModerator, newPost } from '../testing/builders.js';
import { given } from '../testing/given-when-then.js';
import {
  dismissReports,
  type DismissReports,
  handOverReports,
  type HandOverReports,
  moderationDecider,
  type ModerationEvent,
  type ModerationState,
  reverseUpholding,
  upholdReports,
  type UpholdReports,
} from './moderation.decide.js';

const post = newPost();
const { removed: _removed, ...ref } = post;
const actor = newModerator(post.spaceId);
const colleague = newId();
const AT = '2026-01-01T00:00:00.000Z';
const seen = { revision: 0, openReports: 3 };
const ruling = (changes: Partial<DismissReports> = {}): DismissReports => ({
  actor,
  post,
  openReports: 3,
  isReporter: false,
  decidedAt: AT,
  seen,
  reason: 'Looked at it',
  ...changes,
});
const upholding = (changes: Partial<UpholdReports> = {}): UpholdReports => ({
  penalty: 'RULES',
  ...ruling(changes),
  ...changes,
});
const handOver = (changes: Partial<HandOverReports> = {}): HandOverReports => {
  const { reason: _reason, ...facts } = ruling();
  return { ...facts, to: { studentId: colleague, moderates: true }, note: ' Yours? ', ...changes };
};
const data = (round: number) => ({ ...ref, moderatorId: actor.studentId, reason: 'Looked at it', round });
const dismissed = (round: number): ModerationEvent => ({ type: 'ReportsDismissed', data: data(round) });
const upheld = (round: number): ModerationEvent => ({ type: 'ReportsUpheld', data: data(round) });
const reversed = (round: number): ModerationEvent => ({ type: 'UpholdingReversed', data: data(round) });
const handedOver = (toModeratorId: string | null, note = 'Yours?'): ModerationEvent => ({
  type: 'ReportsHandedOver',
  data: { ...ref, moderatorId: actor.studentId, toModeratorId, note, round: 0 },
});
const revision = (count: number) => ({ seen: { ...seen, revision: count } });

const decisions: readonly [
  string,
  (changes: Partial<DismissReports>, state: ModerationState) => readonly ModerationEvent[],
][] = [
  ['upholdReports', (changes, state) => upholdReports(upholding(changes), state)],
  ['dismissReports', (changes, state) => dismissReports(ruling(changes), state)],
  ['handOverReports', (changes, state) => handOverReports(handOver(changes), state)],
  ['reverseUpholding', (changes, state) => reverseUpholding(ruling(changes), state)],
];

describe.each(decisions)('%s', (name, decide) => {
  const decided = (changes: Partial<DismissReports>, ...history: readonly ModerationEvent[]) =>
    given(moderationDecider, ...history).when((state) => decide(changes, state));

  it('requires a moderator of the space, and refuses maintainers', () => {
    decided({ actor: newActor() }).thenRefused('FORBIDDEN');
    decided({ actor: newModerator(newId()) }).thenRefused('FORBIDDEN');
    decided({ actor: { ...actor, blocked: true } }).thenRefused('STUDENT_BLOCKED');
    decided({ actor: newMaintainer() }).thenRefused('FORBIDDEN');
    const history = name === 'reverseUpholding' ? [upheld(0)] : [];
    const state = fold(moderationDecider, history);
    expect(decide({ actor: newModerator(), ...revision(history.length) }, state)).toHaveLength(1);
  });
  it('refuses the author of the post', () =>
    decided({ post: { ...post, postAuthorId: actor.studentId } }).thenRefused('OWN_POST_CASE'));
  it('refuses reporters of the post', () => decided({ isReporter: true }).thenRefused('OWN_REPORT_CASE'));
  it('refuses an unknown post', () => decided({ post: undefined }).thenRefused('POST_NOT_FOUND'));

  it.each([
    ['UPHELD', [upheld(0)]],
    ['DISMISSED', [dismissed(0)]],
    ['HANDED_OVER', [handedOver(colleague)]],
    ['REVERSED', [upheld(0), reversed(0)]],
  ] as const)('reports a concurrent decision: %s', (decision, history) => {
    const state = fold(moderationDecider, history);
    const refusal = (() => {
      try {
        return decide({}, state);
      } catch (error) {
        return error;
      }
    })();
    expect(refusal).toBeInstanceOf(DomainError);
    expect(refusal).toMatchObject({
      code: 'CASE_ALREADY_DECIDED',
      params: { decision, moderator: actor.studentId, at: AT },
    });
  });
  it('refuses an unknown revision', () => decided(revision(1)).thenRefused('NOTHING_REPORTED'));
});

describe.each(decisions.filter(([name]) => name !== 'reverseUpholding'))('%s', (_, decide) => {
  const decided = (changes: Partial<DismissReports>) =>
    given(moderationDecider).when((state) => decide(changes, state));

  it('requires an open report', () => decided({ openReports: 0 }).thenRefused('NOTHING_REPORTED'));
  it('refuses reports that changed since they were shown', () =>
    decided({ openReports: 4 }).thenRefused('CASE_CHANGED'));
  it('also applies to a post deleted by its author', () =>
    expect(decide({ post: { ...post, removed: true } }, moderationDecider.initial)).toHaveLength(1));
  it('refuses a removed post', () =>
    given(moderationDecider, upheld(0))
      .when((state) => decide(revision(1), state))
      .thenRefused('NOTHING_REPORTED'));
});

describe.each(decisions.filter(([name]) => name !== 'handOverReports'))('%s', (_, decide) => {
  it('requires a reason', () =>
    given(moderationDecider)
      .when((state) => decide({ reason: '\u200b' }, state))
      .thenRefused('DELETE_REASON_REQUIRED'));
});

describe('rounds', () => {
  it('dismisses the open round', () =>
    given(moderationDecider)
      .when((s) => dismissReports(ruling(), s))
      .then(dismissed(0)));
  it('starts a round with each dismissal', () =>
    given(moderationDecider, dismissed(0), dismissed(1))
      .when((s) => upholdReports(upholding(revision(2)), s))
      .then(upheld(2)));
  it('ends the round when a decision is reversed', () => {
    given(moderationDecider, upheld(0))
      .when((s) => reverseUpholding(ruling({ ...revision(1), openReports: 0 }), s))
      .then(reversed(0));
    given(moderationDecider, upheld(0), reversed(0))
      .when((s) => upholdReports(upholding(revision(2)), s))
      .then(upheld(1));
  });
  it('reverses only upheld reports', () =>
    given(moderationDecider, dismissed(0))
      .when((s) => reverseUpholding(ruling(revision(1)), s))
      .thenRefused('NOT_UPHELD'));
});

describe('the penalty', () => {
  it('is recorded unless it is that of the rules', () => {
    for (const penalty of ['NONE', 'FULL'] as const)
      given(moderationDecider)
        .when((s) => upholdReports(upholding({ penalty }), s))
        .then({ type: 'ReportsUpheld', data: { ...data(0), penalty } });
    given(moderationDecider)
      .when((s) => upholdReports(upholding(), s))
      .then(upheld(0));
  });
});

describe('open reports', () => {
  const reported = (reporterId: string, round: number): ModerationEvent => ({
    type: 'PostReported',
    data: { ...ref, reporterId, reason: 'Its spam', round },
  });
  const after = (...history: readonly ModerationEvent[]) => given(moderationDecider, ...history).state();

  it('belong to a round and end with it', () => {
    const [ann, ben, cid] = [newId(), newId(), newId()];
    const open = after(reported(ann, 0), reported(ben, 0));
    expect(open.openReporterIds).toEqual([ann, ben]);
    for (const end of [upheld(0), dismissed(0)])
      expect(fold(moderationDecider, [end], open).openReporterIds).toEqual([]);
    const later = after(reported(ann, 0), dismissed(0), reported(cid, 1));
    expect(later.openReporterIds).toEqual([cid]);
    // A reporter is never removed from the list.
    expect(later.reporterIds).toEqual([ann, cid]);
  });

  it('do not count as decisions', () =>
    expect(after(reported(newId(), 0), dismissed(0), reported(newId(), 1))).toMatchObject({
      revision: 1,
      round: 1,
      last: { decision: 'DISMISSED' },
    }));
});

describe('handOverReports', () => {
  it('assigns or unassigns a moderator', () => {
    given(moderationDecider)
      .when((s) => handOverReports(handOver(), s))
      .then(handedOver(colleague));
    given(moderationDecider, handedOver(colleague))
      .when((s) => handOverReports(handOver({ ...revision(1), to: null, note: '' }), s))
      .then(handedOver(null, ''));
  });
  it('drops control characters from the note', () =>
    given(moderationDecider)
      .when((s) => handOverReports(handOver({ note: '\u202eYours?\u0007' }), s))
      .then(handedOver(colleague)));
  it('records nothing for the current assignee', () =>
    given(moderationDecider, handedOver(colleague))
      .when((s) => handOverReports(handOver(revision(1)), s))
      .thenNothingHappens());
  it('requires a moderator of the space who did not write the post', () => {
    for (const to of [
      { studentId: colleague, moderates: false },
      { studentId: post.postAuthorId, moderates: true },
    ])
      given(moderationDecider)
        .when((s) => handOverReports(handOver({ to }), s))
        .thenRefused('HAND_OVER_TO_MODERATOR');
  });
  it('limits the length of the note', () =>
    given(moderationDecider)
      .when((s) => handOverReports(handOver({ note: 'x'.repeat(MAX_REASON_LENGTH + 1) }), s))
      .thenRefused('REASON_TOO_LONG'));
  it('ends the assignment with the decision', () => {
    for (const end of [upheld(0), dismissed(0)])
      expect(given(moderationDecider, handedOver(colleague), end).state().assigneeId).toBeNull();
  });
});
