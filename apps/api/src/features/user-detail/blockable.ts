import {
  isAbove,
  isModeratorOf,
  mayLift,
  rankOf,
  mayBlockAccounts,
  type DomainErrorCode,
  type Rank,
} from '@nimo/domain';
import type { SpacePersonView } from '@nimo/projections';
import type { Viewer } from '../../platform/auth/viewer.js';

type BlockScope = 'ACCOUNT' | 'SPACE';

export interface Blocking {
  /** BLOCKED if the account is blocked or suspended in the space. */
  readonly accountStatus: 'ACTIVE' | 'BLOCKED';
  /** Scope of the current block, or of the block that the viewer could place. */
  readonly blockScope: BlockScope;
  readonly isBlockable: boolean;
  /** Why not; null if blockable. */
  readonly blockRefusal: DomainErrorCode | null;
  /** Whether the viewer could suspend the person in the space now, or replace the suspension. */
  readonly isSuspendable: boolean;
  /** Whether the viewer could warn the person in the space. */
  readonly isWarnable: boolean;
  /** Whether the viewer may remove all posts of the person in the space. */
  readonly arePostsRemovable: boolean;
  /** When the current suspension ends; null if it has to be lifted, or there is none. */
  readonly suspendedUntil: string | null;
}

/** For viewers without staff rights in the space. */
export const NOT_STAFF = {
  accountStatus: null,
  blockScope: null,
  isBlockable: false,
  blockRefusal: null,
  isSuspendable: false,
  isWarnable: false,
  arePostsRemovable: false,
  suspendedUntil: null,
} as const;

type Person = Pick<
  SpacePersonView,
  | '_id'
  | 'isBlocked'
  | 'blockedBy'
  | 'suspendedBy'
  | 'suspendedUntil'
  | 'roles'
  | 'isMember'
  | 'isSpaceArchived'
>;

/** Mirrors the rules of the block decisions; null for viewers without staff rights here. */
export function blockingOf(viewer: Viewer, person: Person, spaceId: string): Blocking | null {
  const managesAccounts = mayBlockAccounts(viewer);
  if (!managesAccounts && !isModeratorOf(viewer, spaceId)) return null;
  const scope = scopeOf(person, managesAccounts);
  const refusal = refusalOf(viewer, person, scope, spaceId);
  const isAuthorized = !person.isSpaceArchived && authorityRefusalOf(viewer, person, spaceId) === null;
  return {
    accountStatus: person.isBlocked || person.suspendedBy !== null ? 'BLOCKED' : 'ACTIVE',
    blockScope: scope,
    isBlockable: refusal === null,
    blockRefusal: refusal,
    isSuspendable:
      person.isMember && !person.isBlocked && refusalOf(viewer, person, 'SPACE', spaceId) === null,
    isWarnable: person.isMember && isAuthorized,
    arePostsRemovable: isAuthorized,
    suspendedUntil: person.suspendedUntil,
  };
}

function scopeOf({ isBlocked, suspendedBy }: Person, managesAccounts: boolean): BlockScope {
  if (isBlocked) return 'ACCOUNT';
  return suspendedBy !== null || !managesAccounts ? 'SPACE' : 'ACCOUNT';
}

/** @param spaceId undefined for the whole account */
function authorityRefusalOf(
  viewer: Viewer,
  person: Person,
  spaceId: string | undefined,
): DomainErrorCode | null {
  if (person._id === viewer.studentId) return 'OWN_ACCOUNT_BLOCK';
  if (spaceId === undefined ? !mayBlockAccounts(viewer) : !isModeratorOf(viewer, spaceId))
    return 'BLOCKED_BY_HIGHER_RANK';
  return isAbove(rankOf(viewer, spaceId), rankOf(person, spaceId)) ? null : 'NOT_ABOVE_IN_RANK';
}

function refusalOf(
  viewer: Viewer,
  person: Person,
  scope: BlockScope,
  spaceId: string,
): DomainErrorCode | null {
  const isOfSpace = scope === 'SPACE';
  const refusal = authorityRefusalOf(viewer, person, isOfSpace ? spaceId : undefined);
  if (refusal !== null) return refusal;
  if (isOfSpace && person.isSpaceArchived) return 'SPACE_ARCHIVED';
  const rank: Rank = rankOf(viewer, isOfSpace ? spaceId : undefined);
  if (person.blockedBy !== null && !mayLift(rank, person.blockedBy)) return 'BLOCKED_BY_HIGHER_RANK';
  if (isOfSpace && person.suspendedBy !== null && !mayLift(rank, person.suspendedBy))
    return 'BLOCKED_BY_HIGHER_RANK';
  return isOfSpace && !person.isMember && person.suspendedBy === null ? 'STUDENT_NOT_FOUND' : null;
}
