import type { ClaimConfirmed, ClaimReleased, ClaimReserved } from '../events.js';
import { unreachable } from '../errors.js';

export type ClaimEvent = ClaimReserved | ClaimConfirmed | ClaimReleased;

export type ClaimState =
  | { readonly status: 'free' }
  | { readonly status: 'reserved'; readonly studentId: string; readonly expiresAt: string }
  | { readonly status: 'confirmed'; readonly studentId: string };

export const initialClaim: ClaimState = { status: 'free' };

export const evolveClaim = (state: ClaimState, event: ClaimEvent): ClaimState => {
  switch (event.type) {
    case 'ClaimReserved':
      return { status: 'reserved', studentId: event.data.studentId, expiresAt: event.data.expiresAt };
    case 'ClaimConfirmed':
      return { status: 'confirmed', studentId: event.data.studentId };
    case 'ClaimReleased':
      return state.status !== 'free' && state.studentId === event.data.studentId ? initialClaim : state;
    default:
      return unreachable(event);
  }
};
