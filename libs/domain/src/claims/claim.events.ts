import type { ClaimKind } from '../event-parts.js';
import { BOOKKEEPING } from '../audit.js';
import { slice } from '../vocabulary.js';

// In the streams `username-<hmac>, phone-<hmac>, email-<hmac>`.

export type ClaimReserved = {
  readonly type: 'ClaimReserved';
  readonly data: {
    readonly kind: ClaimKind;
    readonly claim: string;
    readonly studentId: string;
    readonly expiresAt: string;
  };
};
export type ClaimConfirmed = {
  readonly type: 'ClaimConfirmed';
  readonly data: { readonly kind: ClaimKind; readonly claim: string; readonly studentId: string };
};
export type ClaimReleased = {
  readonly type: 'ClaimReleased';
  readonly data: { readonly kind: ClaimKind; readonly claim: string; readonly studentId: string };
};
export type ClaimEvent = ClaimReserved | ClaimConfirmed | ClaimReleased;

const claim = { kind: 'username', claim: 'hash', studentId: 'student-1' } as const;

export const claimEvents = slice<ClaimEvent>()({
  streams: ['username-', 'phone-', 'email-'],
  events: {
    ClaimReserved: {
      example: { ...claim, expiresAt: '2026-01-01T00:00:00.000Z' },
      audit: BOOKKEEPING,
    },
    ClaimConfirmed: {
      example: claim,
      audit: BOOKKEEPING,
    },
    ClaimReleased: {
      example: claim,
      audit: BOOKKEEPING,
    },
  },
});
