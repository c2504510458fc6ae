import { auditedAction } from '../audit.js';
import { slice } from '../vocabulary.js';

// Streams: `invitation-<invitationId>`. Secrets and contacts are never in the log; `state.invitation` keeps their hashes until they expire.

/** By link, by code, by a list of contacts, by email domain, or by group of a login provider. */
export type InvitationKind = 'LINK' | 'CODE' | 'LIST' | 'DOMAIN' | 'GROUP';

export type InvitationMade = {
  readonly type: 'InvitationMade';
  readonly data: {
    readonly invitationId: string;
    readonly spaceId: string;
    readonly kind: InvitationKind;
    /** Maximum uses; for a list, the number of contacts. Null if unlimited. */
    readonly uses: number | null;
    /** Null if valid until revoked. */
    readonly expiresAt: string | null;
    /** Email domain or `<provider>:<group>`; null for other kinds. */
    readonly rule: string | null;
  };
};
export type InvitationRevoked = {
  readonly type: 'InvitationRevoked';
  readonly data: { readonly invitationId: string; readonly spaceId: string };
};
export type InvitationEvent = InvitationMade | InvitationRevoked;

const invitation = { invitationId: 'invitation-1', spaceId: 'space-1' };

export const invitationEvents = slice<InvitationEvent>()({
  streams: ['invitation-'],
  errors: {
    INVITATION_UNKNOWN: {
      category: 'NOT_FOUND',
      message: 'Invitation not found. Check the link or the code.',
    },
    TOO_MANY_CODES_TRIED: {
      category: 'TOO_MANY_REQUESTS',
      message: 'Too many codes were tried. Please try again in an hour.',
    },
    CODE_REQUIRES_ACCOUNT: {
      category: 'TOO_MANY_REQUESTS',
      message: 'Too many wrong codes were tried here. Log in or sign up first, then enter the code again.',
    },
    INVITATION_EXPIRED: { category: 'FORBIDDEN', message: 'This invitation has expired. Ask for a new one.' },
    INVITATION_USED_UP: {
      category: 'FORBIDDEN',
      message: 'This invitation has no uses left. Ask for a new one.',
    },
    INVITATION_WITHDRAWN: {
      category: 'FORBIDDEN',
      message: 'This invitation was revoked. Ask for a new one.',
    },
    INVITATION_USES_INVALID: {
      category: 'VALIDATION',
      field: 'uses',
      message: 'An invitation can be used 1 to {max} times.',
    },
    INVITATION_DAYS_INVALID: {
      category: 'VALIDATION',
      field: 'days',
      message: 'An invitation can be valid for 1 to {max} days.',
    },
    INVITATION_DOMAIN_INVALID: {
      category: 'VALIDATION',
      field: 'domain',
      message: 'Enter the part after the @, for example school.example.',
    },
    INVITATION_GROUP_INVALID: {
      category: 'VALIDATION',
      field: 'group',
      message: 'Enter the exact name of the provider’s group, up to {max} characters.',
    },
    PROVIDER_WITHOUT_GROUPS: {
      category: 'VALIDATION',
      field: 'provider',
      message: 'This provider does not send groups.',
    },
    INVITED_CONTACTS_REQUIRED: {
      category: 'VALIDATION',
      field: 'contacts',
      message: 'Enter email addresses or mobile numbers, one per line.',
    },
    TOO_MANY_INVITED_CONTACTS: {
      category: 'VALIDATION',
      field: 'contacts',
      message: 'A list can have at most {max} addresses and numbers.',
    },
    INVITED_CONTACTS_INVALID: {
      category: 'VALIDATION',
      field: 'contacts',
      message: 'Not an email address or mobile number: line {lines}. Nothing was saved.',
    },
    TOO_MANY_INVITATIONS: {
      category: 'CONFLICT',
      message: 'A space can have at most {max} invitations. Revoke one first.',
    },
  },
  events: {
    InvitationMade: {
      example: {
        ...invitation,
        kind: 'LINK',
        uses: 30,
        expiresAt: '2026-12-01T00:00:00.000Z',
        rule: null,
      },
      audit: auditedAction(({ spaceId, kind, rule }) => ({ spaceId, about: rule ?? kind })),
    },
    InvitationRevoked: { example: invitation, audit: auditedAction(({ spaceId }) => ({ spaceId })) },
  },
});
