import type { Rank, Role } from '../event-parts.js';
import { act, notAudited, OWN_ACT } from '../audit.js';
import { slice, type Upcaster } from '../vocabulary.js';

// In the streams `student-<studentId>`.

/** Signed up by phone or e-mail, not registered yet. Personal: phone, email. */
export type StudentSignedUp = {
  readonly type: 'StudentSignedUp';
  readonly data: {
    readonly studentId: string;
    readonly phone: string | null;
    readonly email: string | null;
    readonly registrationType: 'SELF';
  };
};
export type StudentPhoneVerified = {
  readonly type: 'StudentPhoneVerified';
  readonly data: { readonly studentId: string };
};
export type StudentEmailConfirmed = {
  readonly type: 'StudentEmailConfirmed';
  readonly data: { readonly studentId: string };
};
/** The profile is complete and the student may log in. Personal: userName, firstName, lastName, profileDesc, realProfilePicUrl. */
export type StudentRegistered = {
  readonly type: 'StudentRegistered';
  readonly data: {
    readonly studentId: string;
    readonly userName: string;
    readonly firstName: string;
    readonly lastName: string;
    readonly profileDesc: string;
    readonly realProfilePicUrl: string | null;
  };
};
/** The whole profile after the change. Personal fields as in StudentRegistered. */
export type StudentProfileChanged = {
  readonly type: 'StudentProfileChanged';
  readonly data: StudentRegistered['data'];
};
/** A member of an imported community. A stand-in only carries votes whose voter the source does not tell. */
export type StudentImported = {
  readonly type: 'StudentImported';
  readonly data: StudentRegistered['data'] & {
    readonly source: string;
    readonly sourceId: string;
    readonly standIn: boolean;
  };
};
export type StudentBlocked = {
  readonly type: 'StudentBlocked';
  readonly data: {
    readonly studentId: string;
    readonly reason: string;
    /** Of whoever blocked. Since version 2; MAINTAINER before. */
    readonly rank: Rank;
  };
};
export type StudentUnblocked = {
  readonly type: 'StudentUnblocked';
  readonly data: { readonly studentId: string; readonly reason?: string };
};
/** For a lost device. What the factor was is in no event. */
export type SecondFactorReset = {
  readonly type: 'SecondFactorReset';
  readonly data: { readonly studentId: string; readonly reason: string };
};
export type StudentErased = { readonly type: 'StudentErased'; readonly data: { readonly studentId: string } };
/** `spaceId` null: for all spaces (always so for a maintainer). */
export type RoleGranted = {
  readonly type: 'RoleGranted';
  readonly data: { readonly studentId: string; readonly role: Role; readonly spaceId: string | null };
};
export type RoleRevoked = {
  readonly type: 'RoleRevoked';
  readonly data: { readonly studentId: string; readonly role: Role; readonly spaceId: string | null };
};
export type StudentEvent =
  | StudentSignedUp
  | StudentPhoneVerified
  | StudentEmailConfirmed
  | StudentRegistered
  | StudentProfileChanged
  | StudentImported
  | StudentBlocked
  | StudentUnblocked
  | SecondFactorReset
  | StudentErased
  | RoleGranted
  | RoleRevoked;

const profile = {
  studentId: 'student-1',
  userName: 'marie_1',
  firstName: 'Marie',
  lastName: 'Curie',
  profileDesc: 'About',
  realProfilePicUrl: '/media/a.webp',
};
const role = { studentId: 'student-1', role: 'MODERATOR', spaceId: 'space-1' } as const;

/** What names a person. */
const PROFILE_FIELDS = ['userName', 'firstName', 'lastName', 'profileDesc', 'realProfilePicUrl'] as const;
/** Nobody knows any more who blocked: taken for a maintainer, whose blocks lower ranks do not lift. */
const withRank: Upcaster = (data) => ({ rank: 'MAINTAINER', ...data });
const ofRole = act(({ studentId, role, spaceId }: (RoleGranted | RoleRevoked)['data']) => ({
  receiverId: studentId,
  about: role,
  spaceId,
}));

export const studentEvents = slice<StudentEvent>()({
  streams: ['student-'],
  events: {
    StudentSignedUp: {
      example: { studentId: 'student-1', phone: '919876543210', email: null, registrationType: 'SELF' },
      personal: ['phone', 'email'],
      audit: OWN_ACT,
    },
    StudentPhoneVerified: {
      example: { studentId: 'student-1' },
      audit: OWN_ACT,
    },
    StudentEmailConfirmed: {
      example: { studentId: 'student-1' },
      audit: OWN_ACT,
    },
    StudentRegistered: {
      example: profile,
      personal: PROFILE_FIELDS,
      audit: OWN_ACT,
    },
    StudentProfileChanged: {
      example: profile,
      personal: PROFILE_FIELDS,
      audit: OWN_ACT,
    },
    StudentImported: {
      example: { ...profile, source: 'stackexchange', sourceId: '7', standIn: false },
      personal: PROFILE_FIELDS,
      audit: notAudited('one of a whole community; each vote that came with it is told'),
    },
    StudentBlocked: {
      example: { studentId: 'student-1', reason: 'Spam', rank: 'MAINTAINER' },
      upcasters: [withRank],
      audit: act(({ studentId, reason }) => ({ receiverId: studentId, reason })),
    },
    StudentUnblocked: {
      example: { studentId: 'student-1' },
      audit: act(({ studentId, reason }) => ({ receiverId: studentId, reason: reason ?? null })),
    },
    SecondFactorReset: {
      example: { studentId: 'student-1', reason: 'Lost phone' },
      audit: act(({ studentId, reason }) => ({ receiverId: studentId, reason })),
    },
    StudentErased: {
      example: { studentId: 'student-1' },
      audit: act(({ studentId }) => ({ receiverId: studentId })),
    },
    RoleGranted: {
      example: role,
      audit: ofRole,
    },
    RoleRevoked: {
      example: role,
      audit: ofRole,
    },
  },
});
