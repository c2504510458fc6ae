import type { Rank, Role } from '../event-parts.js';
import { auditedAction, BOOKKEEPING, notAudited, OWN_ACTION } from '../audit.js';
import { slice } from '../vocabulary.js';

// Streams: `student-<studentId>`.

/** Signed up by phone or email, not registered yet. */
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
/** Verified by a code. Null if someone else claimed the phone first. */
export type StudentPhoneChanged = {
  readonly type: 'StudentPhoneChanged';
  readonly data: { readonly studentId: string; readonly phone: string | null };
};
/** See `StudentPhoneChanged`. */
export type StudentEmailChanged = {
  readonly type: 'StudentEmailChanged';
  readonly data: { readonly studentId: string; readonly email: string | null };
};
/** The sign-up was never completed, so its contact is deleted. */
export type SignUpAbandoned = {
  readonly type: 'SignUpAbandoned';
  readonly data: { readonly studentId: string };
};
/** The profile is complete and the student can log in. */
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
/** The whole profile after the change. */
export type StudentProfileChanged = {
  readonly type: 'StudentProfileChanged';
  readonly data: StudentRegistered['data'];
};
/** A member of an imported community. A stand-in represents unknown voters. */
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
    /** The rank of the person who blocked. */
    readonly rank: Rank;
  };
};
export type StudentUnblocked = {
  readonly type: 'StudentUnblocked';
  readonly data: { readonly studentId: string; readonly reason?: string };
};
/** After a lost device. The factors themselves are not in the log. */
export type SecondFactorReset = {
  readonly type: 'SecondFactorReset';
  readonly data: { readonly studentId: string; readonly reason: string };
};
/** At sign-up, or after the terms of use changed. */
export type TermsAccepted = {
  readonly type: 'TermsAccepted';
  readonly data: { readonly studentId: string; readonly version: string };
};
/** By the student, or by a maintainer with a reason. Can be withdrawn until it is due. */
export type ErasureAsked = {
  readonly type: 'ErasureAsked';
  readonly data: {
    readonly studentId: string;
    /** Whether posts and comments are erased too. */
    readonly withWords: boolean;
    /** Null if requested by the student, and after the erasure. */
    readonly reason: string | null;
    readonly dueAt: string;
  };
};
export type ErasureWithdrawn = {
  readonly type: 'ErasureWithdrawn';
  readonly data: { readonly studentId: string };
};
/** Personal data is unreadable from here on, and with `withWords` also posts and comments. */
export type StudentErased = {
  readonly type: 'StudentErased';
  readonly data: { readonly studentId: string; readonly withWords: boolean };
};
/** `spaceId` is null for all spaces, and always null for maintainers. */
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
  | StudentPhoneChanged
  | StudentEmailChanged
  | SignUpAbandoned
  | StudentRegistered
  | StudentProfileChanged
  | StudentImported
  | StudentBlocked
  | StudentUnblocked
  | SecondFactorReset
  | TermsAccepted
  | ErasureAsked
  | ErasureWithdrawn
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

/** Profile of an erased student. */
const NO_PROFILE = {
  userName: null,
  firstName: null,
  lastName: null,
  profileDesc: null,
  realProfilePicUrl: null,
} as const;
/** Leaves the reason out, because audit rows outlive an erasure. The audit reads it from `read.staff_words`. */
const studentAudit = auditedAction(({ studentId }: { readonly studentId: string }) => ({
  receiverId: studentId,
}));
const roleAudit = auditedAction(({ studentId, role, spaceId }: (RoleGranted | RoleRevoked)['data']) => ({
  receiverId: studentId,
  about: role,
  spaceId,
}));

export const studentEvents = slice<StudentEvent>()({
  streams: ['student-'],
  errors: {
    CONTACT_UNCHANGED: {
      category: 'CONFLICT',
      field: 'value',
      message: 'This is already the contact of your account.',
    },
    CONTACT_NOT_CONFIRMED: {
      category: 'CONFLICT',
      field: 'via',
      message: 'Your account has no confirmed contact of this type. Use the other one.',
    },
    OWN_CODE_WRONG: {
      category: 'VALIDATION',
      field: 'ownCode',
      message: 'The code sent to your account is incorrect.',
    },
    NEW_CODE_WRONG: {
      category: 'VALIDATION',
      field: 'newCode',
      message: 'The code sent to the new contact is incorrect.',
    },
    CONTACT_CHANGE_EXPIRED: {
      category: 'CONFLICT',
      message: 'These codes have expired or were entered incorrectly too often. Request new ones.',
    },
    TERMS_NOT_ACCEPTED: {
      category: 'FORBIDDEN',
      message: 'The terms of use have changed. Log in again and accept them to continue.',
    },
    TERMS_CHANGED: {
      category: 'CONFLICT',
      field: 'version',
      message: 'The terms of use have changed. Please read them again.',
    },
    STUDENT_ERASED: { category: 'CONFLICT', message: 'This account has already been deleted.' },
    ERASURE_ASKED: { category: 'CONFLICT', message: 'This account is already scheduled for deletion.' },
    ERASURE_NOT_ASKED: { category: 'CONFLICT', message: 'This account is not scheduled for deletion.' },
    ERASURE_DUE: {
      category: 'CONFLICT',
      message: 'This account can no longer be kept. Its deletion has started.',
    },
    LAST_MAINTAINER: {
      category: 'CONFLICT',
      message: 'This is the last maintainer. Assign another maintainer first.',
    },
  },
  events: {
    StudentSignedUp: {
      example: { studentId: 'student-1', phone: '919876543210', email: null, registrationType: 'SELF' },
      sealed: [{ of: 'studentId', with: 'identity', gone: { phone: null, email: null } }],
      audit: OWN_ACTION,
    },
    StudentPhoneVerified: {
      example: { studentId: 'student-1' },
      audit: OWN_ACTION,
    },
    StudentEmailConfirmed: {
      example: { studentId: 'student-1' },
      audit: OWN_ACTION,
    },
    StudentPhoneChanged: {
      example: { studentId: 'student-1', phone: '919876543211' },
      sealed: [{ of: 'studentId', with: 'identity', gone: { phone: null } }],
      audit: OWN_ACTION,
    },
    StudentEmailChanged: {
      example: { studentId: 'student-1', email: 'marie@example.org' },
      sealed: [{ of: 'studentId', with: 'identity', gone: { email: null } }],
      audit: OWN_ACTION,
    },
    SignUpAbandoned: {
      example: { studentId: 'student-1' },
      audit: BOOKKEEPING,
    },
    StudentRegistered: {
      example: profile,
      sealed: [{ of: 'studentId', with: 'identity', gone: NO_PROFILE }],
      audit: OWN_ACTION,
    },
    StudentProfileChanged: {
      example: profile,
      sealed: [{ of: 'studentId', with: 'identity', gone: NO_PROFILE }],
      audit: OWN_ACTION,
    },
    StudentImported: {
      example: { ...profile, source: 'stackexchange', sourceId: '7', standIn: false },
      sealed: [{ of: 'studentId', with: 'identity', gone: { ...NO_PROFILE, sourceId: null } }],
      audit: notAudited('part of a community import, whose votes are audited'),
    },
    StudentBlocked: {
      example: { studentId: 'student-1', reason: 'Spam', rank: 'MAINTAINER' },
      sealed: [{ of: 'studentId', with: 'identity', gone: { reason: '' } }],
      audit: studentAudit,
    },
    StudentUnblocked: {
      example: { studentId: 'student-1' },
      sealed: [{ of: 'studentId', with: 'identity', gone: { reason: '' } }],
      audit: studentAudit,
    },
    SecondFactorReset: {
      example: { studentId: 'student-1', reason: 'Lost phone' },
      sealed: [{ of: 'studentId', with: 'identity', gone: { reason: '' } }],
      audit: studentAudit,
    },
    TermsAccepted: {
      example: { studentId: 'student-1', version: '2026-11' },
      audit: OWN_ACTION,
    },
    ErasureAsked: {
      example: {
        studentId: 'student-1',
        withWords: true,
        reason: null,
        dueAt: '2026-01-08T00:00:00.000Z',
      },
      sealed: [{ of: 'studentId', with: 'identity', gone: { reason: null } }],
      audit: studentAudit,
    },
    ErasureWithdrawn: {
      example: { studentId: 'student-1' },
      audit: studentAudit,
    },
    StudentErased: {
      example: { studentId: 'student-1', withWords: false },
      audit: studentAudit,
    },
    RoleGranted: {
      example: role,
      audit: roleAudit,
    },
    RoleRevoked: {
      example: role,
      audit: roleAudit,
    },
  },
});
