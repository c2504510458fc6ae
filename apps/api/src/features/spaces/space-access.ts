import { Injectable } from '@nestjs/common';
import { DomainError } from '@nimo/domain';
import { isMemberOf, type Reader } from '@nimo/projections';
import { Pool } from 'pg';
import { hasRole, moderatedSpaces, type Viewer } from '../../platform/auth/viewer.js';

/** Who reads what is asked for by another id than that of a space. */
export const readerOf = (viewer: Viewer | null): Reader =>
  viewer ? { viewerId: viewer.studentId, moderated: moderatedSpaces(viewer) } : { viewerId: null };

/**
 * The rule of `SpaceAccess` where a query has found out itself whether the viewer is a member.
 * @throws DomainError NOT_A_MEMBER
 */
export function assertMember(viewer: Viewer, spaceId: string, isMember: boolean): void {
  if (!isMember && !hasRole(viewer, 'MODERATOR', spaceId)) throw new DomainError('NOT_A_MEMBER');
}

/** Lists, search, leaderboard and people of a space are for its members, and for those who moderate it. */
@Injectable()
export class SpaceAccess {
  constructor(private readonly pool: Pool) {}

  /** @throws DomainError NOT_A_MEMBER */
  async assertMayRead(viewer: Viewer, spaceId: string): Promise<void> {
    if (hasRole(viewer, 'MODERATOR', spaceId)) return;
    assertMember(viewer, spaceId, await isMemberOf(this.pool, spaceId, viewer.studentId));
  }
}
