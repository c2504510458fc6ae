import type { Decider } from '../decider.js';
import type { ClaimConfirmed, ClaimEvent, ClaimKind, ClaimReleased, ClaimReserved } from '../events.js';
import { DomainError, unreachable } from '../errors.js';
import { claimStream } from '../stream-ids.js';
import type { DomainErrorCode } from '../messages.js';

export type ClaimState =
  | { readonly status: 'free' }
  | (Reservation & { readonly status: 'reserved'; readonly expiresAt: string })
  | (Reservation & { readonly status: 'confirmed' });

interface Reservation {
  readonly reservationId: string;
  readonly studentId: string;
}

const reservationIn = ({ data: { reservationId, studentId } }: ClaimEvent): Reservation => ({
  reservationId,
  studentId,
});
/** Compares both IDs: the student of an erased reservation reads as empty. */
const isSame = (left: Reservation, right: Reservation): boolean =>
  left.studentId === right.studentId && left.reservationId === right.reservationId;

export const claimDecider: Decider<ClaimState, ClaimEvent, [kind: ClaimKind, hmac: string]> = {
  stream: claimStream,
  initial: { status: 'free' },
  evolve: (state, event) => {
    switch (event.type) {
      case 'ClaimReserved':
        return { status: 'reserved', ...reservationIn(event), expiresAt: event.data.expiresAt };
      case 'ClaimConfirmed':
        return { status: 'confirmed', ...reservationIn(event) };
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

/** `claim` is the keyed hash in the stream name. */
type Claim = { readonly kind: ClaimKind; readonly claim: string; readonly studentId: string };

export type ReserveClaim = Claim & {
  /** ID of a new reservation. A student who already holds the claim keeps the existing ID. */
  readonly reservationId: string;
  readonly now: string;
  readonly expiresAt: string;
  /** Whether the student returned by `lapsedHolder` uses the value, so that only the confirmation is missing. */
  readonly lapsedHolderUsesIt: boolean;
};

/** Holder of an expired reservation, whose stream must be checked before the claim is taken over. */
export const lapsedHolder = (state: ClaimState, now: string): string | undefined =>
  state.status === 'reserved' && Date.parse(state.expiresAt) <= Date.parse(now) ? state.studentId : undefined;

/** Also records an event if the student already holds the claim, so that a pending release detects the change. */
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

/** Accepts late confirmations unless someone else has taken over the claim. */
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
  /** Whether the claim is unchanged since the check that the student does not use it. */
  readonly isUnchanged: boolean;
};

/** Idempotent for reactors and retries. Ignores claims held by others or reserved again since the check. */
export const releaseClaim = (
  { kind, claim, studentId, isUnchanged }: ReleaseClaim,
  state: ClaimState,
): readonly ClaimReleased[] =>
  !isUnchanged || state.status === 'free' || state.studentId !== studentId
    ? []
    : [{ type: 'ClaimReleased', data: { kind, claim, reservationId: state.reservationId, studentId } }];
