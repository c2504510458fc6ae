import { Injectable } from '@nestjs/common';
import { DomainError } from '@nimo/domain';
import { findCaseStanding, type CaseStanding, type ModeratorScope } from '@nimo/projections';
import { Pool } from 'pg';
import { hasRole, moderatedSpaces, type Viewer } from '../../platform/auth/viewer.js';

/** Which cases somebody sees and decides on: those of the own spaces, never of the own posts or reports. */
@Injectable()
export class ModerationAccess {
  constructor(private readonly pool: Pool) {}

  /** A case of another space, of an own post or with an own report looks as one that there is not. @throws DomainError CASE_NOT_FOUND */
  async caseOf(viewer: Viewer, postId: string): Promise<CaseStanding> {
    const standing = await findCaseStanding(this.pool, postId);
    const isTheirs =
      standing &&
      hasRole(viewer, 'MODERATOR', standing.spaceId) &&
      standing.authorId !== viewer.studentId &&
      !standing.reporterIds.includes(viewer.studentId);
    if (!isTheirs) throw new DomainError('CASE_NOT_FOUND');
    return standing;
  }

  /** @throws DomainError FORBIDDEN for a space that somebody else moderates */
  scopeOf(viewer: Viewer, spaceId: string | null): ModeratorScope {
    if (spaceId !== null && !hasRole(viewer, 'MODERATOR', spaceId)) throw new DomainError('FORBIDDEN');
    const spaces = spaceId === null ? moderatedSpaces(viewer) : [spaceId];
    return { moderatorId: viewer.studentId, spaces };
  }
}
