import type { Decider } from '../decider.js';
import type { ClaimEvent, ClaimKind } from '../events.js';
import { unreachable } from '../errors.js';
import { claimStream } from '../stream-ids.js';

export type ClaimState =
  | { readonly status: 'free' }
  | { readonly status: 'reserved'; readonly studentId: string; readonly expiresAt: string }
  | { readonly status: 'confirmed'; readonly studentId: string };

export const claimDecider: Decider<ClaimState, ClaimEvent, [kind: ClaimKind, hmac: string]> = {
  stream: claimStream,
  initial: { status: 'free' },
  evolve: (state, event) => {
    switch (event.type) {
      case 'ClaimReserved':
        return { status: 'reserved', studentId: event.data.studentId, expiresAt: event.data.expiresAt };
      case 'ClaimConfirmed':
        return { status: 'confirmed', studentId: event.data.studentId };
      case 'ClaimReleased':
        return state.status !== 'free' && state.studentId === event.data.studentId
          ? claimDecider.initial
          : state;
      default:
        return unreachable(event);
    }
  },
};
