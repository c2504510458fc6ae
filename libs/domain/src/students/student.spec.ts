import { describe, expect, it } from '@jest/globals';
import { OPERATOR, type Authority } from '../authority.js';
import type { Rank, Role, RoleGranted, RoleRevoked, StudentEvent, StudentSignedUp } from '../events.js';
import { MAX_REASON_LENGTH } from '../limits.js';
import { newActor, newId, newMaintainer, newModerator } from '../testing/builders.js';
import {
  requestErasure,
  eraseRestored,
  eraseStudent,
  withdrawErasure,
  type RequestErasure,
} from './erasure.decide.js';
import { given } from '../testing/given-when-then.js';
import {
  changeProfile,
  confirmEmail,
  importStudent,
  registerByEmail,
  registerProfile,
  signUp,
  signUpWithConfirmedEmail,
  verifyPhone,
  type ImportStudent,
} from './student-account.decide.js';
import {
  blockStudent,
  grantRole,
  revokeRole,
  resetSecondFactor,
  unblockStudent,
} from './student-standing.decide.js';
import { studentDecider } from './student.state.js';

const studentId = newId();
const data = { studentId };
const profile = {
  userName: 'marie_1',
  firstName: 'Marie',
  lastName: 'C',
  profileDesc: '',
  realProfilePicUrl: null,
};
const signedUp = (contact: Partial<StudentSignedUp['data']> = {}): StudentSignedUp => ({
  type: 'StudentSignedUp',
  data: { studentId, phone: '919876543210', email: null, registrationType: 'SELF', ...contact },
});
const byEmail = signedUp({ phone: null, email: 'marie@example.org' });
const verified: StudentEvent = { type: 'StudentPhoneVerified', data };
const registered: StudentEvent = { type: 'StudentRegistered', data: { studentId, ...profile } };
const blocked: StudentEvent = {
  type: 'StudentBlocked',
  data: { studentId, reason: 'Spam', rank: 'OPERATOR' },
};
const erased: StudentEvent = { type: 'StudentErased', data: { ...data, withWords: false } };
const member = [signedUp(), verified, registered] as const;
const granted = (role: Role, spaceId: string | null): RoleGranted => ({
  type: 'RoleGranted',
  data: { studentId, role, spaceId },
});
const revoked = (role: Role, spaceId: string | null): RoleRevoked => ({
  type: 'RoleRevoked',
  data: { studentId, role, spaceId },
});

describe('signUp', () => {
  it('accepts ten digits and adds the prefix', () =>
    given(studentDecider)
      .when((s) => signUp({ studentId, phone: '9876543210' }, s))
      .then(signedUp()));
  it('accepts a number with the prefix', () =>
    given(studentDecider)
      .when((s) => signUp({ studentId, phone: '919876543210' }, s))
      .then(signedUp()));
  it.each([
    ['', 'PHONE_REQUIRED'],
    ['98765', 'PHONE_INVALID'],
    ['98765abcde', 'PHONE_INVALID'],
    ['98765432109', 'PHONE_INVALID'],
    ['449876543210', 'PHONE_INVALID'],
    ['٩٨٧٦٥٤٣٢١٠', 'PHONE_INVALID'],
  ] as const)('refuses %j', (phone, code) =>
    given(studentDecider)
      .when((s) => signUp({ studentId, phone }, s))
      .thenRefused(code),
  );
  it('accepts an email', () =>
    given(studentDecider)
      .when((s) => signUp({ studentId, email: ' marie@example.org ' }, s))
      .then(byEmail));
  it.each([
    '',
    'marie',
    'marie@',
    '@example.org',
    'a@b',
    'a b@c.de',
    'a@b..de',
    'a\u0000@b.de',
    `${'a'.repeat(250)}@b.de`,
  ])('refuses %j', (email) =>
    given(studentDecider)
      .when((s) => signUp({ studentId, email }, s))
      .thenRefused('EMAIL_INVALID'),
  );
  it('continues an incomplete sign-up', () =>
    given(studentDecider, signedUp(), verified)
      .when((s) => signUp({ studentId, phone: '9876543210' }, s))
      .thenNothingHappens());
  it('refuses a registered student', () => {
    given(studentDecider, ...member)
      .when((s) => signUp({ studentId, phone: '9876543210' }, s))
      .thenRefused('USER_EXISTS');
    given(studentDecider, ...member)
      .when((s) => signUp({ studentId, email: 'a@b.de' }, s))
      .thenRefused('EMAIL_TAKEN');
  });
});

describe('verification', () => {
  it('verifies the phone', () =>
    given(studentDecider, signedUp()).when(verifyPhone).then({ type: 'StudentPhoneVerified', data }));
  it('verifies the phone once', () =>
    given(studentDecider, signedUp(), verified).when(verifyPhone).thenNothingHappens());
  it('confirms the email', () =>
    given(studentDecider, byEmail).when(confirmEmail).then({ type: 'StudentEmailConfirmed', data }));
  it('confirms the email once', () =>
    given(studentDecider, byEmail, { type: 'StudentEmailConfirmed', data })
      .when(confirmEmail)
      .thenNothingHappens());
  it('requires the contact it verifies', () => {
    given(studentDecider, byEmail).when(verifyPhone).thenRefused('PHONE_REQUIRED');
    given(studentDecider, signedUp()).when(confirmEmail).thenRefused('EMAIL_INVALID');
    given(studentDecider).when(verifyPhone).thenRefused('STUDENT_NOT_FOUND');
  });
});

describe('registerProfile', () => {
  const registering = (...history: StudentEvent[]) =>
    given(studentDecider, ...history).when((s) => registerProfile(profile, s));
  const as = (changes: Partial<typeof profile>) =>
    given(studentDecider, signedUp(), verified).when((s) => registerProfile({ ...profile, ...changes }, s));

  it('registers after the phone is verified', () => registering(signedUp(), verified).then(registered));
  it('registers after the email is confirmed', () =>
    registering(byEmail, { type: 'StudentEmailConfirmed', data }).then(registered));
  it('requires a verified contact', () => registering(signedUp()).thenRefused('CONTACT_NOT_VERIFIED'));
  it('registers once', () => registering(...member).thenRefused('USER_EXISTS'));
  it('refuses an erased student', () => registering(...member, erased).thenRefused('STUDENT_NOT_FOUND'));
  it.each(['a b', 'é', 'a-b', 'a.b', 'a@b', '12345', 'аdmin', ' marie'])(
    'refuses the user name %j',
    (userName) => as({ userName }).thenRefused('USERNAME_INVALID'),
  );
  it('requires a user name', () => as({ userName: '' }).thenRefused('USERNAME_REQUIRED'));
  it('limits the fields', () => {
    as({ userName: 'a'.repeat(51) }).thenRefused('USERNAME_TOO_LONG');
    as({ firstName: 'a'.repeat(101) }).thenRefused('NAME_TOO_LONG');
    as({ lastName: 'a'.repeat(101) }).thenRefused('NAME_TOO_LONG');
    as({ profileDesc: 'a'.repeat(2_001) }).thenRefused('ABOUT_TOO_LONG');
  });
});

describe('registerByEmail', () => {
  const email = 'marie@example.org';
  const confirmed: StudentEvent = { type: 'StudentEmailConfirmed', data };
  const command = { studentId, email, profile };

  it('signs up, confirms and registers in one step', () =>
    given(studentDecider)
      .when((s) => registerByEmail(command, s))
      .then(byEmail, confirmed, registered));
  it('continues if the email is already confirmed', () =>
    given(studentDecider, byEmail, confirmed)
      .when((s) => registerByEmail(command, s))
      .then(registered));
  it('registers once', () =>
    given(studentDecider, byEmail, confirmed, registered)
      .when((s) => registerByEmail(command, s))
      .thenRefused('EMAIL_TAKEN'));
  it('requires a valid user name', () =>
    given(studentDecider)
      .when((s) => registerByEmail({ ...command, profile: { ...profile, userName: '42' } }, s))
      .thenRefused('USERNAME_INVALID'));
  it('refuses an erased student', () =>
    given(studentDecider, byEmail, confirmed, registered, erased)
      .when((s) => registerByEmail(command, s))
      .thenRefused('EMAIL_TAKEN'));
  it('can leave the profile for later if a provider confirmed the email', () => {
    given(studentDecider)
      .when((s) => signUpWithConfirmedEmail({ studentId, email }, s))
      .then(byEmail, confirmed);
    given(studentDecider, byEmail, confirmed)
      .when((s) => signUpWithConfirmedEmail({ studentId, email }, s))
      .thenNothingHappens();
  });
});

describe('changeProfile', () => {
  it('records the whole profile', () =>
    given(studentDecider, ...member)
      .when((s) => changeProfile({ userName: 'marie_2' }, s))
      .then({ type: 'StudentProfileChanged', data: { studentId, ...profile, userName: 'marie_2' } }));
  it('drops control characters from the bio', () =>
    given(studentDecider, ...member)
      .when((s) => changeProfile({ profileDesc: `\u202e${profile.profileDesc}\u0007` }, s))
      .thenNothingHappens());
  it('records nothing if nothing changes', () =>
    given(studentDecider, ...member)
      .when((s) => changeProfile(profile, s))
      .thenNothingHappens());
  it('requires a valid user name', () =>
    given(studentDecider, ...member)
      .when((s) => changeProfile({ userName: '42' }, s))
      .thenRefused('USERNAME_INVALID'));
  it('requires a registered student who is not blocked', () => {
    given(studentDecider, signedUp(), verified)
      .when((s) => changeProfile({}, s))
      .thenRefused('NOT_REGISTERED');
    given(studentDecider, ...member, blocked)
      .when((s) => changeProfile({}, s))
      .thenRefused('STUDENT_BLOCKED');
    given(studentDecider, ...member, erased)
      .when((s) => changeProfile({}, s))
      .thenRefused('STUDENT_NOT_FOUND');
  });
});

describe('importStudent', () => {
  const imported: ImportStudent = {
    ...profile,
    studentId,
    source: 'stackexchange',
    sourceId: '7',
    standIn: true,
  };

  it('creates a registered student without a phone', () => {
    given(studentDecider)
      .when((s) => importStudent(imported, s))
      .then({ type: 'StudentImported', data: imported });
    expect(given(studentDecider, { type: 'StudentImported', data: imported }).state()).toMatchObject({
      registered: true,
      phone: null,
      standIn: true,
    });
  });
  it('imports once', () =>
    given(studentDecider, { type: 'StudentImported', data: imported })
      .when((s) => importStudent(imported, s))
      .thenNothingHappens());
  it('requires a valid user name', () =>
    given(studentDecider)
      .when((s) => importStudent({ ...imported, userName: 'a b' }, s))
      .thenRefused('USERNAME_INVALID'));
});

describe('blockStudent and unblockStudent', () => {
  const blockedWith = (rank: Rank): StudentEvent => ({
    type: 'StudentBlocked',
    data: { studentId, reason: 'Spam', rank },
  });
  const blocking = (by: Authority, ...more: StudentEvent[]) =>
    given(studentDecider, ...member, ...more).when((s) => blockStudent({ by, reason: 'Spam' }, s));
  const unblocking = (by: Authority, ...more: StudentEvent[]) =>
    given(studentDecider, ...member, ...more).when((s) => unblockStudent({ by }, s));

  it('requires a maintainer or a moderator of all spaces', () => {
    blocking(newModerator()).then(blockedWith('MODERATOR_OF_ALL'));
    blocking(newMaintainer()).then(blockedWith('MAINTAINER'));
    blocking(OPERATOR).then(blockedWith('OPERATOR'));
    blocking(newModerator(newId())).thenRefused('FORBIDDEN');
    blocking(newActor()).thenRefused('FORBIDDEN');
    unblocking(newModerator(newId()), blocked).thenRefused('FORBIDDEN');
  });
  it('refuses blocked moderators', () =>
    blocking({ ...newModerator(), blocked: true }).thenRefused('STUDENT_BLOCKED'));
  it('refuses equals and higher ranks', () => {
    const ofAll: StudentEvent = granted('MODERATOR', null);
    blocking(newModerator(), granted('MODERATOR', newId())).then(blockedWith('MODERATOR_OF_ALL'));
    blocking(newModerator(), ofAll).thenRefused('NOT_ABOVE_IN_RANK');
    blocking(newMaintainer(), ofAll).then(blockedWith('MAINTAINER'));
    for (const by of [newModerator(), newMaintainer()]) {
      blocking(by, granted('MAINTAINER', null)).thenRefused('NOT_ABOVE_IN_RANK');
      unblocking(by, granted('MAINTAINER', null), blockedWith('OPERATOR')).thenRefused('NOT_ABOVE_IN_RANK');
    }
    blocking(OPERATOR, granted('MAINTAINER', null)).then(blockedWith('OPERATOR'));
  });
  it('cannot be lifted by a lower rank', () => {
    unblocking(newModerator(), blockedWith('MAINTAINER')).thenRefused('BLOCKED_BY_HIGHER_RANK');
    unblocking(newMaintainer(), blockedWith('OPERATOR')).thenRefused('BLOCKED_BY_HIGHER_RANK');
    unblocking(newModerator(), blockedWith('MODERATOR_OF_ALL')).then({ type: 'StudentUnblocked', data });
    unblocking(newMaintainer(), blockedWith('MODERATOR_OF_ALL')).then({ type: 'StudentUnblocked', data });
  });
  it('refuses the account of the actor', () =>
    blocking({ ...newMaintainer(), studentId }).thenRefused('OWN_ACCOUNT_BLOCK'));
  it('requires a reason', () =>
    given(studentDecider, ...member)
      .when((s) => blockStudent({ by: OPERATOR, reason: '' }, s))
      .thenRefused('DELETE_REASON_REQUIRED'));
  it('blocks once', () => blocking(OPERATOR, blocked).thenNothingHappens());
  it('replaces a block by a lower rank', () => {
    blocking(newMaintainer(), blockedWith('MODERATOR_OF_ALL')).then(blockedWith('MAINTAINER'));
    blocking(newMaintainer(), blockedWith('MAINTAINER')).thenNothingHappens();
    blocking(newModerator(), blockedWith('MAINTAINER')).thenNothingHappens();
    const both = [blockedWith('MODERATOR_OF_ALL'), blockedWith('MAINTAINER')];
    unblocking(newModerator(), ...both).thenRefused('BLOCKED_BY_HIGHER_RANK');
  });
  it('is lifted once', () => {
    const unblock = (s: Parameters<typeof unblockStudent>[1]) => unblockStudent({ by: OPERATOR }, s);
    given(studentDecider, ...member, blocked)
      .when(unblock)
      .then({ type: 'StudentUnblocked', data });
    given(studentDecider, ...member)
      .when(unblock)
      .thenNothingHappens();
  });
  it('is lifted with an optional reason', () => {
    const unblockingFor = (reason: string | null) =>
      given(studentDecider, ...member, blocked).when((s) => unblockStudent({ by: OPERATOR, reason }, s));
    unblockingFor(' A mistake ').then({ type: 'StudentUnblocked', data: { ...data, reason: 'A mistake' } });
    unblockingFor(' ').then({ type: 'StudentUnblocked', data });
    unblockingFor(null).then({ type: 'StudentUnblocked', data });
    unblockingFor('x'.repeat(MAX_REASON_LENGTH + 1)).thenRefused('REASON_TOO_LONG');
  });
});

describe('resetSecondFactor', () => {
  const resetting = (by: Authority, reason = ' Lost phone ', isSetUp = true) =>
    given(studentDecider, ...member).when((s) => resetSecondFactor({ by, reason, isSetUp }, s));
  const reset: StudentEvent = { type: 'SecondFactorReset', data: { studentId, reason: 'Lost phone' } };

  it('requires another maintainer or the command line', () => {
    for (const by of [newMaintainer(), OPERATOR]) resetting(by).then(reset);
    for (const by of [newActor(), newModerator()]) resetting(by).thenRefused('FORBIDDEN');
    resetting({ ...newMaintainer(), studentId }).thenRefused('OWN_SECOND_FACTOR');
  });
  it('requires a reason and a second factor', () => {
    resetting(OPERATOR, ' ').thenRefused('DELETE_REASON_REQUIRED');
    resetting(OPERATOR, 'Lost phone', false).thenRefused('SECOND_FACTOR_NOT_SET_UP');
  });
});

describe('erasure', () => {
  const [now, dueAt] = ['2026-01-08T00:00:00.000Z', '2026-01-08T00:00:00.000Z'];
  const asked = (reason: string | null = null): StudentEvent => ({
    type: 'ErasureAsked',
    data: { studentId, withWords: true, reason, dueAt },
  });
  const withdrawn: StudentEvent = { type: 'ErasureWithdrawn', data };
  const asking = (by: Authority, more: readonly StudentEvent[] = [], changes: Partial<RequestErasure> = {}) =>
    given(studentDecider, ...member, ...more).when((s) =>
      requestErasure({ by, withWords: true, reason: 'Left', dueAt, isLastMaintainer: false, ...changes }, s),
    );
  const withdrawing = (by: Authority, at: string, ...more: StudentEvent[]) =>
    given(studentDecider, ...member, ...more).when((s) => withdrawErasure({ by, now: at }, s));
  const erasing = (at: string, ...more: StudentEvent[]) =>
    given(studentDecider, ...member, ...more).when((s) =>
      eraseStudent({ now: at, isLastMaintainer: false }, s),
    );
  const before = '2026-01-07T23:59:59.999Z';
  const self = newActor({ studentId });

  it('can be requested by the student without a reason, even while blocked', () => {
    asking(self, [], { reason: null }).then(asked());
    asking(newActor({ studentId, blocked: true }), [blocked]).then(asked());
  });
  it('can be requested by maintainers and the command line with a reason', () => {
    asking(newMaintainer()).then(asked('Left'));
    asking(OPERATOR).then(asked('Left'));
    asking(OPERATOR, [], { reason: ' ' }).thenRefused('DELETE_REASON_REQUIRED');
  });
  it('cannot be requested by others', () => {
    asking(newActor()).thenRefused('FORBIDDEN');
    asking(newModerator()).thenRefused('FORBIDDEN');
    withdrawing(newModerator(), before, asked()).thenRefused('FORBIDDEN');
  });
  it('is requested once for an existing student who is not the last maintainer', () => {
    asking(self, [asked()]).thenRefused('ERASURE_ASKED');
    asking(self, [asked(), withdrawn]).then(asked());
    asking(OPERATOR, [erased]).thenRefused('STUDENT_ERASED');
    asking(self, [], { isLastMaintainer: true }).thenRefused('LAST_MAINTAINER');
    given(studentDecider)
      .when((s) =>
        requestErasure({ by: OPERATOR, withWords: true, reason: 'Left', dueAt, isLastMaintainer: false }, s),
      )
      .thenRefused('STUDENT_NOT_FOUND');
  });
  it('can be withdrawn until it is due', () => {
    withdrawing(self, before, asked()).then(withdrawn);
    withdrawing(newMaintainer(), before, asked()).then(withdrawn);
    withdrawing(self, now, asked()).thenRefused('ERASURE_DUE');
    withdrawing(self, before).thenRefused('ERASURE_NOT_ASKED');
    withdrawing(self, before, erased).thenRefused('STUDENT_ERASED');
  });
  it('happens once, when it is due', () => {
    erasing(now, asked()).then({ type: 'StudentErased', data: { studentId, withWords: true } });
    erasing(before, asked()).thenNothingHappens();
    erasing(now, asked(), withdrawn).thenNothingHappens();
    erasing(now, asked(), erased).thenNothingHappens();
    erasing(now).thenNothingHappens();
    given(studentDecider, ...member, asked())
      .when((s) => eraseStudent({ now, isLastMaintainer: true }, s))
      .thenNothingHappens();
  });
  it('is repeated for students restored from a backup', () => {
    const again = (...more: StudentEvent[]) =>
      given(studentDecider, ...member, ...more).when((s) => eraseRestored({ withWords: false }, s));
    again().then(erased);
    again(erased).thenNothingHappens();
    given(studentDecider)
      .when((s) => eraseRestored({ withWords: true }, s))
      .thenNothingHappens();
  });
  it('leaves no personal data or roles in the state', () =>
    expect(given(studentDecider, ...member, granted('MODERATOR', null), erased).state()).toMatchObject({
      phone: null,
      profile: null,
      roles: [],
      registered: false,
      erasure: null,
    }));
});

describe('roles', () => {
  const spaceId = newId();
  const granting = (
    role: Role,
    roleSpaceId: string | null,
    by: Authority = newMaintainer(),
    ...more: StudentEvent[]
  ) =>
    given(studentDecider, ...member, ...more).when((s) => grantRole({ by, role, spaceId: roleSpaceId }, s));

  it('are granted for one space or all spaces', () => {
    granting('MODERATOR', spaceId).then(granted('MODERATOR', spaceId));
    granting('MODERATOR', null).then(granted('MODERATOR', null));
  });
  it('cover all spaces for maintainers', () =>
    granting('MAINTAINER', spaceId).then(granted('MAINTAINER', null)));
  it('are granted by a maintainer or the command line', () => {
    granting('MAINTAINER', null, OPERATOR).then(granted('MAINTAINER', null));
    granting('MODERATOR', null, newModerator()).thenRefused('FORBIDDEN');
    granting('MAINTAINER', null, newActor({ studentId })).thenRefused('FORBIDDEN');
  });
  it('are granted once', () =>
    granting('MODERATOR', spaceId, OPERATOR, granted('MODERATOR', spaceId)).thenNothingHappens());
  it('require a registered student', () =>
    given(studentDecider, signedUp())
      .when((s) => grantRole({ by: OPERATOR, role: 'MODERATOR', spaceId }, s))
      .thenRefused('NOT_REGISTERED'));
  it('are revoked individually and once', () => {
    const revoke = (...history: StudentEvent[]) =>
      given(studentDecider, ...member, ...history).when((s) =>
        revokeRole({ by: OPERATOR, role: 'MODERATOR', spaceId }, s),
      );
    revoke(granted('MODERATOR', spaceId), granted('MODERATOR', null)).then(revoked('MODERATOR', spaceId));
    revoke(granted('MODERATOR', null)).thenNothingHappens();
  });
  it('are revoked from maintainers by another maintainer or the command line', () => {
    const self = newActor({ studentId, roles: [{ role: 'MAINTAINER', spaceId: null }] });
    const revoke = (by: Authority) =>
      given(studentDecider, ...member, granted('MAINTAINER', null)).when((s) =>
        revokeRole({ by, role: 'MAINTAINER', spaceId: null }, s),
      );
    revoke(self).thenRefused('OWN_MAINTAINER_ROLE');
    revoke(newMaintainer()).then(revoked('MAINTAINER', null));
    revoke(OPERATOR).then(revoked('MAINTAINER', null));
  });
});
