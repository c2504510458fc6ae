import type { Decider } from '../decider.js';
import type { ClaimEvent, ClaimKind } from '../events.js';
import { unreachable } from '../errors.js';
import { claimStream } from '../stream-ids.js';

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
