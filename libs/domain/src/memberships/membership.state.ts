import type { Decider } from '../decider.js';
import type { MembershipStatus } from '../authority.js';
import { unreachable } from '../errors.js';
import type { AgeBand, MembershipEvent, Rank } from '../events.js';
import { membershipStream } from '../stream-ids.js';

export type MembershipState = {
  readonly isMember: boolean;
  /** Rank of the person who suspended the member. Rejoining does not lift a suspension. */
  readonly suspendedBy: Rank | null;
  /** When the suspension ends, as an ISO instant in UTC; null if it has to be lifted. */
  readonly suspendedUntil: string | null;
  /** Warnings given so far. */
  readonly warnings: number;
  readonly hasRequested: boolean;
  /** Personally invited by staff, for one use. */
  readonly isInvited: boolean;
  /** Removed by a moderator, so that shared invitations no longer apply. */
  readonly wasRemoved: boolean;
  /** Shared invitation the member joined with: a link, code, list or rule. */
  readonly invitationId: string | null;
  /** Null if never stated, or reset. */
  readonly stated: StatedAge | null;
  /** Latest request to a guardian. */
  readonly consent: {
    readonly id: string;
    /** In years, as asked at the time. */
    readonly age: number;
    readonly standing: 'ASKED' | 'GIVEN' | 'REFUSED';
  } | null;
};

/** A student's answer when a space asked about an age in years. */
export type StatedAge = { readonly age: number; readonly band: AgeBand };

/** @returns the rank of the person whose suspension applies at that time; null if none does */
export const suspendedAt = ({ suspendedBy, suspendedUntil }: MembershipState, now: string): Rank | null =>
  suspendedUntil !== null && Date.parse(suspendedUntil) <= Date.parse(now) ? null : suspendedBy;

/** Membership as required by decisions of other streams. */
export const membershipStatus = (state: MembershipState, now: string): MembershipStatus =>
  suspendedAt(state, now) === null ? state.isMember : 'SUSPENDED';

export const membershipDecider: Decider<
  MembershipState,
  MembershipEvent,
  [spaceId: string, studentId: string]
> = {
  stream: membershipStream,
  initial: {
    isMember: false,
    suspendedBy: null,
    suspendedUntil: null,
    warnings: 0,
    hasRequested: false,
    isInvited: false,
    wasRemoved: false,
    invitationId: null,
    stated: null,
    consent: null,
  },
  evolve: (state, event) => {
    switch (event.type) {
      case 'SpaceJoined':
        return { ...state, isMember: true, hasRequested: false, isInvited: false, wasRemoved: false };
      case 'SpaceLeft':
        return { ...state, isMember: false, invitationId: null };
      case 'MemberSuspended':
        return { ...state, suspendedBy: event.data.rank, suspendedUntil: event.data.until ?? null };
      case 'SuspensionLifted':
        return { ...state, suspendedBy: null, suspendedUntil: null };
      case 'MemberWarned':
        return { ...state, warnings: state.warnings + 1 };
      case 'EntryRequested':
        return { ...state, hasRequested: true };
      case 'EntryRequestWithdrawn':
      case 'EntryRequestRefused':
        return { ...state, hasRequested: false };
      case 'EntryRequestAccepted':
        return { ...state, hasRequested: false, wasRemoved: false };
      case 'StudentInvited':
        return { ...state, isInvited: true };
      case 'StudentInvitationRevoked':
        return { ...state, isInvited: false };
      case 'InvitationUsed':
        return { ...state, invitationId: event.data.invitationId };
      case 'MemberRemoved':
        return { ...state, wasRemoved: true };
      case 'AgeStated': {
        const { age, band } = event.data;
        return { ...state, stated: band && { age, band } };
      }
      case 'AgeForgotten':
        return { ...state, stated: null };
      case 'GuardianAsked':
        return { ...state, consent: { id: event.data.consentId, age: event.data.age, standing: 'ASKED' } };
      case 'GuardianConsented':
        return { ...state, consent: state.consent && { ...state.consent, standing: 'GIVEN' } };
      case 'GuardianRefused':
        return { ...state, consent: state.consent && { ...state.consent, standing: 'REFUSED' } };
      default:
        return unreachable(event);
    }
  },
  snapshot: 'membership 7',
};
