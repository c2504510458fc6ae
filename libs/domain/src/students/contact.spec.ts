import { describe, expect, it } from '@jest/globals';
import type { StudentEvent } from '../events.js';
import { newId } from '../testing/builders.js';
import { given } from '../testing/given-when-then.js';
import { abandonSignUp, changeContact, confirmedContacts } from './contact.decide.js';
import { studentDecider } from './student.state.js';

const studentId = newId();
const [former, phone, email] = ['919876543210', '919876543211', 'marie@example.org'];
const profile = { firstName: '', lastName: '', profileDesc: '', realProfilePicUrl: null };
const signedUp: StudentEvent = {
  type: 'StudentSignedUp',
  data: { studentId, phone: former, email: null, registrationType: 'SELF' },
};
const verified: StudentEvent = { type: 'StudentPhoneVerified', data: { studentId } };
const registered: StudentEvent = {
  type: 'StudentRegistered',
  data: { studentId, userName: 'marie', ...profile },
};
const blocked: StudentEvent = {
  type: 'StudentBlocked',
  data: { studentId, reason: 'Spam', rank: 'OPERATOR' },
};
const phoneChanged = (to: string | null): StudentEvent => ({
  type: 'StudentPhoneChanged',
  data: { studentId, phone: to },
});
const emailChanged = (to: string | null): StudentEvent => ({
  type: 'StudentEmailChanged',
  data: { studentId, email: to },
});
const abandoned: StudentEvent = { type: 'SignUpAbandoned', data: { studentId } };
const member = [signedUp, verified, registered] as const;

describe('changeContact', () => {
  const changing = (kind: 'phone' | 'email', value: string, ...more: StudentEvent[]) =>
    given(studentDecider, ...member, ...more).when((s) => changeContact({ kind, value }, s));

  it('normalises the new phone', () => {
    changing('phone', phone.slice(2)).then(phoneChanged(phone));
    expect(given(studentDecider, ...member, phoneChanged(phone)).state()).toMatchObject({
      phone,
      phoneVerified: true,
    });
  });
  it('adds and changes an email', () => {
    changing('email', ' Marie@Example.org ').then(emailChanged('Marie@example.org'));
    changing('email', 'm@example.org', emailChanged(email)).then(emailChanged('m@example.org'));
  });
  it('records nothing for the current contact', () => {
    changing('phone', former).thenNothingHappens();
    changing('email', email.toUpperCase(), emailChanged(email)).thenNothingHappens();
  });
  it('refuses an invalid phone or email', () => {
    changing('phone', '12').thenRefused('PHONE_INVALID');
    changing('email', 'nobody').thenRefused('EMAIL_INVALID');
  });
  it('requires a registered student who is not blocked', () => {
    changing('phone', phone, blocked).thenRefused('STUDENT_BLOCKED');
    given(studentDecider, signedUp)
      .when((s) => changeContact({ kind: 'phone', value: phone }, s))
      .thenRefused('NOT_REGISTERED');
    given(studentDecider)
      .when((s) => changeContact({ kind: 'phone', value: phone }, s))
      .thenRefused('STUDENT_NOT_FOUND');
  });
  it('leaves no phone if it was lost and there is no previous one', () =>
    expect(given(studentDecider, ...member, phoneChanged(null)).state()).toMatchObject({
      phone: null,
      phoneVerified: false,
    }));
});

describe('confirmedContacts', () => {
  it('returns verified contacts only', () => {
    const contactsAfter = (...events: StudentEvent[]) => {
      const state = given(studentDecider, ...events).state();
      return state && confirmedContacts(state);
    };
    expect(contactsAfter(signedUp)).toEqual([]);
    expect(contactsAfter(...member)).toEqual([{ kind: 'phone', value: former }]);
    expect(contactsAfter(...member, emailChanged(email))).toEqual([
      { kind: 'phone', value: former },
      { kind: 'email', value: email },
    ]);
  });
});

describe('abandonSignUp', () => {
  const abandoning = (...events: StudentEvent[]) =>
    given(studentDecider, ...events).when((s) => abandonSignUp(s));

  it('abandons an unfinished sign-up once', () => {
    abandoning(signedUp).then(abandoned);
    abandoning(signedUp, verified).then(abandoned);
    abandoning(signedUp, abandoned).thenNothingHappens();
    expect(given(studentDecider, signedUp, abandoned).state()).toMatchObject({ erased: true, phone: null });
  });
  it('ignores registered students', () => {
    abandoning(...member).thenNothingHappens();
    abandoning().thenNothingHappens();
  });
});
