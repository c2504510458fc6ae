import { requireStaffOf, type Authority } from '../authority.js';
import type { Decider } from '../decider.js';
import { DomainError, unreachable } from '../errors.js';
import type {
  InvitationEvent,
  InvitationKind,
  InvitationMade,
  InvitationRevoked,
  SpaceEntry,
} from '../events.js';
import {
  MAX_INVITATION_DAYS,
  MAX_INVITATION_GROUP_LENGTH,
  MAX_INVITATION_USES,
  MAX_INVITED_CONTACTS,
} from '../limits.js';
import { requireContact, type Contact } from '../students/contact.decide.js';
import { requireAtMost } from '../validation/content.js';
import { emailKey, requireEmailDomain } from '../validation/identity.js';
import { isBlankText } from '../validation/visible-text.js';

/** Undefined before creation. Expiry and remaining uses are tracked in the `state` schema. */
export type InvitationState = (InvitationMade['data'] & { readonly isRevoked: boolean }) | undefined;

export const invitationDecider: Decider<InvitationState, InvitationEvent, [invitationId: string]> = {
  stream: (invitationId) => `invitation-${invitationId}`,
  initial: undefined,
  evolve: (state, event) => {
    switch (event.type) {
      case 'InvitationMade':
        return { ...event.data, isRevoked: false };
      case 'InvitationRevoked':
        return state && { ...state, isRevoked: true };
      default:
        return unreachable(event);
    }
  },
};

const DAY_MS = 24 * 60 * 60 * 1_000;

/** Details of a new invitation. Fields that its kind does not use are ignored. */
export type InvitationDetails = {
  readonly kind: InvitationKind;
  readonly uses: number | null;
  readonly days: number | null;
  readonly domain: string | null;
  readonly provider: string | null;
  readonly group: string | null;
  /** Number of contacts on the list, for `LIST`. */
  readonly contacts: number;
};

export type CreateInvitation = {
  readonly by: Authority;
  readonly invitationId: string;
  readonly spaceId: string;
  /** Current value of the space; undefined if there is no such space. */
  readonly entry: SpaceEntry | undefined;
  readonly details: InvitationDetails;
  readonly now: string;
};

/**
 * Links, codes and lists expire. Domains and groups stay valid until they are revoked.
 * @throws DomainError FORBIDDEN, SPACE_NOT_FOUND, SPACE_IS_OPEN, or for invalid details
 */
export const createInvitation = (
  { by, invitationId, spaceId, entry, details, now }: CreateInvitation,
  state: InvitationState,
): readonly InvitationMade[] => {
  requireStaffOf(by, spaceId);
  if (entry === undefined || entry === 'IMPORTING') throw new DomainError('SPACE_NOT_FOUND');
  if (entry === 'OPEN') throw new DomainError('SPACE_IS_OPEN');
  const terms = termsOf(details, now);
  return state
    ? []
    : [{ type: 'InvitationMade', data: { invitationId, spaceId, kind: details.kind, ...terms } }];
};

type Terms = Pick<InvitationMade['data'], 'uses' | 'expiresAt' | 'rule'>;

const termsOf = (details: InvitationDetails, now: string): Terms => {
  const { kind, uses, days, contacts } = details;
  switch (kind) {
    case 'LINK':
    case 'CODE':
      return { uses: requireUses(uses), expiresAt: expiryOf(days, now), rule: null };
    case 'LIST':
      return { uses: contacts, expiresAt: expiryOf(days, now), rule: null };
    case 'DOMAIN':
      return { uses: null, expiresAt: null, rule: requireEmailDomain(details.domain ?? '') };
    case 'GROUP':
      return { uses: null, expiresAt: null, rule: groupRule(details) };
    default:
      return unreachable(kind);
  }
};

const isWithin = (value: number | null, max: number): value is number =>
  value !== null && Number.isInteger(value) && value >= 1 && value <= max;

const requireUses = (uses: number | null): number => {
  if (!isWithin(uses, MAX_INVITATION_USES))
    throw new DomainError('INVITATION_USES_INVALID', { max: MAX_INVITATION_USES });
  return uses;
};

const expiryOf = (days: number | null, now: string): string => {
  if (!isWithin(days, MAX_INVITATION_DAYS))
    throw new DomainError('INVITATION_DAYS_INVALID', { max: MAX_INVITATION_DAYS });
  return new Date(Date.parse(now) + days * DAY_MS).toISOString();
};

const groupRule = ({ provider, group }: InvitationDetails): string => {
  const name = group?.trim() ?? '';
  if (provider === null) throw new DomainError('PROVIDER_WITHOUT_GROUPS');
  if (isBlankText(name))
    throw new DomainError('INVITATION_GROUP_INVALID', { max: MAX_INVITATION_GROUP_LENGTH });
  return `${provider}:${requireAtMost(name, MAX_INVITATION_GROUP_LENGTH, 'INVITATION_GROUP_INVALID')}`;
};

export type RevokeInvitation = {
  readonly by: Authority;
  readonly spaceId: string;
  readonly invitationId: string;
};

/** Members who used the invitation stay. @throws DomainError FORBIDDEN, INVITATION_UNKNOWN */
export const revokeInvitation = (
  { by, spaceId, invitationId }: RevokeInvitation,
  state: InvitationState,
): readonly InvitationRevoked[] => {
  requireStaffOf(by, spaceId);
  // Permission was only checked for this space.
  if (state?.spaceId !== spaceId) throw new DomainError('INVITATION_UNKNOWN');
  return state.isRevoked ? [] : [{ type: 'InvitationRevoked', data: { invitationId, spaceId } }];
};

const MAX_INVALID_LINES_SHOWN = 20;

/**
 * Parses a pasted list, separated by line breaks, commas or semicolons, and drops duplicates.
 * @throws DomainError INVITED_CONTACTS_REQUIRED, TOO_MANY_INVITED_CONTACTS, INVITED_CONTACTS_INVALID with the invalid line numbers
 */
export const parseContacts = (text: string): readonly Contact[] => {
  const found = new Map<string, Contact>();
  const invalid = new Set<number>();
  text.split(/\r\n|\r|\n/).forEach((line, index) => {
    for (const entry of line.split(/[,;]/)) {
      if (entry.trim() === '') continue;
      const contact = contactOf(entry);
      if (contact) found.set(`${contact.kind} ${emailKey(contact.value)}`, contact);
      else invalid.add(index + 1);
    }
  });
  if (invalid.size > 0)
    throw new DomainError('INVITED_CONTACTS_INVALID', { lines: shownLines([...invalid]) });
  if (found.size === 0) throw new DomainError('INVITED_CONTACTS_REQUIRED');
  if (found.size > MAX_INVITED_CONTACTS)
    throw new DomainError('TOO_MANY_INVITED_CONTACTS', { max: MAX_INVITED_CONTACTS });
  return [...found.values()];
};

const shownLines = (lines: readonly number[]): string =>
  lines.length > MAX_INVALID_LINES_SHOWN
    ? `${lines.slice(0, MAX_INVALID_LINES_SHOWN).join(', ')} …`
    : lines.join(', ');

function contactOf(entry: string): Contact | undefined {
  const isEmail = entry.includes('@');
  const value = isEmail ? entry : entry.replace(/[\s().+-]/g, '');
  try {
    return requireContact({ kind: isEmail ? 'email' : 'phone', value });
  } catch (error) {
    if (error instanceof DomainError) return undefined;
    throw error;
  }
}
