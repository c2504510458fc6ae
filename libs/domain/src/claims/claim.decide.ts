import type { Decider } from '../decider.js';
import type { ClaimConfirmed, ClaimEvent, ClaimKind, ClaimReleased, ClaimReserved } from '../events.js';
import { DomainError, unreachable } from '../errors.js';
import { claimStream } from '../stream-ids.js';
import type { DomainErrorCode } from '../messages.js';

export type ClaimState =
  | { readonly status: 'free' }
  | (Held & { readonly status: 'reserved'; readonly expiresAt: string })
  | (Held & { readonly status: 'confirmed' });

interface Held {
  readonly reservationId: string;
  readonly studentId: string;
}

const heldIn = ({ data: { reservationId, studentId } }: ClaimEvent): Held => ({ reservationId, studentId });
/** Of an erased student the reservation alone is known. */
const isSame = (left: Held, right: Held): boolean =>
  left.studentId === right.studentId && left.reservationId === right.reservationId;

export const claimDecider: Decider<ClaimState, ClaimEvent, [kind: ClaimKind, hmac: string]> = {
  stream: claimStream,
  initial: { status: 'free' },
  evolve: (state, event) => {
    switch (event.type) {
      case 'ClaimReserved':
        return { status: 'reserved', ...heldIn(event), expiresAt: event.data.expiresAt };
      case 'ClaimConfirmed':
        return { status: 'confirmed', ...heldIn(event) };
      case 'ClaimReleased':
        return state.status !== 'free' && isSame(state, event.data) ? claimDecider.initial : state;
      default:
        return unreachable(event);
    }
  },
};

const TAKEN: Readonly<Record<ClaimKind, DomainErrorCode>> = {
  username: 'USERNAME_TAKEN',
  phone: 'USER_EXISTS',
  email: 'EMAIL_TAKEN',
};

/** `claim` is the keyed hash that names the stream. */
type Claim = { readonly kind: ClaimKind; readonly claim: string; readonly studentId: string };

export type ReserveClaim = Claim & {
  /** Of its own; what one holds already keeps the one that it has. */
  readonly reservationId: string;
  readonly now: string;
  readonly expiresAt: string;
  /** The stream of the student that `lapsedHolder` names carries the value: the confirmation is only late. */
  readonly lapsedHolderUsesIt: boolean;
};

/** Whose stream must be looked at before an expired reservation is taken over; undefined where there is none. */
export const lapsedHolder = (state: ClaimState, now: string): string | undefined =>
  state.status === 'reserved' && Date.parse(state.expiresAt) <= Date.parse(now) ? state.studentId : undefined;

/** What one holds is reserved anew: whoever meant to release it, from what was known before, sees that it is wanted again. */
export const reserveClaim = (command: ReserveClaim, state: ClaimState): readonly ClaimReserved[] => {
  const { kind, claim, studentId, now, expiresAt, lapsedHolderUsesIt } = command;
  const isOwn = state.status !== 'free' && state.studentId === studentId;
  const lapsed = lapsedHolder(state, now) !== undefined;
  const isOthers = state.status !== 'free' && state.studentId !== studentId;
  if (isOthers && (!lapsed || lapsedHolderUsesIt)) throw new DomainError(TAKEN[kind]);
  const { reservationId } = isOwn ? state : command;
  return [{ type: 'ClaimReserved', data: { kind, claim, reservationId, studentId, expiresAt } }];
};

export type ConfirmClaim = Claim;

/** A late confirmation is good as long as nobody else took the reservation over. */
export const confirmClaim = (
  { kind, claim, studentId }: ConfirmClaim,
  state: ClaimState,
): readonly ClaimConfirmed[] => {
  if (state.status === 'free' || state.studentId !== studentId) throw new DomainError('CLAIM_LOST');
  const { reservationId } = state;
  return state.status === 'confirmed'
    ? []
    : [{ type: 'ClaimConfirmed', data: { kind, claim, reservationId, studentId } }];
};

export type ReleaseClaim = Claim & {
  /** Nothing happened to the claim since it was seen that the student does not use it. */
  readonly isAsSeen: boolean;
};

/** Releasing what one does not hold changes nothing: reactors and retries may come twice. Nor does releasing what was reserved anew. */
export const releaseClaim = (
  { kind, claim, studentId, isAsSeen }: ReleaseClaim,
  state: ClaimState,
): readonly ClaimReleased[] =>
  !isAsSeen || state.status === 'free' || state.studentId !== studentId
    ? []
    : [{ type: 'ClaimReleased', data: { kind, claim, reservationId: state.reservationId, studentId } }];
