import { DomainError } from '../errors.js';
import type { SignUpAbandoned, StudentEmailChanged, StudentPhoneChanged } from '../events.js';
import { emailKey, requireEmail, requireSignUpPhone } from '../validation/identity.js';
import { requireStudent } from './require-student.js';
import type { Student, StudentState } from './student.state.js';

export type ContactKind = 'phone' | 'email';
export type Contact = { readonly kind: ContactKind; readonly value: string };

/** In the one form that it is stored and compared in. @throws DomainError */
export const requireContact = ({ kind, value }: Contact): Contact => ({
  kind,
  value: kind === 'phone' ? requireSignUpPhone(value) : requireEmail(value),
});

/** Those that were proved, which an account can be asked by. */
export const confirmedContacts = ({
  phone,
  phoneVerified,
  email,
  emailConfirmed,
}: Student): readonly Contact[] => [
  ...(phone !== null && phoneVerified ? [{ kind: 'phone', value: phone } as const] : []),
  ...(email !== null && emailConfirmed ? [{ kind: 'email', value: email } as const] : []),
];

/** Whoever asks has proved both contacts, and reserved the new one; it is confirmed afterwards. */
export const changeContact = (
  given: Contact,
  state: StudentState,
): readonly (StudentPhoneChanged | StudentEmailChanged)[] => {
  const student = requireStudent(state);
  if (student.blocked) throw new DomainError('STUDENT_BLOCKED');
  if (!student.registered) throw new DomainError('NOT_REGISTERED');
  const contact = requireContact(given);
  return isCarried(contact, student) ? [] : [contactChanged(student.studentId, contact.kind, contact.value)];
};

/** As the log says it; null where it was lost to somebody else, and there is none to go back to. */
export const contactChanged = (
  studentId: string,
  kind: ContactKind,
  value: string | null,
): StudentPhoneChanged | StudentEmailChanged =>
  kind === 'phone'
    ? { type: 'StudentPhoneChanged', data: { studentId, phone: value } }
    : { type: 'StudentEmailChanged', data: { studentId, email: value } };

/** Proved already: an address that waits for its link can be confirmed by a code as well. */
export const isCarried = ({ kind, value }: Contact, student: Student): boolean => {
  if (kind === 'phone') return student.phone === value && student.phoneVerified;
  return student.email !== null && student.emailConfirmed && emailKey(student.email) === emailKey(value);
};

/** Only of somebody who has not registered: whoever did meanwhile stays. */
export const abandonSignUp = (state: StudentState): readonly SignUpAbandoned[] =>
  !state || state.registered || state.erased
    ? []
    : [{ type: 'SignUpAbandoned', data: { studentId: state.studentId } }];
