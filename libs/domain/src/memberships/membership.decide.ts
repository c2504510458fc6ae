import { requireActive, type ActingStudent } from '../authority.js';
import { DomainError } from '../errors.js';
import type { SpaceJoined, SpaceLeft } from '../events.js';
import type { MembershipState } from './membership.state.js';

export type JoinSpace = {
  readonly actor: ActingStudent;
  readonly spaceId: string;
  readonly spaceExists: boolean;
};

export const joinSpace = (
  { actor, spaceId, spaceExists }: JoinSpace,
  state: MembershipState,
): readonly SpaceJoined[] => {
  requireActive(actor);
  if (!spaceExists) throw new DomainError('SPACE_NOT_FOUND');
  return state.isMember ? [] : [{ type: 'SpaceJoined', data: { spaceId, studentId: actor.studentId } }];
};

export type LeaveSpace = { readonly actor: ActingStudent; readonly spaceId: string };

/** Posts and score stay. */
export const leaveSpace = ({ actor, spaceId }: LeaveSpace, state: MembershipState): readonly SpaceLeft[] => {
  requireActive(actor);
  return state.isMember ? [{ type: 'SpaceLeft', data: { spaceId, studentId: actor.studentId } }] : [];
};
