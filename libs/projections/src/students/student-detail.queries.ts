import type { PostType, Rank, RoleAssignment } from '@nimo/domain';
import { isArchivedColumn } from '../archived-space.sql.js';
import { isoTime, type Page, pageFrom, type PageRow, type Queryable } from '../queryable.js';
import { notOfRemovedSpace } from '../removed-space.sql.js';
import { isInForce } from '../suspension-in-force.sql.js';
import { excerptOf } from '@nimo/rich-text';
import { authorColumns, type AuthorColumns, authorFrom, type AuthorView } from './students.queries.js';

/** A person, as other members of a space see them. */
export interface SpacePersonView extends AuthorView {
  readonly joinedAt: string;
  /** False after leaving, which keeps posts and score. */
  readonly isMember: boolean;
  readonly isBlocked: boolean;
  /** Rank of the staff member who blocked the person; null unless blocked. */
  readonly blockedBy: Rank | null;
  /** Rank of the staff member who suspended the person in this space; null unless suspended. */
  readonly suspendedBy: Rank | null;
  /** When the suspension ends; null if it has to be lifted, or there is none. */
  readonly suspendedUntil: string | null;
  readonly roles: readonly RoleAssignment[];
  readonly isSpaceArchived: boolean;
}

interface SpacePersonColumns extends AuthorColumns {
  joined: string;
  is_member: boolean;
  is_blocked: boolean;
  blocked_by: Rank | null;
  suspended_by: Rank | null;
  suspended_until: string | null;
  roles: readonly RoleAssignment[];
  is_space_archived: boolean;
}

/** Finds a current or former member of a space. Null for everyone else, so that ids cannot be probed. */
export async function findPersonOfSpace(
  db: Queryable,
  { studentId, spaceId }: { readonly studentId: string; readonly spaceId: string },
): Promise<SpacePersonView | null> {
  const { rows } = await db.query<SpacePersonColumns>({
    name: 'person-of-space',
    text: `
      select ${authorColumns('s', 's.student_id')}, ${isoTime('m.joined_at')} as joined, m.left_at is null as is_member,
        s.is_blocked, s.blocked_by,
        case when u.student_id is null or ${isInForce('u')} then m.suspended_by end as suspended_by,
        case when ${isInForce('u')} then ${isoTime('u.ends_at')} end as suspended_until,
        (select coalesce(json_agg(json_build_object('role', r.role, 'spaceId', nullif(r.space_id, ''))), '[]')
           from read.student_roles r where r.student_id = s.student_id and ${notOfRemovedSpace('r.space_id')}) as roles,
        ${isArchivedColumn('m.space_id')} as is_space_archived
      from read.memberships m join read.students s on s.student_id = m.student_id
      left join read.suspensions u on u.space_id = m.space_id and u.student_id = m.student_id
      where m.space_id = $1 and m.student_id = $2 and s.is_registered and not s.is_erased and not s.is_stand_in`,
    values: [spaceId, studentId],
  });
  const [row] = rows;
  return row
    ? {
        ...authorFrom(row),
        joinedAt: row.joined,
        isMember: row.is_member,
        isBlocked: row.is_blocked,
        blockedBy: row.blocked_by,
        suspendedBy: row.suspended_by,
        suspendedUntil: row.suspended_until,
        roles: row.roles,
        isSpaceArchived: row.is_space_archived,
      }
    : null;
}

export interface StudentPostView {
  readonly _id: string;
  readonly postType: PostType;
  /** Title of the question. */
  readonly title: string;
  /** Plain text cut from the body. */
  readonly excerpt: string;
  readonly createdAt: string;
  readonly upvoteCount: number;
  /** Whether the question is solved, or the answer accepted. */
  readonly isAccepted: boolean;
  readonly question: { readonly _id: string };
}

interface PostColumns {
  post_id: string;
  post_type: PostType;
  question_id: string;
  title: string;
  beginning: string;
  created: string;
  upvotes: number;
  is_accepted: boolean;
}

export interface StudentPostsOptions {
  readonly studentId: string;
  readonly spaceId: string;
  readonly page?: number;
  readonly limit?: number;
}

const BY_AUTHOR = 'author_id = $1 and space_id = $2 and not is_removed';
/** Answers are hidden along with their question. */
const VISIBLE_ANSWERS = `
  read.answers x join read.questions q on q.question_id = x.question_id and not q.is_removed
  where x.author_id = $1 and x.space_id = $2 and not x.is_removed`;
/** Characters of the body to cut an excerpt from. */
const EXCERPT_SOURCE_LENGTH = 4_000;

/** Questions and answers of a student in a space, newest first. Counted exactly, because there are few per student. */
export async function pageOfStudentPosts(
  db: Queryable,
  { studentId, spaceId, page = 1, limit = 20 }: StudentPostsOptions,
): Promise<Page<StudentPostView>> {
  const { rows } = await db.query<PageRow<PostColumns>>({
    name: 'student-posts',
    text: `
      select total.n as total, page.* from (
        select ((select count(*) from read.questions where ${BY_AUTHOR}) + (select count(*) from ${VISIBLE_ANSWERS}))::int as n
      ) total
      left join lateral (
        select hit.post_id, hit.post_type, hit.question_id, q.title, ${isoTime('hit.created_at')} as created, hit.created_at,
          case when hit.post_type = 'QUESTION' then q.excerpt
            else (select left(x.body, ${EXCERPT_SOURCE_LENGTH}) from read.answers x where x.answer_id = hit.post_id) end as beginning,
          coalesce(v.upvotes, 0)::int as upvotes,
          case when hit.post_type = 'QUESTION' then q.accepted_answer_id is not null
            else q.accepted_answer_id is not distinct from hit.post_id end as is_accepted
        from (
          (select question_id as post_id, 'QUESTION' as post_type, question_id, created_at from read.questions
           where ${BY_AUTHOR} order by created_at desc, question_id desc limit $3)
          union all
          (select x.answer_id, 'ANSWER', x.question_id, x.created_at from ${VISIBLE_ANSWERS}
           order by x.created_at desc, x.answer_id desc limit $3)
          order by created_at desc, post_id desc offset $4 limit $5
        ) hit
        join read.questions q on q.question_id = hit.question_id
        left join read.post_votes v on v.post_id = hit.post_id
      ) page on true
      order by page.created_at desc, page.post_id desc`,
    values: [studentId, spaceId, page * limit, (page - 1) * limit, limit],
  });
  return pageFrom(rows, { page, limit, idColumn: 'post_id' }, postFrom);
}

const postFrom = (row: PostColumns): StudentPostView => ({
  _id: row.post_id,
  postType: row.post_type,
  title: row.title,
  excerpt: row.post_type === 'QUESTION' ? row.beginning : excerptOf(row.beginning),
  createdAt: row.created,
  upvoteCount: row.upvotes,
  isAccepted: row.is_accepted,
  question: { _id: row.question_id },
});
