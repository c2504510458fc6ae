import { describe, expect, it } from '@jest/globals';
import type { MembershipEvent } from '../events.js';
import { newActor, newId, newMaintainer, newModerator } from '../testing/builders.js';
import { given } from '../testing/given-when-then.js';
import { answerAsGuardian, askGuardian, bandFor, forgetAge, stateAge } from './consent.decide.js';
import { answerEntryRequest, inviteStudent, requestEntry } from './entry.decide.js';
import { joinSpace } from './membership.decide.js';
import { membershipDecider } from './membership.state.js';

const actor = newActor();
const spaceId = newId();
const { studentId } = actor;
const consentId = newId();
const data = { spaceId, studentId };
const younger: MembershipEvent = { type: 'AgeStated', data: { ...data, age: 16, band: 'BELOW' } };
const older: MembershipEvent = { type: 'AgeStated', data: { ...data, age: 16, band: 'FROM' } };
const forgotten: MembershipEvent = { type: 'AgeForgotten', data };
const asked: MembershipEvent = { type: 'GuardianAsked', data: { ...data, consentId, age: 16 } };
const consented: MembershipEvent = {
  type: 'GuardianConsented',
  data: { ...data, consentId, termsVersion: 'nimo-1' },
};
const refused: MembershipEvent = { type: 'GuardianRefused', data: { ...data, consentId } };
const requested: MembershipEvent = { type: 'EntryRequested', data: { ...data, text: null } };
const joined: MembershipEvent = { type: 'SpaceJoined', data };
const left: MembershipEvent = { type: 'SpaceLeft', data };

describe('bandFor', () => {
  it('applies a stated age to other thresholds', () => {
    expect(bandFor(null, { age: 16, band: 'BELOW' })).toBeNull();
    expect(bandFor(16, null)).toBeNull();
    for (const [consentAge, expected] of [
      [13, null],
      [16, 'BELOW'],
      [18, 'BELOW'],
    ] as const)
      expect(bandFor(consentAge, { age: 16, band: 'BELOW' })).toBe(expected);
    for (const [consentAge, expected] of [
      [13, 'FROM'],
      [16, 'FROM'],
      [18, null],
    ] as const)
      expect(bandFor(consentAge, { age: 16, band: 'FROM' })).toBe(expected);
  });
});

describe('joinSpace with an age of consent', () => {
  const joining = (changes: object, ...events: MembershipEvent[]) =>
    given(membershipDecider, ...events).when((s) =>
      joinSpace({ actor, spaceId, entry: 'OPEN', consentAge: 16, ...changes }, s),
    );

  it('requires an age, and the consent of a guardian below the threshold', () => {
    joining({}).thenRefused('AGE_NEEDED');
    joining({}, older).then(joined);
    joining({}, younger).thenRefused('CONSENT_NEEDED');
    joining({}, younger, asked).thenRefused('CONSENT_NEEDED');
    joining({}, younger, asked, refused).thenRefused('CONSENT_NEEDED');
    joining({}, younger, asked, consented).then(joined);
    joining({}, younger, asked, consented, refused).thenRefused('CONSENT_NEEDED');
    joining({ consentAge: null }).then(joined);
  });
  it('asks again if the stated age does not cover a new threshold', () => {
    joining({ consentAge: 18 }, older).thenRefused('AGE_NEEDED');
    joining({ consentAge: 13 }, younger).thenRefused('AGE_NEEDED');
    joining({ consentAge: 18 }, younger).thenRefused('CONSENT_NEEDED');
  });
  it('applies to invitations', () => {
    const invited: MembershipEvent = { type: 'StudentInvited', data };
    joining({ entry: 'INVITATION', invitationId: newId() }).thenRefused('AGE_NEEDED');
    joining({ entry: 'INVITATION' }, invited).thenRefused('AGE_NEEDED');
    joining({ entry: 'INVITATION' }, invited, younger, asked, consented).then(joined);
  });
  it('does not apply to moderators, members and imports', () => {
    joining({ actor: { ...newModerator(spaceId), studentId } }).then(joined);
    joining({}, joined).thenNothingHappens();
    joining({ isInvited: true }).then(joined);
  });
});

describe('requestEntry with an age of consent', () => {
  it('has the same requirements as joining', () => {
    const requesting = (...events: MembershipEvent[]) =>
      given(membershipDecider, ...events).when((s) =>
        requestEntry({ actor, spaceId, entry: 'REQUEST', consentAge: 16 }, s),
      );
    requesting().thenRefused('AGE_NEEDED');
    requesting(younger, asked).thenRefused('CONSENT_NEEDED');
    requesting(younger, asked, consented).then(requested);
  });
  it('becomes an invitation if the consent was withdrawn', () => {
    const accepted: MembershipEvent = { type: 'EntryRequestAccepted', data };
    const invited: MembershipEvent = { type: 'StudentInvited', data };
    const by = newModerator(spaceId);
    const before = [younger, asked, consented, requested, refused] as const;
    const [answering, inviting] = [
      given(membershipDecider, ...before).when((s) =>
        answerEntryRequest({ by, spaceId, student: actor, consentAge: 16, isAccepted: true }, s),
      ),
      given(membershipDecider, ...before).when((s) =>
        inviteStudent({ by, spaceId, entry: 'REQUEST', consentAge: 16, student: actor }, s),
      ),
    ];
    answering.then(accepted, invited);
    inviting.then(accepted, invited);
  });
});

describe('stateAge', () => {
  const stating = (changes: object, ...events: MembershipEvent[]) =>
    given(membershipDecider, ...events).when((s) =>
      stateAge({ actor, spaceId, consentAge: 16, band: 'BELOW', ...changes }, s),
    );

  it('records the stated age once', () => {
    stating({}).then(younger);
    stating({}, younger).thenNothingHappens();
    stating({ band: 'FROM' }).then(older);
  });
  it('can change to younger, but to older only after a reset by a moderator', () => {
    stating({}, older).then(younger);
    stating({ band: 'FROM' }, younger).thenRefused('AGE_STATED');
    stating({ band: 'FROM' }, younger, forgotten).then(older);
    stating({ band: 'FROM', consentAge: 13 }, younger).then({
      type: 'AgeStated',
      data: { ...data, age: 13, band: 'FROM' },
    });
  });
  it('requires a space that asks and a student who is not blocked', () => {
    stating({ consentAge: null }).thenRefused('AGE_NOT_ASKED');
    stating({ consentAge: undefined }).thenRefused('SPACE_NOT_FOUND');
    stating({ actor: { ...actor, blocked: true } }).thenRefused('STUDENT_BLOCKED');
  });
});

describe('forgetAge', () => {
  const forgetting = (by: ReturnType<typeof newActor>, ...events: MembershipEvent[]) =>
    given(membershipDecider, ...events).when((s) => forgetAge({ by, spaceId, studentId }, s));

  it('requires a moderator, who cannot reset their own age', () => {
    forgetting(newModerator(spaceId), younger).then(forgotten);
    forgetting(newModerator(spaceId)).thenNothingHappens();
    for (const by of [newActor(), newModerator(newId()), newMaintainer()])
      forgetting(by, younger).thenRefused('FORBIDDEN');
    forgetting({ ...newModerator(spaceId), studentId }, younger).thenRefused('FORBIDDEN');
  });
});

describe('askGuardian', () => {
  const asking = (changes: object, ...events: MembershipEvent[]) =>
    given(membershipDecider, ...events).when((s) =>
      askGuardian({ actor, spaceId, consentAge: 16, consentId, ...changes }, s),
    );

  it('can be repeated by younger students until the guardian consents', () => {
    asking({}, younger).then(asked);
    asking({}, younger, asked, refused).then(asked);
    asking({}).thenRefused('CONSENT_NOT_NEEDED');
    asking({}, older).thenRefused('CONSENT_NOT_NEEDED');
    asking({}, younger, asked, consented).thenRefused('CONSENT_NOT_NEEDED');
    asking({ consentAge: null }, younger).thenRefused('AGE_NOT_ASKED');
  });
});

describe('answerAsGuardian', () => {
  const answering = (isGiven: boolean, changes: object, ...events: MembershipEvent[]) =>
    given(membershipDecider, ...events).when((s) =>
      answerAsGuardian(
        { spaceId, studentId, consentId, isThere: true, isGiven, termsVersion: 'nimo-1', ...changes },
        s,
      ),
    );

  it('records changed answers, each once', () => {
    answering(true, {}, younger, asked).then(consented);
    answering(true, {}, younger, asked, consented).thenNothingHappens();
    answering(false, {}, younger, asked).then(refused);
    answering(false, {}, younger, asked, refused).thenNothingHappens();
    answering(true, {}, younger, asked, refused).then(consented);
  });
  it('ends the membership when consent is withdrawn', () =>
    answering(false, {}, younger, asked, consented, joined).then(refused, left));
  it('requires the latest link and an existing student', () => {
    const ended = (changes: object, ...events: MembershipEvent[]) =>
      answering(true, changes, ...events).thenRefused('CONSENT_LINK_ENDED');
    ended({ consentId: newId() }, younger, asked);
    ended({ isThere: false }, younger, asked);
    ended({});
  });
});
