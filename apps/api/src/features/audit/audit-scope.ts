import { DomainError, isMaintainer } from '@nimo/domain';
import type { AuditFilter, AuditKind, AuditScope } from '@nimo/projections';
import { hasRole, moderatedSpaces, type Viewer } from '../../platform/auth/viewer.js';

/** What moderators of all spaces see of the acts that are of no space; the others are the maintainers'. */
const BLOCKS: readonly AuditKind[] = ['StudentBlocked', 'StudentUnblocked'];

/** @throws DomainError where a space is named that is not the reader's */
export function auditScopeOf(viewer: Viewer, { spaceId }: AuditFilter): AuditScope {
  const isStaff = hasRole(viewer, 'MODERATOR', spaceId) || isMaintainer(viewer);
  if (!isStaff) throw new DomainError('FORBIDDEN');
  const spaces = moderatedSpaces(viewer);
  const ofNoSpace = spaces === 'all' ? BLOCKS : [];
  return {
    spaces,
    // What staff did everywhere is a maintainer's business; who voted or reported is that of the space's moderators.
    actsOfAll: isMaintainer(viewer),
    withoutSpace: isMaintainer(viewer) ? 'all' : ofNoSpace,
    readerId: viewer.studentId,
  };
}
