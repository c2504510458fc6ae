import { mentionsOf, mentionNamesSql, withNames } from '../mention-names.js';
import { isoTime, type Page, pageFrom, type PageRow, type Queryable } from '../queryable.js';
import {
  authorColumns,
  type AuthorColumns,
  authorFrom,
  type AuthorView,
} from '../students/students.queries.js';
import type { ActivityType } from './activities.projection.js';

export type { ActivityType } from './activities.projection.js';
export type ActivityDataKind = 'Question' | 'Answer' | 'Comment' | 'QuestionComment';

/** Longer bodies are cut: lists of activities are skimmed, not read. */
export const ACTIVITY_BODY_LENGTH = 2_000;

export interface ActivityView {
  readonly _id: string;
  readonly createdAt: string;
  readonly activityType: ActivityType;
  readonly dataResolve: ActivityDataKind;
  readonly subject: { readonly _id: string; readonly subjectName: string; readonly color: string };
  readonly topic: { readonly _id: string; readonly topicName: string };
  readonly student: AuthorView;
  readonly postId: string;
  readonly questionId: string;
  readonly answerId: string | null;
  /** Title of the question. */
  readonly title: string;
  /** Sanitised HTML of a question or answer, cut after `ACTIVITY_BODY_LENGTH` characters; the full text of a comment. */
  readonly body: string;
  /** Names mentioned in a comment. */
  readonly mentions: readonly string[];
}

interface ActivityColumns extends AuthorColumns {
  type: ActivityType;
  post_id: string;
  created: string;
  question_id: string;
  answer_id: string | null;
  title: string;
  body: string;
  subject_id: string;
  subject_name: string | null;
  subject_color: string | null;
  topic_id: string;
  topic_name: string | null;
  names: Record<string, string | null> | null;
}

export interface ActivityPageOptions {
  readonly studentId: string;
  readonly spaceId: string;
  /** Votes are visible only to the voter. */
  readonly withVotes: boolean;
  readonly page?: number;
  readonly limit?: number;
}

/** Activities on posts that are not removed, directly or with a parent post. */
const VISIBLE_ACTIVITIES = `
  read.activities n
  join read.questions q on q.question_id = n.question_id and not q.is_removed
  left join read.answers x on x.answer_id = n.answer_id
  left join read.comments c on c.comment_id = n.post_id
  where n.student_id = $1 and n.space_id = $2 and ($3 or n.type like 'CREATE%')
    and (n.answer_id is null or not x.is_removed)
    and (n.type not in ('CREATE_COMMENT', 'CREATE_QUESTION_COMMENT') or not c.is_removed)`;

/** A student's activities in a space, newest first. Few enough per student to be counted on read. */
export async function pageOfActivities(
  db: Queryable,
  { studentId, spaceId, withVotes, page = 1, limit = 100 }: ActivityPageOptions,
): Promise<Page<ActivityView>> {
  const { rows } = await db.query<PageRow<ActivityColumns>>({
    name: 'activities-of-student',
    text: `
      select total.n as total, page.* from (select count(*)::int as n from ${VISIBLE_ACTIVITIES}) total
      left join lateral (
        select n.type, n.post_id, ${isoTime('n.created_at')} as created, n.created_at, n.question_id, n.answer_id, q.title,
          coalesce(c.body, left(coalesce(x.body, q.body), ${ACTIVITY_BODY_LENGTH})) as body,
          q.subject_id, j.subject_name, j.color as subject_color, q.topic_id, t.topic_name,
          ${authorColumns('a', 'n.student_id')},
          ${mentionNamesSql('c.mentioned_student_ids')} as names
        from (
          select n.* from ${VISIBLE_ACTIVITIES} order by n.created_at desc, n.post_id desc, n.type limit $4 offset $5
        ) n
        join read.questions q on q.question_id = n.question_id
        left join read.answers x on x.answer_id = n.answer_id
        left join read.comments c on c.comment_id = n.post_id
        left join read.subjects j on j.subject_id = q.subject_id
        left join read.topics t on t.topic_id = q.topic_id
        left join read.students a on a.student_id = n.student_id
      ) page on true
      order by page.created_at desc, page.post_id desc, page.type`,
    values: [studentId, spaceId, withVotes, limit, (page - 1) * limit],
  });
  return pageFrom(rows, { page, limit, idColumn: 'post_id' }, viewOf);
}

const DATA_KIND: Readonly<Record<ActivityType, ActivityDataKind>> = {
  CREATE_QUESTION: 'Question',
  UPVOTE_QUESTION: 'Question',
  DOWNVOTE_QUESTION: 'Question',
  CREATE_ANSWER: 'Answer',
  UPVOTE_ANSWER: 'Answer',
  DOWNVOTE_ANSWER: 'Answer',
  CREATE_COMMENT: 'Comment',
  CREATE_QUESTION_COMMENT: 'QuestionComment',
};

const viewOf = (row: ActivityColumns): ActivityView => ({
  _id: `${row.type}:${row.post_id}:${row.author_id}`,
  createdAt: row.created,
  activityType: row.type,
  dataResolve: DATA_KIND[row.type],
  subject: { _id: row.subject_id, subjectName: row.subject_name ?? '', color: row.subject_color ?? '' },
  topic: { _id: row.topic_id, topicName: row.topic_name ?? '' },
  student: authorFrom(row),
  postId: row.post_id,
  questionId: row.question_id,
  answerId: row.answer_id,
  title: row.title,
  body: row.names ? withNames(row.body, row.names) : row.body,
  mentions: row.names ? mentionsOf(row.body, row.names) : [],
});
