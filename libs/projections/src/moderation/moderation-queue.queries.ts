import { type ReportedPostType, weightAt } from '@nimo/domain';
import { excerptOf } from '@nimo/rich-text';
import { commentExcerptOf, type MentionNames, mentionNamesSql } from '../mention-names.js';
import { IS_VISIBLE_TO_MODERATOR, type ModeratorScope } from '../moderator-scope.js';
import { isoTime, type Queryable } from '../queryable.js';
import { notOfRemovedSpace } from '../removed-space.sql.js';
import { findAuthorsByIds, type AuthorView } from '../students/students.queries.js';

export type QueueState = 'OPEN' | 'DECIDED';

/** The last case of the previous page. */
export interface QueueCursor {
  readonly rank: number;
  readonly postId: string;
}

export interface QueueOptions extends ModeratorScope {
  readonly state: QueueState;
  /** Only cases assigned to the moderator. */
  readonly isMine: boolean;
  readonly now: string;
  readonly limit: number;
  readonly after: QueueCursor | null;
}

export interface ReasonCount {
  readonly reason: string;
  readonly count: number;
}

export interface QueuedCaseView {
  readonly postId: string;
  readonly postType: ReportedPostType;
  readonly questionId: string;
  readonly spaceId: string;
  readonly spaceName: string;
  /** Title of the question. */
  readonly title: string;
  /** Plain-text excerpt of the post. */
  readonly excerpt: string;
  readonly author: AuthorView | null;
  readonly openReports: number;
  readonly reasons: readonly ReasonCount[];
  readonly firstReportedAt: string | null;
  readonly lastReportedAt: string | null;
  /** Null for decided cases. */
  readonly weight: number | null;
  readonly assignee: AuthorView | null;
  readonly lastDecision: string | null;
  readonly decidedBy: AuthorView | null;
  readonly decidedAt: string | null;
}

export interface QueueView {
  readonly docs: readonly QueuedCaseView[];
  readonly next: QueueCursor | null;
}

interface QueueColumns {
  post_id: string;
  rank: string;
  post_type: ReportedPostType;
  question_id: string;
  space_id: string;
  space_name: string | null;
  title: string | null;
  body: string | null;
  names: MentionNames | null;
  author_id: string;
  open_reports: number;
  reasons: readonly ReasonCount[];
  first_reported: string | null;
  last_reported: string | null;
  assignee_id: string | null;
  last_decision: string | null;
  decided_by: string | null;
  decided: string | null;
}

const MILLISECONDS = '(extract(epoch from c.decided_at) * 1000)::bigint';

/** Heaviest first, then by ID. The first condition is redundant but lets the index scan start at the cursor. */
const AFTER = `($3::bigint is null or q.rank <= $3) and ($3::bigint is null or q.rank < $3 or q.post_id > $4::text)`;

/** Posts that were only part of a removal are listed there. */
const WAS_REPORTED = "c.reports <> '[]'";

/** Scans the index of each space from the heaviest case, or the latest decision, up to the page size. */
const INDEX_SCANS: Readonly<Record<QueueState, Readonly<Record<'all' | 'some', string>>>> = {
  OPEN: {
    all: `select q.post_id, q.rank from read.moderation_queue q join read.moderation_cases c using (post_id)
          where $2::text[] is not null and ${AFTER} {visible}
          order by q.rank desc, q.post_id limit $5`,
    some: `select scan.* from unnest($2::text[]) as s(space_id) cross join lateral (
             select q.post_id, q.rank from read.moderation_queue q join read.moderation_cases c using (post_id)
             where q.space_id = s.space_id
               and ${AFTER} {visible}
             order by q.rank desc, q.post_id limit $5) scan`,
  },
  DECIDED: {
    all: `select c.post_id, ${MILLISECONDS} as rank from read.moderation_cases c
          where $2::text[] is not null and c.open_reports = 0 and c.decided_at is not null and ${WAS_REPORTED}
            and ($3::bigint is null or c.decided_at <= to_timestamp(($3 + 1) / 1000.0))
            and ($3::bigint is null or ${MILLISECONDS} < $3 or c.post_id > $4::text) {visible}
          order by c.decided_at desc, c.post_id limit $5`,
    some: `select scan.* from unnest($2::text[]) as s(space_id) cross join lateral (
             select c.post_id, ${MILLISECONDS} as rank from read.moderation_cases c
             where c.space_id = s.space_id and c.open_reports = 0 and c.decided_at is not null and ${WAS_REPORTED}
               and ($3::bigint is null or c.decided_at <= to_timestamp(($3 + 1) / 1000.0))
               and ($3::bigint is null or ${MILLISECONDS} < $3 or c.post_id > $4::text) {visible}
             order by c.decided_at desc, c.post_id limit $5) scan`,
  },
};

const indexScanOf = ({ state, spaces, isMine }: QueueOptions): string =>
  INDEX_SCANS[state][spaces === 'all' ? 'all' : 'some'].replace(
    '{visible}',
    `and ${IS_VISIBLE_TO_MODERATOR} and ${notOfRemovedSpace('c.space_id')} ${isMine ? 'and c.assignee_id = $1' : ''}`,
  );

/** A page of the queue, with the heaviest case or the latest decision first. */
export async function pageOfModerationQueue(db: Queryable, options: QueueOptions): Promise<QueueView> {
  const { moderatorId, spaces, after, limit, now } = options;
  const { rows } = await db.query<QueueColumns>({
    name: `moderation-queue-${options.state}-${spaces === 'all' ? 'all' : 'some'}-${String(options.isMine)}`,
    text: `
      with hit as materialized (
        select * from (${indexScanOf(options)}) scanned order by rank desc, post_id limit $5
      )
      select hit.post_id, hit.rank, c.post_type, c.question_id, c.space_id, s.name as space_name, q.title,
        left(case c.post_type when 'QUESTION' then q.body when 'ANSWER' then a.body else m.body end, 4000) as body,
        ${mentionNamesSql('m.mentioned_student_ids')} as names,
        c.author_id, c.open_reports, ${isoTime('c.first_reported_at')} as first_reported,
        ${isoTime('c.last_reported_at')} as last_reported, c.assignee_id, c.last_decision, c.decided_by,
        ${isoTime('c.decided_at')} as decided, (
          select coalesce(json_agg(json_build_object('reason', counted.reason, 'count', counted.n) order by counted.n desc, counted.reason), '[]')
          from (select report ->> 'reason' as reason, count(*)::int as n from jsonb_array_elements(c.reports) report
                where (report ->> 'round')::int = c.round and c.open_reports > 0 group by 1) counted
        ) as reasons
      from hit
      join read.moderation_cases c on c.post_id = hit.post_id
      left join read.spaces s on s.space_id = c.space_id
      left join read.questions q on q.question_id = c.question_id
      left join read.answers a on c.post_type = 'ANSWER' and a.answer_id = c.post_id
      left join read.comments m on c.post_type in ('COMMENT', 'QUESTION_COMMENT') and m.comment_id = c.post_id
      order by hit.rank desc, hit.post_id`,
    values: [
      moderatorId,
      spaces === 'all' ? [] : spaces,
      after?.rank ?? null,
      after?.postId ?? null,
      limit + 1,
    ],
  });
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  const people = await peopleOf(db, shown);
  return {
    docs: shown.map((row) => viewOf(row, people, options.state === 'OPEN' ? now : null)),
    next: last ? { rank: Number(last.rank), postId: last.post_id } : null,
  };
}

type People = ReadonlyMap<string, AuthorView>;

async function peopleOf(db: Queryable, rows: readonly QueueColumns[]): Promise<People> {
  const ids = rows.flatMap(({ author_id, assignee_id, decided_by }) => [author_id, assignee_id, decided_by]);
  const known = await findAuthorsByIds(db, [...new Set(ids.filter((id) => id !== null))]);
  return new Map(known.flatMap((person) => (person ? [[person._id, person] as const] : [])));
}

const personOf = (people: People, id: string | null): AuthorView | null =>
  (id === null ? undefined : people.get(id)) ?? null;

const excerptFrom = ({ post_type, body, names }: QueueColumns): string => {
  const text = body ?? '';
  return post_type === 'QUESTION' || post_type === 'ANSWER'
    ? excerptOf(text)
    : commentExcerptOf(text, names ?? {});
};

const viewOf = (row: QueueColumns, people: People, now: string | null): QueuedCaseView => ({
  postId: row.post_id,
  postType: row.post_type,
  questionId: row.question_id,
  spaceId: row.space_id,
  spaceName: row.space_name ?? '',
  title: row.title ?? '',
  excerpt: excerptFrom(row),
  author: personOf(people, row.author_id),
  openReports: row.open_reports,
  reasons: row.reasons,
  firstReportedAt: row.first_reported,
  lastReportedAt: row.last_reported,
  weight: now === null ? null : weightAt(Number(row.rank), now),
  assignee: personOf(people, row.assignee_id),
  lastDecision: row.last_decision,
  decidedBy: personOf(people, row.decided_by),
  decidedAt: row.decided,
});

/** Number of open cases visible to the moderator: maintained totals, minus those hidden from them. */
export async function countOpenCases(
  db: Queryable,
  { moderatorId, spaces }: ModeratorScope,
): Promise<number> {
  const { rows } = await db.query<{ n: number }>({
    name: 'open-moderation-cases',
    text: `
      select ((select coalesce(sum(t.open), 0) from read.moderation_totals t
           where ($2 or t.space_id = any($3::text[])) and ${notOfRemovedSpace('t.space_id')})
        - (select count(*) from read.moderation_queue w join read.moderation_cases c using (post_id)
           where not (${IS_VISIBLE_TO_MODERATOR}) and ${notOfRemovedSpace('w.space_id')} and ($2 or w.space_id = any($3::text[]))))::int as n`,
    values: [moderatorId, spaces === 'all', spaces === 'all' ? [] : spaces],
  });
  return rows[0]?.n ?? 0;
}
