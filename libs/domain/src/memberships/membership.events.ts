import type { Rank } from '../event-parts.js';
import { auditedAction, OWN_ACTION } from '../audit.js';
import { slice } from '../vocabulary.js';

// Streams: `membership-<spaceId>-<studentId>`.

export type SpaceJoined = {
  readonly type: 'SpaceJoined';
  readonly data: { readonly spaceId: string; readonly studentId: string };
};
export type SpaceLeft = {
  readonly type: 'SpaceLeft';
  readonly data: { readonly spaceId: string; readonly studentId: string };
};

/** The student can only read in the space until it ends or is lifted, even after rejoining. */
export type MemberSuspended = {
  readonly type: 'MemberSuspended';
  readonly data: {
    readonly spaceId: string;
    readonly studentId: string;
    readonly reason: string;
    readonly rank: Rank;
    /** When it ends, as an ISO instant in UTC; missing if it has to be lifted. */
    readonly until?: string;
    /** Whether the student reads the reason. Missing in older events: their dialog promised that nobody but staff does. */
    readonly isReasonShown?: true;
  };
};
export type SuspensionLifted = {
  readonly type: 'SuspensionLifted';
  readonly data: { readonly spaceId: string; readonly studentId: string; readonly reason: string | null };
};

/** Has no effect but that the student reads it. */
export type MemberWarned = {
  readonly type: 'MemberWarned';
  readonly data: {
    readonly spaceId: string;
    readonly studentId: string;
    readonly warningId: string;
    /** Shown to the student; empty once the student is erased. */
    readonly text: string;
    readonly rank: Rank;
    /** Reported post by the student that the warning is about. */
    readonly postId?: string;
  };
};

/** A request to join a restricted space. */
export type EntryRequested = {
  readonly type: 'EntryRequested';
  readonly data: {
    readonly spaceId: string;
    readonly studentId: string;
    /** Message to the moderators; null if empty or once the student is erased. */
    readonly text: string | null;
  };
};
export type EntryRequestWithdrawn = {
  readonly type: 'EntryRequestWithdrawn';
  readonly data: { readonly spaceId: string; readonly studentId: string };
};
/** `SpaceJoined` follows in the same append. */
export type EntryRequestAccepted = {
  readonly type: 'EntryRequestAccepted';
  readonly data: { readonly spaceId: string; readonly studentId: string };
};
export type EntryRequestRefused = {
  readonly type: 'EntryRequestRefused';
  readonly data: {
    readonly spaceId: string;
    readonly studentId: string;
    /** Shown to the student; null if none was given or once the student is erased. */
    readonly reason: string | null;
  };
};
/** From a restricted space; `SpaceLeft` follows in the same append. To return, the student needs a request accepted by a moderator. */
export type MemberRemoved = {
  readonly type: 'MemberRemoved';
  readonly data: { readonly spaceId: string; readonly studentId: string; readonly reason: string | null };
};
/** Lets the student join a restricted space once. */
export type StudentInvited = {
  readonly type: 'StudentInvited';
  readonly data: { readonly spaceId: string; readonly studentId: string };
};
export type StudentInvitationRevoked = {
  readonly type: 'StudentInvitationRevoked';
  readonly data: { readonly spaceId: string; readonly studentId: string };
};
/** A link, code, list or rule; `SpaceJoined` follows in the same append. */
export type InvitationUsed = {
  readonly type: 'InvitationUsed';
  readonly data: { readonly spaceId: string; readonly studentId: string; readonly invitationId: string };
};
/** Below the age that the space asks about, or that age and older. */
export type AgeBand = 'BELOW' | 'FROM';
/** By the student, if the space asks. */
export type AgeStated = {
  readonly type: 'AgeStated';
  readonly data: {
    readonly spaceId: string;
    readonly studentId: string;
    /** In years, as asked at the time. */
    readonly age: number;
    /** Null once the student is erased. */
    readonly band: AgeBand | null;
  };
};
/** By a moderator, so that the student can state the age again. */
export type AgeForgotten = {
  readonly type: 'AgeForgotten';
  readonly data: { readonly spaceId: string; readonly studentId: string };
};
/** Invalidates earlier links. The guardian's address is not stored in the log. */
export type GuardianAsked = {
  readonly type: 'GuardianAsked';
  readonly data: {
    readonly spaceId: string;
    readonly studentId: string;
    readonly consentId: string;
    /** In years, as asked at the time. */
    readonly age: number;
  };
};
/** By the holder of the link. */
export type GuardianConsented = {
  readonly type: 'GuardianConsented';
  readonly data: {
    readonly spaceId: string;
    readonly studentId: string;
    readonly consentId: string;
    /** Terms of use shown with the question. */
    readonly termsVersion: string;
  };
};
/** By the holder of the link, before or after a consent. For members, `SpaceLeft` follows in the same append. */
export type GuardianRefused = {
  readonly type: 'GuardianRefused';
  readonly data: { readonly spaceId: string; readonly studentId: string; readonly consentId: string };
};
export type MembershipEvent =
  | SpaceJoined
  | SpaceLeft
  | MemberSuspended
  | SuspensionLifted
  | MemberWarned
  | EntryRequested
  | EntryRequestWithdrawn
  | EntryRequestAccepted
  | EntryRequestRefused
  | MemberRemoved
  | StudentInvited
  | StudentInvitationRevoked
  | InvitationUsed
  | AgeStated
  | AgeForgotten
  | GuardianAsked
  | GuardianConsented
  | GuardianRefused;

const membership = { spaceId: 'space-1', studentId: 'student-1' };
/** Leaves texts out, because audit rows outlive an erasure. */
const memberAudit = auditedAction(({ spaceId, studentId }: SpaceJoined['data']) => ({
  spaceId,
  receiverId: studentId,
}));

export const membershipEvents = slice<MembershipEvent>()({
  streams: ['membership-'],
  errors: {
    SPACE_NEEDS_REQUEST: {
      category: 'FORBIDDEN',
      message: 'Send the moderators a request to join this space.',
    },
    SPACE_NEEDS_INVITATION: {
      category: 'FORBIDDEN',
      message: 'This space is by invitation only.',
    },
    SPACE_IS_OPEN: { category: 'CONFLICT', message: 'This space is open to everyone. Join it directly.' },
    ENTRY_TEXT_TOO_LONG: {
      category: 'VALIDATION',
      field: 'text',
      message: 'Requests can’t be longer than {max} characters.',
    },
    ENTRY_NOT_REQUESTED: {
      category: 'CONFLICT',
      message: 'This student has no open request. It was answered or withdrawn.',
    },
    REMOVED_FROM_SPACE: {
      category: 'FORBIDDEN',
      message: 'A moderator removed you from this space. Ask the moderators to let you rejoin.',
    },
    AGE_NEEDED: {
      category: 'FORBIDDEN',
      message: 'Confirm whether you are under {age} before you join this space.',
    },
    CONSENT_NEEDED: {
      category: 'FORBIDDEN',
      message: 'A parent or guardian must agree before you join this space. Ask them by email.',
    },
    AGE_NOT_ASKED: { category: 'CONFLICT', message: 'This space does not ask for ages.' },
    AGE_STATED: {
      category: 'CONFLICT',
      message: 'You have already given your age. To change it, ask a moderator of the space.',
    },
    CONSENT_NOT_NEEDED: {
      category: 'CONFLICT',
      message: 'No consent is needed, or it has already been given.',
    },
    CONSENT_LINK_ENDED: {
      category: 'NOT_FOUND',
      message: 'This link is invalid or has expired. Ask the student to send a new one.',
    },
    GUARDIAN_IS_SELF: {
      category: 'VALIDATION',
      field: 'email',
      message: 'This is your own email. Enter the email of a parent or guardian.',
    },
    SPACE_OPEN_TO_ALL: {
      category: 'CONFLICT',
      message: 'A student removed from an open space can rejoin. Block the student instead.',
    },
    SUSPENSION_END_INVALID: {
      category: 'VALIDATION',
      field: 'until',
      message: 'Choose an end in the future, at most {max} days from now.',
    },
    SUSPENDED_BY_HIGHER_RANK: {
      category: 'FORBIDDEN',
      message:
        'Someone with a higher role suspended this person. Only someone with that role can change the suspension.',
    },
    WARNING_REQUIRED: { category: 'VALIDATION', field: 'text', message: 'Please write a warning.' },
    WARNING_TOO_LONG: {
      category: 'VALIDATION',
      field: 'text',
      message: 'Warnings can’t be longer than {max} characters.',
    },
    TOO_MANY_WARNINGS: {
      category: 'CONFLICT',
      message: 'A student can get at most {max} warnings per space. Consider a suspension.',
    },
  },
  events: {
    SpaceJoined: {
      example: membership,
      audit: OWN_ACTION,
    },
    SpaceLeft: {
      example: membership,
      audit: OWN_ACTION,
    },
    MemberSuspended: {
      example: { ...membership, reason: 'Spam', rank: 'MODERATOR' },
      sealed: [{ of: 'studentId', with: 'identity', gone: { reason: '' } }],
      audit: memberAudit,
    },
    SuspensionLifted: {
      example: { ...membership, reason: null },
      sealed: [{ of: 'studentId', with: 'identity', gone: { reason: null } }],
      audit: memberAudit,
    },
    MemberWarned: {
      example: { ...membership, warningId: 'warning-1', text: 'No adverts, please', rank: 'MODERATOR' },
      sealed: [{ of: 'studentId', with: 'identity', gone: { text: '' } }],
      audit: { ...memberAudit, notForReceiver: true },
    },
    EntryRequested: {
      example: { ...membership, text: 'I am in class 7b' },
      sealed: [{ of: 'studentId', with: 'identity', gone: { text: null } }],
      audit: OWN_ACTION,
    },
    StudentInvited: { example: membership, audit: memberAudit },
    StudentInvitationRevoked: { example: membership, audit: memberAudit },
    InvitationUsed: { example: { ...membership, invitationId: 'invitation-1' }, audit: OWN_ACTION },
    EntryRequestWithdrawn: { example: membership, audit: OWN_ACTION },
    EntryRequestAccepted: { example: membership, audit: memberAudit },
    EntryRequestRefused: {
      example: { ...membership, reason: 'For class 7b only' },
      sealed: [{ of: 'studentId', with: 'identity', gone: { reason: null } }],
      audit: memberAudit,
    },
    AgeStated: {
      example: { ...membership, age: 16, band: 'BELOW' },
      sealed: [{ of: 'studentId', with: 'identity', gone: { band: null } }],
      audit: OWN_ACTION,
    },
    AgeForgotten: { example: membership, audit: memberAudit },
    GuardianAsked: { example: { ...membership, consentId: 'consent-1', age: 16 }, audit: OWN_ACTION },
    GuardianConsented: {
      example: { ...membership, consentId: 'consent-1', termsVersion: 'nimo-1' },
      audit: memberAudit,
    },
    GuardianRefused: { example: { ...membership, consentId: 'consent-1' }, audit: memberAudit },
    MemberRemoved: {
      example: { ...membership, reason: 'Left the school' },
      sealed: [{ of: 'studentId', with: 'identity', gone: { reason: null } }],
      audit: memberAudit,
    },
  },
});
