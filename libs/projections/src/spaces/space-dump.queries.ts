import { type MentionNames, mentionNamesSql, withPlainNames } from '../mention-names.js';
import type { Statement } from '../queryable.js';

/** Numeric ids of people and posts, chronological and consistent across files. */
const NUMBERED = `
  people as (
    select student_id, row_number() over (order by created_at, student_id) as number from read.students
    where student_id in (
      select student_id from read.memberships where space_id = $1
      union select author_id from read.questions where space_id = $1
      union select author_id from read.answers where space_id = $1
      union select author_id from read.comments where space_id = $1)
  ),
  shown_questions as (select * from read.questions where space_id = $1 and not is_removed),
  shown_answers as (
    select a.* from read.answers a join shown_questions q using (question_id) where not a.is_removed
  ),
  posts as (
    select post_id, row_number() over (order by created_at, post_id) as number from (
      select question_id as post_id, created_at from shown_questions
      union all select answer_id, created_at from shown_answers) all_posts
  )`;

const TIME = (column: string): string =>
  `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS')`;

const USERS = `
  select p.number as "Id", ${TIME('s.created_at')} as "CreationDate",
    case when s.is_erased then 'Deleted student' else nullif(trim(concat(s.first_name, ' ', s.last_name)), '') end as "DisplayName",
    greatest(1, coalesce(l.score, 1)) as "Reputation", nullif(s.profile_desc, '') as "AboutMe"
  from people p join read.students s using (student_id)
  left join read.leaderboard l on l.student_id = p.student_id and l.space_id = $1
  order by p.number`;

const POSTS = `
  select p.number as "Id", 1 as "PostTypeId", null::bigint as "ParentId", accepted.number as "AcceptedAnswerId",
    ${TIME('q.created_at')} as "CreationDate", ${TIME('q.edited_at')} as "LastEditDate", u.number as "OwnerUserId",
    q.title as "Title", q.body as "Body", '|' || array_to_string(q.tags, '|') || '|' as "Tags",
    q.answer_count as "AnswerCount", q.comments_count as "CommentCount"
  from shown_questions q join posts p on p.post_id = q.question_id
  left join people u on u.student_id = q.author_id left join posts accepted on accepted.post_id = q.accepted_answer_id
  union all
  select p.number, 2, parent.number, null, ${TIME('a.created_at')}, ${TIME('a.edited_at')}, u.number,
    null, a.body, null, null, a.comments_count
  from shown_answers a join posts p on p.post_id = a.answer_id join posts parent on parent.post_id = a.question_id
  left join people u on u.student_id = a.author_id
  order by 1`;

const COMMENTS = `
  select row_number() over (order by c.created_at, c.comment_id) as "Id", p.number as "PostId",
    ${TIME('c.created_at')} as "CreationDate", u.number as "UserId", c.body as "Text",
    ${mentionNamesSql('c.mentioned_student_ids')} as mentioned
  from read.comments c join posts p on p.post_id = c.parent_id left join people u on u.student_id = c.author_id
  where c.space_id = $1 and not c.is_removed
  order by 1`;

/** Votes have a day but no voter; bookmarks have both. Acceptances use the day of the answer. */
const VOTES = `
  select row_number() over (order by at, kind, post, voter) as "Id", post as "PostId", kind as "VoteTypeId",
    to_char(at at time zone 'UTC', 'YYYY-MM-DD"T00:00:00.000"') as "CreationDate", voter as "UserId"
  from (
    select p.number as post, case v.direction when 'UP' then 2 else 3 end as kind, coalesce(q.created_at, a.created_at) as at,
      null::bigint as voter
    from read.votes v join posts p using (post_id)
    left join shown_questions q on q.question_id = v.post_id left join shown_answers a on a.answer_id = v.post_id
    where v.is_held and cardinality(v.invalid_in) = 0
    union all
    select p.number, 1, a.created_at, null from shown_questions q
    join posts p on p.post_id = q.accepted_answer_id join shown_answers a on a.answer_id = q.accepted_answer_id
    union all
    select p.number, 5, b.saved_at, u.number from read.bookmarks b
    join posts p on p.post_id = b.question_id left join people u using (student_id)
    where b.space_id = $1
  ) votes
  order by 1`;

const TAGS = `
  select row_number() over (order by count(*) desc, tag) as "Id", tag as "TagName", count(*) as "Count"
  from shown_questions, unnest(tags) tag group by tag
  order by 1`;

type DumpRow = Readonly<Record<string, unknown>>;

export interface DumpedFile extends Statement {
  /** Converts a row to its form in the file. */
  readonly shown?: (row: DumpRow) => DumpRow;
}

/** Statements for the files of a Stack Exchange dump, by file name. Only includes what members of the space see. */
export const spaceDump = (spaceId: string): ReadonlyMap<string, DumpedFile> =>
  new Map(
    Object.entries({ Users: USERS, Posts: POSTS, Comments: COMMENTS, Votes: VOTES, Tags: TAGS }).map(
      ([file, text]) => [
        file,
        {
          text: `with ${NUMBERED} ${text}`,
          values: [spaceId],
          ...(file === 'Comments' && { shown: withMentions }),
        },
      ],
    ),
  );

const withMentions = ({ mentioned, ...row }: DumpRow): DumpRow => ({
  ...row,
  Text: withPlainNames(String(row['Text']), (mentioned ?? {}) as MentionNames),
});

/** Deleted posts of a space. */
export const deletedPosts = (spaceId: string): Statement => ({
  text: `select question_id as "postId" from read.questions where space_id = $1 and is_deleted
    union all select answer_id from read.answers where space_id = $1 and is_deleted
    union all select comment_id from read.comments where space_id = $1 and is_deleted`,
  values: [spaceId],
});
