import { describe, expect, it } from '@jest/globals';
import type { ClaimConfirmed, ClaimReleased, ClaimReserved } from '../events.js';
import { newId } from '../testing/builders.js';
import { given } from '../testing/given-when-then.js';
import {
  claimDecider,
  confirmClaim,
  lapsedHolder,
  releaseClaim,
  reserveClaim,
  type ReserveClaim,
} from './claim.decide.js';

const NOW = '2026-11-21T10:00:00.000Z';
const LATER = '2026-11-21T10:05:00.000Z';
const EARLIER = '2026-11-21T09:59:59.999Z';
const me = newId();
const other = newId();
const claim = (studentId: string) => ({ kind: 'username', claim: 'hash', studentId }) as const;
/** Each student's first reservation. Later ones keep its ID. */
const held = (studentId: string) => ({ ...claim(studentId), reservationId: `reservation of ${studentId}` });
const reserved = (studentId: string, expiresAt = LATER): ClaimReserved => ({
  type: 'ClaimReserved',
  data: { ...held(studentId), expiresAt },
});
const confirmed = (studentId: string): ClaimConfirmed => ({ type: 'ClaimConfirmed', data: held(studentId) });
const released = (studentId: string): ClaimReleased => ({ type: 'ClaimReleased', data: held(studentId) });
const reserve = (changes: Partial<ReserveClaim> = {}): ReserveClaim => ({
  ...held(me),
  now: NOW,
  expiresAt: LATER,
  lapsedHolderUsesIt: false,
  ...changes,
});

describe('reserveClaim', () => {
  it('reserves a free value', () =>
    given(claimDecider)
      .when((s) => reserveClaim(reserve(), s))
      .then(reserved(me)));
  it('renews the reservation of the student who holds it', () =>
    given(claimDecider, reserved(me))
      .when((s) => reserveClaim(reserve(), s))
      .then(reserved(me)));
  it('reserves again what the student owns, to prevent a concurrent release', () =>
    given(claimDecider, reserved(me), confirmed(me))
      .when((s) => reserveClaim(reserve(), s))
      .then(reserved(me)));
  it('renews its own expired reservation', () =>
    given(claimDecider, reserved(me, EARLIER))
      .when((s) => reserveClaim(reserve(), s))
      .then(reserved(me)));
  it('refuses a value reserved by another student', () =>
    given(claimDecider, reserved(other))
      .when((s) => reserveClaim(reserve(), s))
      .thenRefused('USERNAME_TAKEN'));
  it('refuses a value owned by another student, even if the reservation has expired', () =>
    given(claimDecider, reserved(other, EARLIER), confirmed(other))
      .when((s) => reserveClaim(reserve(), s))
      .thenRefused('USERNAME_TAKEN'));
  it('takes over an expired reservation', () =>
    given(claimDecider, reserved(other, EARLIER))
      .when((s) => reserveClaim(reserve(), s))
      .then(reserved(me)));
  it('takes over a reservation at the moment of expiry', () =>
    given(claimDecider, reserved(other, NOW))
      .when((s) => reserveClaim(reserve(), s))
      .then(reserved(me)));
  it('leaves an expired reservation to a student who uses the value', () =>
    given(claimDecider, reserved(other, EARLIER))
      .when((s) => reserveClaim(reserve({ lapsedHolderUsesIt: true }), s))
      .thenRefused('USERNAME_TAKEN'));
  it('reserves a released value', () =>
    given(claimDecider, reserved(other), confirmed(other), released(other))
      .when((s) => reserveClaim(reserve(), s))
      .then(reserved(me)));
  it.each([
    ['phone', 'USER_EXISTS'],
    ['email', 'EMAIL_TAKEN'],
    ['username', 'USERNAME_TAKEN'],
  ] as const)('refuses a taken %s with %s', (kind, code) =>
    given(claimDecider, reserved(other))
      .when((s) => reserveClaim(reserve({ kind }), s))
      .thenRefused(code),
  );
});

describe('confirmClaim', () => {
  it('confirms a reservation', () =>
    given(claimDecider, reserved(me))
      .when((s) => confirmClaim(claim(me), s))
      .then(confirmed(me)));
  it('confirms an expired reservation that nobody took over', () =>
    given(claimDecider, reserved(me, EARLIER))
      .when((s) => confirmClaim(claim(me), s))
      .then(confirmed(me)));
  it('is idempotent', () =>
    given(claimDecider, reserved(me), confirmed(me))
      .when((s) => confirmClaim(claim(me), s))
      .thenNothingHappens());
  it('refuses a reservation that was taken over', () =>
    given(claimDecider, reserved(me, EARLIER), reserved(other))
      .when((s) => confirmClaim(claim(me), s))
      .thenRefused('CLAIM_LOST'));
  it('refuses without a reservation', () =>
    given(claimDecider)
      .when((s) => confirmClaim(claim(me), s))
      .thenRefused('CLAIM_LOST'));
});

describe('releaseClaim', () => {
  it('releases a confirmed claim', () =>
    given(claimDecider, reserved(me), confirmed(me))
      .when((s) => releaseClaim({ ...claim(me), isUnchanged: true }, s))
      .then(released(me)));
  it('does not release a claim of another student', () =>
    given(claimDecider, reserved(other))
      .when((s) => releaseClaim({ ...claim(me), isUnchanged: true }, s))
      .thenNothingHappens());
  it('does not release a claim that changed since the check', () =>
    given(claimDecider, reserved(me), confirmed(me), reserved(me))
      .when((s) => releaseClaim({ ...claim(me), isUnchanged: false }, s))
      .thenNothingHappens());
  it('is idempotent', () =>
    given(claimDecider, reserved(me), released(me))
      .when((s) => releaseClaim({ ...claim(me), isUnchanged: true }, s))
      .thenNothingHappens());
  it('ignores a stale release by a former holder', () =>
    expect(given(claimDecider, reserved(me, EARLIER), reserved(other), released(me)).state()).toMatchObject({
      studentId: other,
    }));
});

describe('lapsedHolder', () => {
  it('returns the student of an expired reservation', () =>
    expect(lapsedHolder(given(claimDecider, reserved(other, EARLIER)).state(), NOW)).toBe(other));
  it('returns undefined for active, confirmed and free claims', () => {
    expect(lapsedHolder(given(claimDecider, reserved(other)).state(), NOW)).toBeUndefined();
    expect(
      lapsedHolder(given(claimDecider, reserved(other, EARLIER), confirmed(other)).state(), NOW),
    ).toBeUndefined();
    expect(lapsedHolder(claimDecider.initial, NOW)).toBeUndefined();
  });
});
