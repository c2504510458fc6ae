import { describe, expect, it } from '@jest/globals';
import { fold } from '../decider.js';
import { OPERATOR, requireMember, type Authority } from '../authority.js';
import type {
  MemberSuspended,
  MembershipEvent,
  Rank,
  SpaceJoined,
  SpaceLeft,
  SuspensionLifted,
} from '../events.js';
import { newActor, newId, newMaintainer, newModerator } from '../testing/builders.js';
import { given } from '../testing/given-when-then.js';
import { joinSpace, leaveSpace, liftSuspension, suspendMember } from './membership.decide.js';
import { membershipDecider, membershipStatus } from './membership.state.js';

const actor = newActor();
const spaceId = newId();
const data = { spaceId, studentId: actor.studentId };
const joined: SpaceJoined = { type: 'SpaceJoined', data };
const left: SpaceLeft = { type: 'SpaceLeft', data };
const join = { actor, spaceId, entry: 'OPEN' as const };

describe('joinSpace', () => {
  it('joins a space', () =>
    given(membershipDecider)
      .when((s) => joinSpace(join, s))
      .then(joined));
  it('joins again after leaving', () =>
    given(membershipDecider, joined, left)
      .when((s) => joinSpace(join, s))
      .then(joined));
  it('joins once', () =>
    given(membershipDecider, joined)
      .when((s) => joinSpace(join, s))
      .thenNothingHappens());
  it('refuses an unknown space', () =>
    given(membershipDecider)
      .when((s) => joinSpace({ ...join, entry: undefined }, s))
      .thenRefused('SPACE_NOT_FOUND'));
  it('requires a registered student who is not blocked', () => {
    const as = (changes: object) =>
      given(membershipDecider).when((s) => joinSpace({ ...join, actor: { ...actor, ...changes } }, s));
    as({ registered: false }).thenRefused('NOT_REGISTERED');
    as({ blocked: true }).thenRefused('STUDENT_BLOCKED');
  });
});

describe('leaveSpace', () => {
  it('leaves a space', () =>
    given(membershipDecider, joined)
      .when((s) => leaveSpace({ actor, spaceId }, s))
      .then(left));
  it('records nothing for a student who is not a member', () =>
    given(membershipDecider)
      .when((s) => leaveSpace({ actor, spaceId }, s))
      .thenNothingHappens());
});

describe('suspendMember and liftSuspension', () => {
  const now = '2026-11-29T08:00:00.000Z';
  const suspended = (rank: Rank = 'MODERATOR'): MemberSuspended => ({
    type: 'MemberSuspended',
    data: { ...data, reason: 'Spam', rank, isReasonShown: true },
  });
  const lifted: SuspensionLifted = { type: 'SuspensionLifted', data: { ...data, reason: null } };
  const suspending = (by: Authority, student = actor, ...more: MembershipEvent[]) =>
    given(membershipDecider, joined, ...more).when((s) =>
      suspendMember({ by, spaceId, student, reason: 'Spam', until: null, now }, s),
    );
  const lifting = (by: Authority, ...more: MembershipEvent[]) =>
    given(membershipDecider, joined, ...more).when((s) =>
      liftSuspension({ by, spaceId, student: actor, now }, s),
    );

  it('requires a moderator of the space', () => {
    suspending(newModerator(spaceId)).then(suspended());
    suspending(newModerator()).then(suspended('MODERATOR_OF_ALL'));
    suspending(OPERATOR).then(suspended('OPERATOR'));
    for (const by of [newActor(), newModerator(newId()), newMaintainer()])
      suspending(by).thenRefused('FORBIDDEN');
    lifting(newModerator(newId()), suspended()).thenRefused('FORBIDDEN');
    suspending({ ...newModerator(spaceId), blocked: true }).thenRefused('STUDENT_BLOCKED');
  });
  it('refuses the actor, equals and higher ranks in the space', () => {
    const self = newModerator(spaceId);
    suspending(self, self).thenRefused('OWN_ACCOUNT_BLOCK');
    for (const roles of [newModerator(spaceId), newModerator(), newMaintainer()].map((actor) => actor.roles))
      suspending(newModerator(spaceId), { ...actor, roles }).thenRefused('NOT_ABOVE_IN_RANK');
    suspending(newModerator(spaceId), { ...actor, roles: newModerator(newId()).roles }).then(suspended());
  });
  it('requires a reason and a member', () => {
    given(membershipDecider, joined)
      .when((s) => suspendMember({ by: OPERATOR, spaceId, student: actor, reason: ' ', until: null, now }, s))
      .thenRefused('DELETE_REASON_REQUIRED');
    given(membershipDecider)
      .when((s) => suspendMember({ by: OPERATOR, spaceId, student: actor, reason: 'x', until: null, now }, s))
      .thenRefused('STUDENT_NOT_FOUND');
  });
  it('is replaced by the same or a higher rank, and refused to a lower one', () => {
    suspending(newModerator(spaceId), actor, suspended()).then(suspended());
    suspending(newModerator(), actor, suspended()).then(suspended('MODERATOR_OF_ALL'));
    suspending(newModerator(spaceId), actor, suspended('MODERATOR_OF_ALL')).thenRefused(
      'SUSPENDED_BY_HIGHER_RANK',
    );
  });
  it('is replaced with a new reason and the same end', () =>
    given(membershipDecider, joined, suspended())
      .when((s) =>
        suspendMember(
          {
            ...{ by: newModerator(spaceId), spaceId, student: actor },
            ...{ reason: 'Insults', until: null, now },
          },
          s,
        ),
      )
      .then({ type: 'MemberSuspended', data: { ...suspended().data, reason: 'Insults' } }));
  it('is lifted once, by the same or a higher rank', () => {
    lifting(newModerator(spaceId), suspended()).then(lifted);
    lifting(newModerator(), suspended()).then(lifted);
    lifting(newModerator(spaceId), suspended('MODERATOR_OF_ALL')).thenRefused('BLOCKED_BY_HIGHER_RANK');
    lifting(newModerator(spaceId)).thenNothingHappens();
    lifting(newModerator(spaceId), suspended(), lifted).thenNothingHappens();
  });
  it('keeps the membership without participation, even after rejoining', () => {
    const stateAfter = (...events: MembershipEvent[]) => fold(membershipDecider, events);
    for (const history of [
      [joined, suspended()],
      [joined, suspended(), left, joined],
    ]) {
      expect(() => requireMember(actor, membershipStatus(stateAfter(...history), now))).toThrow(
        'You are suspended',
      );
      expect(stateAfter(...history).isMember).toBe(true);
    }
    expect(() =>
      requireMember(actor, membershipStatus(stateAfter(joined, suspended(), lifted), now)),
    ).not.toThrow();
  });

  it('ends by itself, at a time within the next year', () => {
    const [tomorrow, later] = ['2026-11-30T08:00:00.000Z', '2026-12-02T08:00:00.000Z'];
    const until = (end: string, rank: Rank = 'MODERATOR'): MemberSuspended => ({
      type: 'MemberSuspended',
      data: { ...data, reason: 'Spam', rank, until: end, isReasonShown: true },
    });
    const by = newModerator(spaceId);
    const suspendingUntil = (end: string | null, ...more: MembershipEvent[]) =>
      given(membershipDecider, joined, ...more).when((s) =>
        suspendMember({ by, spaceId, student: actor, reason: 'Spam', until: end, now }, s),
      );
    suspendingUntil('2026-11-30T09:00:00.000+01:00').then(until(tomorrow));
    for (const end of [now, '2026-11-28T08:00:00.000Z', '2027-12-01T08:00:00.000Z', 'tomorrow'])
      suspendingUntil(end).thenRefused('SUSPENSION_END_INVALID');
    suspendingUntil(later, until(tomorrow)).then(until(later));
    suspendingUntil(null, until(tomorrow)).then(suspended());
    suspendingUntil(later, until(tomorrow, 'MODERATOR_OF_ALL')).thenRefused('SUSPENDED_BY_HIGHER_RANK');

    const state = fold(membershipDecider, [joined, until(tomorrow)]);
    expect(membershipStatus(state, '2026-11-30T07:59:59.999Z')).toBe('SUSPENDED');
    expect(membershipStatus(state, tomorrow)).toBe(true);
    expect(liftSuspension({ by, spaceId, student: actor, now: tomorrow }, state)).toEqual([]);
    expect(
      suspendMember({ by, spaceId, student: actor, reason: 'Spam', until: later, now: tomorrow }, state),
    ).toEqual([until(later)]);
    const left: MembershipEvent = { type: 'SpaceLeft', data };
    expect(membershipStatus(fold(membershipDecider, [joined, until(tomorrow), left]), later)).toBe(false);
  });
});
