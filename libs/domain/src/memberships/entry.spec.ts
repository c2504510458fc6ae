import { describe, it } from '@jest/globals';
import { OPERATOR, type Authority } from '../authority.js';
import type { MembershipEvent, SpaceEntry } from '../events.js';
import { MAX_ENTRY_TEXT_LENGTH } from '../limits.js';
import { newActor, newId, newMaintainer, newModerator } from '../testing/builders.js';
import { given } from '../testing/given-when-then.js';
import {
  answerEntryRequest,
  inviteStudent,
  removeMember,
  requestEntry,
  revokeStudentInvitation,
  withdrawEntryRequest,
} from './entry.decide.js';
import { joinSpace } from './membership.decide.js';
import { membershipDecider } from './membership.state.js';

const actor = newActor();
const spaceId = newId();
const { studentId } = actor;
const data = { spaceId, studentId };
const requested: MembershipEvent = { type: 'EntryRequested', data: { ...data, text: null } };
const withdrawn: MembershipEvent = { type: 'EntryRequestWithdrawn', data };
const accepted: MembershipEvent = { type: 'EntryRequestAccepted', data };
const refused: MembershipEvent = { type: 'EntryRequestRefused', data: { ...data, reason: null } };
const joined: MembershipEvent = { type: 'SpaceJoined', data };
const left: MembershipEvent = { type: 'SpaceLeft', data };
const removed: MembershipEvent = { type: 'MemberRemoved', data: { ...data, reason: 'Spam' } };
const moderator = newModerator(spaceId);

describe('joinSpace for a restricted space', () => {
  const joining = (entry: SpaceEntry, isInvited: boolean, ...events: MembershipEvent[]) =>
    given(membershipDecider, ...events).when((s) => joinSpace({ actor, spaceId, entry, isInvited }, s));

  it('explains how to join', () => {
    joining('REQUEST', false).thenRefused('SPACE_NEEDS_REQUEST');
    joining('INVITATION', false).thenRefused('SPACE_NEEDS_INVITATION');
  });
  it('lets invited students join', () => {
    for (const entry of ['REQUEST', 'INVITATION'] as const) joining(entry, true).then(joined);
  });
  it('lets only the import join a space that is being imported', () => {
    joining('IMPORTING', true).then(joined);
    joining('IMPORTING', false).thenRefused('SPACE_NOT_FOUND');
    given(membershipDecider)
      .when((s) => joinSpace({ actor, spaceId, entry: 'IMPORTING', invitationId: newId() }, s))
      .thenRefused('SPACE_NOT_FOUND');
  });
  it('requires former members to request again, and does not readmit removed members by invitation', () => {
    joining('REQUEST', false, joined, left).thenRefused('SPACE_NEEDS_REQUEST');
    joining('INVITATION', true, joined, left).then(joined);
    joining('INVITATION', true, joined, removed, left).thenRefused('REMOVED_FROM_SPACE');
    joining('OPEN', false, joined, removed, left).then(joined);
    joining('INVITATION', true, joined, removed, left, requested, accepted, joined, left).then(joined);
  });
});

describe('requestEntry', () => {
  const asking = (changes: object, ...events: MembershipEvent[]) =>
    given(membershipDecider, ...events).when((s) =>
      requestEntry({ actor, spaceId, entry: 'REQUEST', ...changes }, s),
    );

  it('records one request, with or without a text', () => {
    asking({}).then(requested);
    for (const text of ['  ', '\u202e\u0301']) asking({ text }).then(requested);
    asking({ text: ' I am\u202e in 7b\u0007 ' }).then({
      type: 'EntryRequested',
      data: { ...data, text: 'I am in 7b' },
    });
    asking({ text: 'Again' }, requested).thenNothingHappens();
  });
  it('allows a new request after a refusal, a withdrawal or leaving', () => {
    asking({}, requested, refused).then(requested);
    asking({}, requested, withdrawn).then(requested);
    asking({}, requested, accepted, joined, left).then(requested);
  });
  it('records nothing for a member', () => asking({}, joined).thenNothingHappens());
  it('requires a space with requests or a removed member', () => {
    asking({ entry: 'OPEN' }).thenRefused('SPACE_IS_OPEN');
    asking({ entry: 'INVITATION' }).thenRefused('SPACE_NEEDS_INVITATION');
    asking({ entry: 'INVITATION' }, joined, removed, left).then(requested);
    asking({ entry: undefined }).thenRefused('SPACE_NOT_FOUND');
    asking({ entry: 'IMPORTING' }, joined, removed, left).thenRefused('SPACE_NOT_FOUND');
  });
  it('limits the text and requires a registered student who is not blocked', () => {
    asking({ text: 'a'.repeat(MAX_ENTRY_TEXT_LENGTH + 1) }).thenRefused('ENTRY_TEXT_TOO_LONG');
    asking({ actor: { ...actor, blocked: true } }).thenRefused('STUDENT_BLOCKED');
    asking({ actor: { ...actor, registered: false } }).thenRefused('NOT_REGISTERED');
  });
  it('can be withdrawn once', () => {
    const withdrawing = (...events: MembershipEvent[]) =>
      given(membershipDecider, ...events).when((s) => withdrawEntryRequest({ actor, spaceId }, s));
    withdrawing(requested).then(withdrawn);
    withdrawing(requested, withdrawn).thenNothingHappens();
    withdrawing(requested, accepted, joined).thenNothingHappens();
  });
});

describe('answerEntryRequest', () => {
  const answering = (changes: object, ...events: MembershipEvent[]) =>
    given(membershipDecider, ...events).when((s) =>
      answerEntryRequest({ by: moderator, spaceId, student: actor, isAccepted: true, ...changes }, s),
    );

  it('accepts the request and adds the student', () => answering({}, requested).then(accepted, joined));
  it('refuses the request, with or without a reason', () => {
    answering({ isAccepted: false }, requested).then(refused);
    answering({ isAccepted: false, reason: 'For 7b' }, requested).then({
      type: 'EntryRequestRefused',
      data: { ...data, reason: 'For 7b' },
    });
  });
  it('answers an open request once', () => {
    for (const events of [
      [],
      [requested, withdrawn],
      [requested, refused],
      [requested, accepted, joined],
      [requested, accepted, joined, left],
    ]) {
      answering({}, ...events).thenRefused('ENTRY_NOT_REQUESTED');
      answering({ isAccepted: false }, ...events).thenRefused('ENTRY_NOT_REQUESTED');
    }
  });
  it('requires a moderator of the space, who cannot answer their own request', () => {
    for (const by of [newActor(), newModerator(newId()), newMaintainer()])
      answering({ by }, requested).thenRefused('FORBIDDEN');
    answering({ by: newModerator() }, requested).then(accepted, joined);
    answering({ by: { ...moderator, blocked: true } }, requested).thenRefused('STUDENT_BLOCKED');
    answering({ by: { ...moderator, studentId } }, requested).thenRefused('FORBIDDEN');
  });
  it('refuses to accept a blocked student', () => {
    answering({ student: { ...actor, blocked: true } }, requested).thenRefused('STUDENT_NOT_FOUND');
    answering({ student: { ...actor, blocked: true }, isAccepted: false }, requested).then(refused);
  });
});

describe('inviteStudent', () => {
  const invited: MembershipEvent = { type: 'StudentInvited', data };
  const revoked: MembershipEvent = { type: 'StudentInvitationRevoked', data };
  const inviting = (changes: object, ...events: MembershipEvent[]) =>
    given(membershipDecider, ...events).when((s) =>
      inviteStudent({ by: moderator, spaceId, entry: 'INVITATION', student: actor, ...changes }, s),
    );
  const joining = (...events: MembershipEvent[]) =>
    given(membershipDecider, ...events).when((s) => joinSpace({ actor, spaceId, entry: 'INVITATION' }, s));

  it('lets the student join once, even after a removal', () => {
    inviting({}).then(invited);
    inviting({}, invited).thenNothingHappens();
    inviting({}, joined).thenNothingHappens();
    joining(invited).then(joined);
    joining(invited, joined, left).thenRefused('SPACE_NEEDS_INVITATION');
    joining(joined, removed, left, invited).then(joined);
  });
  it('accepts an open request if a moderator invites', () => {
    inviting({}, requested).then(accepted, joined);
    inviting({ by: newMaintainer() }, requested).then(invited);
  });
  it('can be revoked', () => {
    const revoking = (by: Authority, ...events: MembershipEvent[]) =>
      given(membershipDecider, ...events).when((s) => revokeStudentInvitation({ by, spaceId, studentId }, s));
    revoking(moderator, invited).then(revoked);
    revoking(moderator, invited, joined).thenNothingHappens();
    revoking(newModerator(newId()), invited).thenRefused('FORBIDDEN');
    joining(invited, revoked).thenRefused('SPACE_NEEDS_INVITATION');
  });
  it('requires staff, a restricted space and an active student', () => {
    for (const by of [OPERATOR, newMaintainer(), newModerator()]) inviting({ by }).then(invited);
    for (const by of [newActor(), newModerator(newId())]) inviting({ by }).thenRefused('FORBIDDEN');
    inviting({ entry: 'OPEN' }).thenRefused('SPACE_IS_OPEN');
    for (const entry of [undefined, 'IMPORTING']) inviting({ entry }).thenRefused('SPACE_NOT_FOUND');
    inviting({ student: { ...actor, blocked: true } }).thenRefused('STUDENT_NOT_FOUND');
  });
});

describe('removeMember', () => {
  const removing = (changes: { by?: Authority; [key: string]: unknown }, ...events: MembershipEvent[]) =>
    given(membershipDecider, ...events).when((s) =>
      removeMember(
        { by: moderator, spaceId, entry: 'REQUEST', student: actor, reason: 'Spam', ...changes },
        s,
      ),
    );

  it('removes a member from a restricted space', () => {
    removing({}, joined).then(removed, left);
    removing({ by: OPERATOR, entry: 'INVITATION' }, joined).then(removed, left);
    removing({ entry: 'OPEN' }, joined).thenRefused('SPACE_OPEN_TO_ALL');
    removing({ entry: undefined }, joined).thenRefused('SPACE_NOT_FOUND');
  });
  it('requires a member and a reason', () => {
    removing({}).thenRefused('STUDENT_NOT_FOUND');
    removing({}, joined, removed, left).thenRefused('STUDENT_NOT_FOUND');
    removing({ reason: ' ' }, joined).thenRefused('DELETE_REASON_REQUIRED');
  });
  it('requires a moderator of the space, and refuses to remove moderators', () => {
    for (const by of [newActor(), newModerator(newId()), newMaintainer()])
      removing({ by }, joined).thenRefused('FORBIDDEN');
    removing({ by: { ...moderator, studentId } }, joined).thenRefused('FORBIDDEN');
    removing({ student: { studentId, roles: newModerator(spaceId).roles } }, joined).thenRefused(
      'NOT_ABOVE_IN_RANK',
    );
  });
});

describe('joinSpace by a shared invitation', () => {
  const invitationId = newId();
  const used: MembershipEvent = { type: 'InvitationUsed', data: { ...data, invitationId } };
  const using = (entry: SpaceEntry | undefined, ...events: MembershipEvent[]) =>
    given(membershipDecider, ...events).when((s) => joinSpace({ actor, spaceId, entry, invitationId }, s));

  it('records the invitation and adds the student once', () => {
    for (const entry of ['OPEN', 'REQUEST', 'INVITATION'] as const) using(entry).then(used, joined);
    using('INVITATION', used, joined).thenNothingHappens();
    using('INVITATION', used, joined, left).then(used, joined);
    using(undefined).thenRefused('SPACE_NOT_FOUND');
  });
  it('does not readmit removed members', () =>
    using('INVITATION', used, joined, removed, left).thenRefused('REMOVED_FROM_SPACE'));
});
