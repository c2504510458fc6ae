import { describe, expect, it } from '@jest/globals';
import { OPERATOR } from '../authority.js';
import { fold } from '../decider.js';
import type { MembershipEvent, MemberWarned, Rank } from '../events.js';
import { MAX_REASON_LENGTH, MAX_WARNINGS } from '../limits.js';
import { newActor, newId, newMaintainer, newModerator } from '../testing/builders.js';
import { given } from '../testing/given-when-then.js';
import { type WarnMember, warnMember } from './membership.decide.js';
import { membershipDecider, membershipStatus } from './membership.state.js';

const student = newActor();
const { studentId } = student;
const [spaceId, warningId] = [newId(), newId()];
const joined: MembershipEvent = { type: 'SpaceJoined', data: { spaceId, studentId } };
const suspended: MembershipEvent = {
  type: 'MemberSuspended',
  data: { spaceId, studentId, reason: 'Spam', rank: 'MODERATOR_OF_ALL' },
};
const text = 'No adverts, please';
const warned = (rank: Rank = 'MODERATOR'): MemberWarned => ({
  type: 'MemberWarned',
  data: { spaceId, studentId, warningId, text, rank },
});

const warning = (changes: Partial<WarnMember> = {}, ...history: MembershipEvent[]) =>
  given(membershipDecider, ...history).when((state) =>
    warnMember(
      { by: newModerator(spaceId), spaceId, student, warningId, text, post: null, ...changes },
      state,
    ),
  );

describe('warnMember', () => {
  it('requires a moderator of the space', () => {
    warning({}, joined).then(warned());
    warning({ by: newModerator() }, joined).then(warned('MODERATOR_OF_ALL'));
    warning({ by: OPERATOR }, joined).then(warned('OPERATOR'));
    for (const by of [newActor(), newModerator(newId()), newMaintainer()])
      warning({ by }, joined).thenRefused('FORBIDDEN');
    warning({ by: { ...newModerator(spaceId), blocked: true } }, joined).thenRefused('STUDENT_BLOCKED');
  });

  it('refuses the actor, equals and higher ranks in the space', () => {
    const self = newModerator(spaceId);
    warning({ by: self, student: self }, joined).thenRefused('OWN_ACCOUNT_BLOCK');
    for (const { roles } of [newModerator(spaceId), newModerator(), newMaintainer()])
      warning({ student: { studentId, roles } }, joined).thenRefused('NOT_ABOVE_IN_RANK');
    warning({ student: { studentId, roles: newModerator(newId()).roles } }, joined).then(warned());
  });

  it('requires a member, who may be suspended', () => {
    warning().thenRefused('STUDENT_NOT_FOUND');
    warning({}, joined, { type: 'SpaceLeft', data: { spaceId, studentId } }).thenRefused('STUDENT_NOT_FOUND');
    warning({}, joined, suspended).then(warned());
  });

  it('requires a text of limited length', () => {
    warning({ text: ` ${text}\n` }, joined).then(warned());
    for (const blank of ['', ' ', '\u200b']) warning({ text: blank }, joined).thenRefused('WARNING_REQUIRED');
    warning({ text: 'x'.repeat(MAX_REASON_LENGTH + 1) }, joined).thenRefused('WARNING_TOO_LONG');
    const longest = 'x'.repeat(MAX_REASON_LENGTH);
    const { data } = warned();
    warning({ text: longest }, joined).then({ type: 'MemberWarned', data: { ...data, text: longest } });
  });

  it('can name a post by the student in the space', () => {
    const post = { postId: newId(), spaceId, authorId: studentId };
    const { data } = warned();
    warning({ post }, joined).then({ type: 'MemberWarned', data: { ...data, postId: post.postId } });
    warning({ post: { ...post, spaceId: newId() } }, joined).thenRefused('POST_NOT_FOUND');
    warning({ post: { ...post, authorId: newId() } }, joined).thenRefused('POST_NOT_FOUND');
  });

  it('is limited in number per student and space', () => {
    const earlier = (count: number) => Array.from({ length: count }, () => warned());
    warning({}, joined, ...earlier(MAX_WARNINGS - 1)).then(warned());
    warning({}, joined, ...earlier(MAX_WARNINGS)).thenRefused('TOO_MANY_WARNINGS');
    const full = fold(membershipDecider, [joined, ...earlier(MAX_WARNINGS)]);
    expect(() => warnMember({ by: OPERATOR, spaceId, student, warningId, text, post: null }, full)).toThrow(
      'at most 50 warnings',
    );
  });

  it('does not affect the membership', () => {
    const now = '2026-11-29T08:00:00.000Z';
    expect(membershipStatus(fold(membershipDecider, [joined, warned()]), now)).toBe(true);
    expect(membershipStatus(fold(membershipDecider, [joined, suspended, warned()]), now)).toBe('SUSPENDED');
  });
});
