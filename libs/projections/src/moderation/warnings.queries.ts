import type { ReportedPostType } from '@nimo/domain';
import type { ModeratorScope } from '../moderator-scope.js';
import { isoTime, type Queryable } from '../queryable.js';
import { notOfRemovedSpace } from '../removed-space.sql.js';
import { type AuthorView, findAuthorsByIds } from '../students/students.queries.js';
import { staffWordsOf } from './staff-words.table.js';

/** A warning as moderators of the space see it. */
export interface WarningView {
  readonly _id: string;
  readonly text: string;
  readonly warnedAt: string;
  readonly spaceId: string;
  readonly spaceName: string;
  /** Null for an operator, or if erased. */
  readonly moderator: AuthorView | null;
  /** Reported post that the warning is about. */
  readonly post: {
    readonly postId: string;
    readonly postType: ReportedPostType;
    /** Title of the question. */
    readonly title: string;
  } | null;
}

interface WarningColumns {
  id: string;
  text: string;
  warned: string;
  space_id: string;
  space_name: string | null;
  moderator_id: string | null;
  post_id: string | null;
  post_type: ReportedPostType | null;
  title: string | null;
}

/** Warnings of a student in the moderator's spaces, newest first. At most `MAX_WARNINGS` per space. */
export async function listWarnings(
  db: Queryable,
  { studentId, spaces }: Pick<ModeratorScope, 'spaces'> & { readonly studentId: string },
): Promise<WarningView[]> {
  const { rows } = await db.query<WarningColumns>({
    name: 'warnings-of-student',
    text: `
      select x.warning_id as id, coalesce(${staffWordsOf('x.student_id', 'x.ordinal')}, '') as text,
        ${isoTime('x.warned_at')} as warned, x.space_id, s.name as space_name, x.moderator_id, c.post_id, c.post_type, q.title
      from read.warnings x
      left join read.spaces s on s.space_id = x.space_id
      left join read.moderation_cases c on c.post_id = x.post_id
      left join read.questions q on q.question_id = c.question_id
      where x.student_id = $1 and ($2::text[] is null or x.space_id = any($2)) and ${notOfRemovedSpace('x.space_id')}
      order by x.warned_at desc, x.warning_id`,
    values: [studentId, spaces === 'all' ? null : spaces],
  });
  const moderators = await findAuthorsByIds(
    db,
    rows.map(({ moderator_id }) => moderator_id ?? ''),
  );
  return rows.map((row, place) => ({
    _id: row.id,
    text: row.text,
    warnedAt: row.warned,
    spaceId: row.space_id,
    spaceName: row.space_name ?? '',
    moderator: moderators[place] ?? null,
    post:
      row.post_id === null || row.post_type === null
        ? null
        : { postId: row.post_id, postType: row.post_type, title: row.title ?? '' },
  }));
}
