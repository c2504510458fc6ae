import { Injectable } from '@nestjs/common';
import { DomainError } from '@nimo/domain';
import { isMemberOf } from '@nimo/projections';
import { Pool } from 'pg';
import { hasRole, type Viewer } from '../../platform/auth/viewer.js';

/** Lists, search, leaderboard and people of a space are for its members, and for those who moderate it. */
@Injectable()
export class SpaceAccess {
  constructor(private readonly pool: Pool) {}

  /** @throws DomainError NOT_A_MEMBER */
  async assertMayRead(viewer: Viewer, spaceId: string): Promise<void> {
    if (hasRole(viewer, 'MODERATOR', spaceId)) return;
    if (!(await isMemberOf(this.pool, spaceId, viewer.studentId))) throw new DomainError('NOT_A_MEMBER');
  }
}
