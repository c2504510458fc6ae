import type { ClaimKind } from '../event-parts.js';
import { BOOKKEEPING } from '../audit.js';
import { slice } from '../vocabulary.js';

// Streams: `username-<hmac>`, `phone-<hmac>`, `email-<hmac>`.

export type ClaimReserved = {
  readonly type: 'ClaimReserved';
  readonly data: {
    readonly kind: ClaimKind;
    readonly claim: string;
    /** Its key encrypts the student ID, because phone numbers can be brute-forced from the claim. */
    readonly reservationId: string;
    readonly studentId: string;
    readonly expiresAt: string;
  };
};
export type ClaimConfirmed = {
  readonly type: 'ClaimConfirmed';
  readonly data: Omit<ClaimReserved['data'], 'expiresAt'>;
};
export type ClaimReleased = {
  readonly type: 'ClaimReleased';
  readonly data: Omit<ClaimReserved['data'], 'expiresAt'>;
};
export type ClaimEvent = ClaimReserved | ClaimConfirmed | ClaimReleased;

const claim = {
  kind: 'username',
  claim: 'hash',
  reservationId: 'reservation-1',
  studentId: 'student-1',
} as const;
const sealed = [
  { of: 'reservationId', with: 'claim', gone: { studentId: '' }, heldBy: 'studentId' },
] as const;

export const claimEvents = slice<ClaimEvent>()({
  streams: ['username-', 'phone-', 'email-'],
  events: {
    ClaimReserved: {
      example: { ...claim, expiresAt: '2026-01-01T00:00:00.000Z' },
      sealed,
      audit: BOOKKEEPING,
    },
    ClaimConfirmed: {
      example: claim,
      sealed,
      audit: BOOKKEEPING,
    },
    ClaimReleased: {
      example: claim,
      sealed,
      audit: BOOKKEEPING,
    },
  },
});
