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
 * What a statement says of another age: "younger than 16" is younger than 18, "16 or older" is older than 13.
 *
 * @returns null where it has to be stated again, or the space asks nobody
 */
export const bandFor = (consentAge: number | null, stated: StatedAge | null): AgeBand | null => {
  if (consentAge === null || stated === null) return null;
  const { age, band } = stated;
  return (band === 'BELOW' ? age <= consentAge : age >= consentAge) ? band : null;
};

export type Admission = 'ADMITTED' | 'AGE_NEEDED' | 'CONSENT_NEEDED';

/** Whether somebody may join a space that asks who is younger than `consentAge`; null: it asks nobody. */
export const admissionTo = (
  consentAge: number | null,
  { stated, consent }: Pick<MembershipState, 'stated' | 'consent'>,
): Admission => {
  if (consentAge === null) return 'ADMITTED';
  const band = bandFor(consentAge, stated);
  if (band === null) return 'AGE_NEEDED';
  return band === 'FROM' || consent?.standing === 'GIVEN' ? 'ADMITTED' : 'CONSENT_NEEDED';
};

/**
 * Of whoever joins by their own act, also by an invitation. Those who moderate the space are not asked.
 * @throws DomainError AGE_NEEDED, CONSENT_NEEDED
 */
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

/** `consentAge` of the space as it is now; undefined where there is none. */
type InAskingSpace = {
  readonly actor: ActingStudent;
  readonly spaceId: string;
  readonly consentAge: number | null | undefined;
};

const requireAskingSpace = ({ actor, consentAge }: InAskingSpace): number => {
  requireActive(actor);
  if (consentAge === undefined) throw new DomainError('SPACE_NOT_FOUND');
  if (consentAge === null) throw new DomainError('AGE_NOT_ASKED');
  return consentAge;
};

export type StateAge = InAskingSpace & { readonly band: AgeBand };

/** "Younger" is taken back by a moderator alone: a refusal would otherwise be a button away from being none. */
export const stateAge = (command: StateAge, { stated }: MembershipState): readonly AgeStated[] => {
  const age = requireAskingSpace(command);
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

/** By those who moderate the space, of others: the student states it again. A consent that was given stays. */
export const forgetAge = (
  { by, spaceId, studentId }: ForgetAge,
  { stated }: MembershipState,
): readonly AgeForgotten[] => {
  requireModeratorOf(by, spaceId);
  if (by.studentId === studentId) throw new DomainError('FORBIDDEN');
  return stated ? [{ type: 'AgeForgotten', data: { spaceId, studentId } }] : [];
};

export type AskGuardian = InAskingSpace & {
  /** Of this asking: the link of a former one ends. */
  readonly consentId: string;
};

export const askGuardian = (
  command: AskGuardian,
  { stated, consent }: MembershipState,
): readonly GuardianAsked[] => {
  const age = requireAskingSpace(command);
  const { actor, spaceId, consentId } = command;
  if (bandFor(age, stated) !== 'BELOW' || consent?.standing === 'GIVEN')
    throw new DomainError('CONSENT_NOT_NEEDED');
  return [{ type: 'GuardianAsked', data: { spaceId, studentId: actor.studentId, consentId, age } }];
};

export type AnswerAsGuardian = {
  readonly spaceId: string;
  readonly studentId: string;
  readonly consentId: string;
  /** Whether the student is still somebody. */
  readonly isThere: boolean;
  readonly isGiven: boolean;
  /** That were shown beside the question. */
  readonly termsVersion: string;
};

/** By whoever has the link of the latest asking. A consent that is taken back ends the membership. */
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
