import type { Rank } from '../event-parts.js';
import { act, OWN_ACT } from '../audit.js';
import { slice } from '../vocabulary.js';

// In the streams `membership-<spaceId>-<studentId>`.

export type SpaceJoined = {
  readonly type: 'SpaceJoined';
  readonly data: { readonly spaceId: string; readonly studentId: string };
};
export type SpaceLeft = {
  readonly type: 'SpaceLeft';
  readonly data: { readonly spaceId: string; readonly studentId: string };
};

/** May read in the space and do nothing there until it is lifted, also after leaving and joining again. */
export type MemberSuspended = {
  readonly type: 'MemberSuspended';
  readonly data: {
    readonly spaceId: string;
    readonly studentId: string;
    readonly reason: string;
    readonly rank: Rank;
  };
};
export type SuspensionLifted = {
  readonly type: 'SuspensionLifted';
  readonly data: { readonly spaceId: string; readonly studentId: string; readonly reason: string | null };
};
export type MembershipEvent = SpaceJoined | SpaceLeft | MemberSuspended | SuspensionLifted;

const membership = { spaceId: 'space-1', studentId: 'student-1' };

export const membershipEvents = slice<MembershipEvent>()({
  streams: ['membership-'],
  events: {
    SpaceJoined: {
      example: membership,
      audit: OWN_ACT,
    },
    SpaceLeft: {
      example: membership,
      audit: OWN_ACT,
    },
    MemberSuspended: {
      example: { ...membership, reason: 'Spam', rank: 'MODERATOR' },
      audit: act(({ spaceId, studentId, reason }) => ({ spaceId, receiverId: studentId, reason })),
    },
    SuspensionLifted: {
      example: { ...membership, reason: null },
      audit: act(({ spaceId, studentId, reason }) => ({ spaceId, receiverId: studentId, reason })),
    },
  },
});
