import type { PostRef } from '@nimo/domain';
import { namedSpaces, type Viewer } from '../../platform/auth/viewer.js';
import type { ReadScope } from '../../platform/traces/trace-rule.js';
import type { AuditFilterInput } from './audit-filter.input.js';
import type { AuditEntry } from './audit.type.js';

export interface AuditAsked {
  readonly filter?: AuditFilterInput | null;
}

interface AuditReadParts {
  readonly viewer: Viewer;
  /** As it was asked, of whatever way in. */
  readonly filter: AuditFilterInput | Readonly<Record<string, unknown>>;
  /** The first line that is shown; tells which post a list is of. */
  readonly first?: AuditEntry | undefined;
  readonly rows: number | null;
}

/** What a look into the audit was about: its spaces, and the post or the people that it was narrowed to. */
export function auditReadOf({ viewer, filter, first, rows }: AuditReadParts): ReadScope {
  const { space, post, voter, receiver } = filter as AuditFilterInput;
  const isOfPost = typeof post === 'string' && post !== '';
  const author = isOfPost ? first?.receiver?._id : undefined;
  return {
    spaceIds: isId(space) ? [space] : namedSpaces(viewer),
    studentIds: [voter, receiver, author].filter(isId),
    post: isOfPost && first?.post && first.space ? postOf(first, first.space._id) : null,
    filter: Object.fromEntries(Object.entries(filter)),
    rows,
  };
}

function postOf({ post, receiver }: AuditEntry, spaceId: string): PostRef | null {
  if (!post) return null;
  const { _id, postType, questionId } = post;
  return { postType, postId: _id, questionId, spaceId, postAuthorId: receiver?._id ?? '' };
}

const isId = (value: unknown): value is string => typeof value === 'string' && value !== '';
