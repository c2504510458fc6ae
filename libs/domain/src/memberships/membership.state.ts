import type { Decider } from '../decider.js';
import type { InSpace } from '../authority.js';
import { unreachable } from '../errors.js';
import type { MembershipEvent, Rank } from '../events.js';
import { membershipStream } from '../stream-ids.js';

export type MembershipState = {
  readonly isMember: boolean;
  /** The rank of whoever suspended, while it stands: leaving and joining again does not end it. */
  readonly suspendedBy: Rank | null;
};

/** As decisions of other streams see it. */
export const inSpace = ({ isMember, suspendedBy }: MembershipState): InSpace =>
  suspendedBy === null ? isMember : 'SUSPENDED';

export const membershipDecider: Decider<
  MembershipState,
  MembershipEvent,
  [spaceId: string, studentId: string]
> = {
  stream: membershipStream,
  initial: { isMember: false, suspendedBy: null },
  evolve: (state, event) => {
    switch (event.type) {
      case 'SpaceJoined':
        return { ...state, isMember: true };
      case 'SpaceLeft':
        return { ...state, isMember: false };
      case 'MemberSuspended':
        return { ...state, suspendedBy: event.data.rank };
      case 'SuspensionLifted':
        return { ...state, suspendedBy: null };
      default:
        return unreachable(event);
    }
  },
  snapshot: 'membership 2',
};
