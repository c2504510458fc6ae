import type { Decider } from '../decider.js';
import type { InSpace } from '../authority.js';
import { unreachable } from '../errors.js';
import type { AgeBand, MembershipEvent, Rank } from '../events.js';
import { membershipStream } from '../stream-ids.js';

export type MembershipState = {
  readonly isMember: boolean;
  /** The rank of whoever suspended, while it stands: leaving and joining again does not end it. */
  readonly suspendedBy: Rank | null;
  readonly hasRequested: boolean;
  /** By staff, for one time. */
  readonly isInvited: boolean;
  /** By a moderator, since when no invitation lets the student in. */
  readonly wasRemoved: boolean;
  /** The invitation that let the member in: a link, a code, a list or a rule; null for those who joined without one. */
  readonly invitationId: string | null;
  /** Null where the space never asked, or asks again. */
  readonly stated: StatedAge | null;
  /** Of the latest asking. */
  readonly consent: {
    readonly id: string;
    /** In years, as the space asked. */
    readonly age: number;
    readonly standing: 'ASKED' | 'GIVEN' | 'REFUSED';
  } | null;
};

/** What a student said when a space asked about an age in years. */
export type StatedAge = { readonly age: number; readonly band: AgeBand };

/** As decisions of other streams see it. */
export const inSpace = ({ isMember, suspendedBy }: MembershipState): InSpace =>
  suspendedBy === null ? isMember : 'SUSPENDED';

export const membershipDecider: Decider<
  MembershipState,
  MembershipEvent,
  [spaceId: string, studentId: string]
> = {
  stream: membershipStream,
  initial: {
    isMember: false,
    suspendedBy: null,
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
        return { ...state, suspendedBy: event.data.rank };
      case 'SuspensionLifted':
        return { ...state, suspendedBy: null };
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
  snapshot: 'membership 5',
};
