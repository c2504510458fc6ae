import { DomainError } from '../errors.js';
import type { SignUpAbandoned, StudentEmailChanged, StudentPhoneChanged } from '../events.js';
import { emailKey, requireEmail, requireSignUpPhone } from '../validation/identity.js';
import { requireStudent } from './require-student.js';
import type { Student, StudentState } from './student.state.js';

export type ContactKind = 'phone' | 'email';
export type Contact = { readonly kind: ContactKind; readonly value: string };

/** Normalises a contact. @throws DomainError */
export const requireContact = ({ kind, value }: Contact): Contact => ({
  kind,
  value: kind === 'phone' ? requireSignUpPhone(value) : requireEmail(value),
});

/** Verified contacts of an account. */
export const confirmedContacts = ({
  phone,
  phoneVerified,
  email,
  emailConfirmed,
}: Student): readonly Contact[] => [
  ...(phone !== null && phoneVerified ? [{ kind: 'phone', value: phone } as const] : []),
  ...(email !== null && emailConfirmed ? [{ kind: 'email', value: email } as const] : []),
];

/** Requires that both contacts were verified and the new one is reserved. The claim is confirmed afterwards. */
export const changeContact = (
  newContact: Contact,
  state: StudentState,
): readonly (StudentPhoneChanged | StudentEmailChanged)[] => {
  const student = requireStudent(state);
  if (student.blocked) throw new DomainError('STUDENT_BLOCKED');
  if (!student.registered) throw new DomainError('NOT_REGISTERED');
  const contact = requireContact(newContact);
  return hasVerifiedContact(contact, student)
    ? []
    : [contactChanged(student.studentId, contact.kind, contact.value)];
};

/** @param value null if the contact was lost to someone else and there is no previous one */
export const contactChanged = (
  studentId: string,
  kind: ContactKind,
  value: string | null,
): StudentPhoneChanged | StudentEmailChanged =>
  kind === 'phone'
    ? { type: 'StudentPhoneChanged', data: { studentId, phone: value } }
    : { type: 'StudentEmailChanged', data: { studentId, email: value } };

/** Whether the student has verified this contact. An unconfirmed email does not count, so that it can be confirmed by a code. */
export const hasVerifiedContact = ({ kind, value }: Contact, student: Student): boolean => {
  if (kind === 'phone') return student.phone === value && student.phoneVerified;
  return student.email !== null && student.emailConfirmed && emailKey(student.email) === emailKey(value);
};

/** Ignored if the student has registered in the meantime. */
export const abandonSignUp = (state: StudentState): readonly SignUpAbandoned[] =>
  !state || state.registered || state.erased
    ? []
    : [{ type: 'SignUpAbandoned', data: { studentId: state.studentId } }];
