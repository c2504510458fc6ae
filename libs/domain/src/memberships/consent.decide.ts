import { isModeratorOf, requireActive, requireModeratorOf, type ActingStudent } from '../authority.js';
import { DomainError } from '../errors.js';
import type {
  AgeBand,
  AgeForgotten,
  AgeStated,
  GuardianAsked,
  GuardianConsented,
  GuardianRefused,
  SpaceLeft,
} from '../events.js';
import type { MembershipState, StatedAge } from './membership.state.js';

/**
 * Applies a stated age to another threshold: "younger than 16" implies younger than 18, "16 or older" implies 13 or older.
 * @returns null if the student must state the age again, or the space does not ask
 */
export const bandFor = (consentAge: number | null, stated: StatedAge | null): AgeBand | null => {
  if (consentAge === null || stated === null) return null;
  const { age, band } = stated;
  return (band === 'BELOW' ? age <= consentAge : age >= consentAge) ? band : null;
};

export type Admission = 'ADMITTED' | 'AGE_NEEDED' | 'CONSENT_NEEDED';

/** Whether a student may join a space with this age of consent. Null means the space does not ask. */
export const admissionTo = (
  consentAge: number | null,
  { stated, consent }: Pick<MembershipState, 'stated' | 'consent'>,
): Admission => {
  if (consentAge === null) return 'ADMITTED';
  const band = bandFor(consentAge, stated);
  if (band === null) return 'AGE_NEEDED';
  return band === 'FROM' || consent?.standing === 'GIVEN' ? 'ADMITTED' : 'CONSENT_NEEDED';
};

/** For students who join themselves, also by invitation. Exempts moderators of the space. @throws DomainError AGE_NEEDED, CONSENT_NEEDED */
export const requireAdmission = (
  actor: ActingStudent,
  spaceId: string,
  consentAge: number | null,
  state: MembershipState,
): void => {
  if (isModeratorOf(actor, spaceId)) return;
  const admission = admissionTo(consentAge, state);
  if (admission !== 'ADMITTED') throw new DomainError(admission, { age: consentAge ?? 0 });
};

/** `consentAge` is the current value of the space; undefined if there is no such space. */
type AgeCheckCommand = {
  readonly actor: ActingStudent;
  readonly spaceId: string;
  readonly consentAge: number | null | undefined;
};

const requireAgeCheck = ({ actor, consentAge }: AgeCheckCommand): number => {
  requireActive(actor);
  if (consentAge === undefined) throw new DomainError('SPACE_NOT_FOUND');
  if (consentAge === null) throw new DomainError('AGE_NOT_ASKED');
  return consentAge;
};

export type StateAge = AgeCheckCommand & { readonly band: AgeBand };

/** Only a moderator can reset "younger"; otherwise students could bypass the consent with one click. */
export const stateAge = (command: StateAge, { stated }: MembershipState): readonly AgeStated[] => {
  const age = requireAgeCheck(command);
  const { actor, spaceId, band } = command;
  const before = bandFor(age, stated);
  if (before === band) return [];
  if (before === 'BELOW') throw new DomainError('AGE_STATED');
  return [{ type: 'AgeStated', data: { spaceId, studentId: actor.studentId, age, band } }];
};

export type ForgetAge = {
  readonly by: ActingStudent;
  readonly spaceId: string;
  readonly studentId: string;
};

/** Lets a student state the age again. A consent already given stays. Moderators cannot reset their own age. */
export const forgetAge = (
  { by, spaceId, studentId }: ForgetAge,
  { stated }: MembershipState,
): readonly AgeForgotten[] => {
  requireModeratorOf(by, spaceId);
  if (by.studentId === studentId) throw new DomainError('FORBIDDEN');
  return stated ? [{ type: 'AgeForgotten', data: { spaceId, studentId } }] : [];
};

export type AskGuardian = AgeCheckCommand & {
  /** ID of this request. Earlier links become invalid. */
  readonly consentId: string;
};

export const askGuardian = (
  command: AskGuardian,
  { stated, consent }: MembershipState,
): readonly GuardianAsked[] => {
  const age = requireAgeCheck(command);
  const { actor, spaceId, consentId } = command;
  if (bandFor(age, stated) !== 'BELOW' || consent?.standing === 'GIVEN')
    throw new DomainError('CONSENT_NOT_NEEDED');
  return [{ type: 'GuardianAsked', data: { spaceId, studentId: actor.studentId, consentId, age } }];
};

export type AnswerAsGuardian = {
  readonly spaceId: string;
  readonly studentId: string;
  readonly consentId: string;
  /** Whether the student account still exists. */
  readonly isThere: boolean;
  readonly isGiven: boolean;
  /** Terms of use shown with the question. */
  readonly termsVersion: string;
};

/** By the holder of the latest link. Withdrawing a consent ends the membership. */
export const answerAsGuardian = (
  { spaceId, studentId, consentId, isThere, isGiven, termsVersion }: AnswerAsGuardian,
  { isMember, consent }: MembershipState,
): readonly (GuardianConsented | GuardianRefused | SpaceLeft)[] => {
  if (!isThere || consent?.id !== consentId) throw new DomainError('CONSENT_LINK_ENDED');
  const data = { spaceId, studentId };
  if (isGiven)
    return consent.standing === 'GIVEN'
      ? []
      : [{ type: 'GuardianConsented', data: { ...data, consentId, termsVersion } }];
  if (consent.standing === 'REFUSED') return [];
  const refused: GuardianRefused = { type: 'GuardianRefused', data: { ...data, consentId } };
  return isMember ? [refused, { type: 'SpaceLeft', data }] : [refused];
};
