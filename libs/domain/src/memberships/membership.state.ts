import { unreachable } from '../errors.js';
import type { SpaceJoined, SpaceLeft } from '../events.js';

export type MembershipEvent = SpaceJoined | SpaceLeft;
export type MembershipState = { readonly isMember: boolean };

export const initialMembership: MembershipState = { isMember: false };

export const evolveMembership = (_: MembershipState, event: MembershipEvent): MembershipState => {
  switch (event.type) {
    case 'SpaceJoined':
      return { isMember: true };
    case 'SpaceLeft':
      return { isMember: false };
    default:
      return unreachable(event);
  }
};
