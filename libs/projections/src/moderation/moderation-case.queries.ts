import type { Penalty, ReportedPostType } from '@nimo/domain';
import { isArchivedColumn } from '../archived-space.sql.js';
import { mentionNamesSql, withPlainNames } from '../mention-names.js';
import { isoTime, type Queryable } from '../queryable.js';
import { notOfRemovedSpace } from '../removed-space.sql.js';
import { findAuthorsByIds, type AuthorView } from '../students/students.queries.js';
import { type CaseReport, outcomeOf } from './moderation-cases.table.js';
import type { Block } from './moderation-history.tables.js';
import { staffWordsOf } from './staff-words.table.js';

const MAX_REPORTS_SHOWN = 200;
const MAX_DECISIONS_SHOWN = 50;
const DAYS_SHOWN = 400;

/** The facts needed to authorise an action on a case. */
export interface CaseSummary {
  readonly postId: string;
  readonly postType: ReportedPostType;
  readonly spaceId: string;
  readonly authorId: string;
  readonly reporterIds: readonly string[];
}

export async function findCaseSummary(db: Queryable, postId: string): Promise<CaseSummary | null> {
  const { rows } = await db.query<CaseSummary & Record<string, unknown>>({
    name: 'moderation-case-standing',
    text: `select post_id as "postId", post_type as "postType", space_id as "spaceId", author_id as "authorId",
             array(select r ->> 'reporterId' from jsonb_array_elements(reports) r) as "reporterIds"
           from read.moderation_cases where post_id = $1 and ${notOfRemovedSpace('space_id')}`,
    values: [postId],
  });
  return rows[0] ?? null;
}

export interface CaseView {
  readonly postId: string;
  readonly postType: ReportedPostType;
  readonly questionId: string;
  readonly spaceId: string;
  readonly spaceName: string;
  readonly isSpaceArchived: boolean;
  readonly authorId: string;
  readonly title: string;
  /** Sanitised HTML, or the text of a comment with mentions as `@name`. Also set for removed posts. */
  readonly body: string;
  readonly imageUrls: readonly string[];
  readonly createdAt: string | null;
  readonly isDeleted: boolean;
  readonly isUpheld: boolean;
  /** The removal of all posts of the author that removed the post, if any. */
  readonly removalId: string | null;
  readonly revision: number;
  readonly round: number;
  readonly openReports: number;
  readonly assigneeId: string | null;
  readonly rank: number | null;
  readonly reports: readonly CaseReport[];
}

interface CaseColumns {
  post_id: string;
  post_type: ReportedPostType;
  question_id: string;
  space_id: string;
  space_name: string | null;
  is_space_archived: boolean;
  author_id: string;
  title: string | null;
  body: string | null;
  image_urls: readonly string[] | null;
  created: string | null;
  is_deleted: boolean | null;
  is_upheld: boolean;
  removal_id: string | null;
  revision: number;
  round: number;
  open_reports: number;
  assignee_id: string | null;
  rank: string | null;
  reports: readonly CaseReport[];
  names: Record<string, string | null> | null;
}

/** A reported or removed post as its moderators see it, or null if it is neither. */
export async function findModerationCase(db: Queryable, postId: string): Promise<CaseView | null> {
  const { rows } = await db.query<CaseColumns>({
    name: 'moderation-case',
    text: `
      select c.post_id, c.post_type, c.question_id, c.space_id, s.name as space_name, ${isArchivedColumn('c.space_id')} as is_space_archived, c.author_id, q.title,
        case c.post_type when 'QUESTION' then q.body when 'ANSWER' then a.body else m.body end as body,
        case c.post_type when 'QUESTION' then q.image_urls when 'ANSWER' then a.image_urls else '{}' end as image_urls,
        ${isoTime("case c.post_type when 'QUESTION' then q.created_at when 'ANSWER' then a.created_at else m.created_at end")} as created,
        case c.post_type when 'QUESTION' then q.is_deleted when 'ANSWER' then a.is_deleted else m.is_deleted end as is_deleted,
        c.is_upheld, c.revision, (select t.removal_id from read.removed_posts t where t.post_id = c.post_id and t.is_upheld) as removal_id, c.round, c.open_reports, c.assignee_id, w.rank, c.reports,
        ${mentionNamesSql('m.mentioned_student_ids')} as names
      from read.moderation_cases c
      left join read.moderation_queue w on w.post_id = c.post_id
      left join read.spaces s on s.space_id = c.space_id
      left join read.questions q on q.question_id = c.question_id
      left join read.answers a on c.post_type = 'ANSWER' and a.answer_id = c.post_id
      left join read.comments m on c.post_type in ('COMMENT', 'QUESTION_COMMENT') and m.comment_id = c.post_id
      where c.post_id = $1`,
    values: [postId],
  });
  const [row] = rows;
  return row ? caseOf(row) : null;
}

const caseOf = (row: CaseColumns): CaseView => ({
  postId: row.post_id,
  postType: row.post_type,
  questionId: row.question_id,
  spaceId: row.space_id,
  spaceName: row.space_name ?? '',
  isSpaceArchived: row.is_space_archived,
  authorId: row.author_id,
  title: row.title ?? '',
  body: withPlainNames(row.body ?? '', row.names ?? {}),
  imageUrls: row.image_urls ?? [],
  createdAt: row.created,
  isDeleted: row.is_deleted ?? false,
  isUpheld: row.is_upheld,
  removalId: row.removal_id,
  revision: row.revision,
  round: row.round,
  openReports: row.open_reports,
  assigneeId: row.assignee_id,
  rank: row.rank === null ? null : Number(row.rank),
  reports: row.reports,
});

export interface CaseReportView {
  readonly reporter: AuthorView | null;
  readonly reporterId: string;
  readonly reason: string;
  readonly at: string;
  readonly outcome: 'OPEN' | 'UPHELD' | 'DISMISSED';
  /** Outcomes of the reporter's other reports in the space. */
  readonly upheldBefore: number;
  readonly dismissedBefore: number;
}

/** The latest reports of the case, newest first, with their reporters. */
export async function listCaseReports(
  db: Queryable,
  view: Pick<CaseView, 'spaceId' | 'round' | 'isUpheld' | 'reports'>,
): Promise<CaseReportView[]> {
  const shown = [...view.reports].reverse().slice(0, MAX_REPORTS_SHOWN);
  const ids = shown.map(({ reporterId }) => reporterId);
  const [people, records] = await Promise.all([
    findAuthorsByIds(db, ids),
    db.query<{ reporter_id: string; upheld: string; dismissed: string }>({
      name: 'reporter-records',
      text: `select reporter_id, upheld, dismissed from read.reporter_records
             where space_id = $1 and reporter_id = any($2::text[])`,
      values: [view.spaceId, ids],
    }),
  ]);
  const recordOf = new Map(records.rows.map((row) => [row.reporter_id, row]));
  return shown.map((report, index) => {
    const outcome = outcomeOf({ round: view.round, is_upheld: view.isUpheld }, report);
    const record = recordOf.get(report.reporterId);
    const before = (counted: string | undefined, own: string) =>
      Number(counted ?? 0) - (outcome === own ? 1 : 0);
    return {
      reporter: people[index] ?? null,
      reporterId: report.reporterId,
      reason: report.reason,
      at: report.at,
      outcome,
      upheldBefore: before(record?.upheld, 'UPHELD'),
      dismissedBefore: before(record?.dismissed, 'DISMISSED'),
    };
  });
}

export interface DecisionView {
  readonly ordinal: number;
  readonly postId: string;
  readonly decision: string;
  readonly moderator: AuthorView | null;
  readonly toModerator: AuthorView | null;
  readonly reason: string;
  /** Null unless reports were upheld. */
  readonly penalty: Penalty | null;
  readonly at: string;
}

interface DecisionColumns {
  ordinal: string;
  post_id: string;
  decision: string;
  moderator_id: string | null;
  to_moderator_id: string | null;
  reason: string;
  penalty: Exclude<Penalty, 'RULES'> | null;
  at: string;
}

/** Decisions on the post, latest first. */
export const listCaseDecisions = (db: Queryable, postId: string): Promise<DecisionView[]> =>
  decisions(db, 'case-decisions', 'd.post_id = $1', [postId]);

/** Decisions on other posts of the author in the space, latest first, without reassignments. */
export const listAuthorDecisions = (
  db: Queryable,
  { authorId, spaceId, exceptPostId }: { authorId: string; spaceId: string; exceptPostId: string },
): Promise<DecisionView[]> =>
  decisions(
    db,
    'author-decisions',
    "d.author_id = $1 and d.space_id = $2 and d.post_id <> $3 and d.decision <> 'HANDED_OVER'",
    [authorId, spaceId, exceptPostId],
  );

async function decisions(
  db: Queryable,
  name: string,
  condition: string,
  values: unknown[],
): Promise<DecisionView[]> {
  const { rows } = await db.query<DecisionColumns>({
    name,
    text: `select d.ordinal, d.post_id, d.decision, d.moderator_id, d.to_moderator_id,
             coalesce(${staffWordsOf('d.author_id', 'd.ordinal')}, '') as reason, p.penalty, ${isoTime('d.decided_at')} as at
           from read.moderation_decisions d
           left join read.chosen_penalties p on p.post_id = d.post_id and p.ordinal = d.ordinal
           where ${condition}
           order by d.decided_at desc, d.ordinal desc limit ${MAX_DECISIONS_SHOWN}`,
    values,
  });
  const ids = rows.flatMap(({ moderator_id, to_moderator_id }) => [moderator_id, to_moderator_id]);
  const people = await findAuthorsByIds(db, [...new Set(ids.filter((id) => id !== null))]);
  const byId = new Map(people.flatMap((person) => (person ? [[person._id, person] as const] : [])));
  return rows.map((row) => ({
    ordinal: Number(row.ordinal),
    postId: row.post_id,
    decision: row.decision,
    moderator: byId.get(row.moderator_id ?? '') ?? null,
    toModerator: byId.get(row.to_moderator_id ?? '') ?? null,
    reason: row.reason,
    penalty: row.decision === 'UPHELD' ? (row.penalty ?? 'RULES') : null,
    at: row.at,
  }));
}

export interface AuthorRecordView {
  readonly reportedPosts: number;
  readonly removedPosts: number;
  readonly upheldReports: number;
  readonly dismissedReports: number;
  readonly blocks: readonly Block[];
  /** Earlier warnings in the space. */
  readonly warnings: number;
}

export async function findAuthorRecord(
  db: Queryable,
  { authorId, spaceId }: { readonly authorId: string; readonly spaceId: string },
): Promise<AuthorRecordView> {
  const { rows } = await db.query<{
    posts: number | null;
    removed: number | null;
    upheld: number | null;
    dismissed: number | null;
    blocks: readonly Block[] | null;
    warnings: number;
  }>({
    name: 'author-record',
    text: `select r.posts::int, r.removed::int, r.upheld::int, r.dismissed::int, b.blocks,
             (select count(*)::int from read.warnings w where w.student_id = $1 and w.space_id = $2) as warnings
           from (select 1) one
           left join read.author_records r on r.author_id = $1 and r.space_id = $2
           left join read.student_blocks b on b.student_id = $1`,
    values: [authorId, spaceId],
  });
  const [row] = rows;
  return {
    reportedPosts: row?.posts ?? 0,
    removedPosts: row?.removed ?? 0,
    upheldReports: row?.upheld ?? 0,
    dismissedReports: row?.dismissed ?? 0,
    blocks: row?.blocks ?? [],
    warnings: row?.warnings ?? 0,
  };
}

export interface VoteDayView {
  readonly day: string;
  readonly up: number;
  readonly down: number;
  readonly withdrawn: number;
}

/** Days on which votes on the post were cast or withdrawn, oldest first. */
export async function listVoteDays(db: Queryable, postId: string): Promise<VoteDayView[]> {
  const { rows } = await db.query<VoteDayView & Record<string, unknown>>({
    name: 'vote-days-of-post',
    text: `select day, up, down, withdrawn from (
             select day, up, down, withdrawn from read.vote_days where post_id = $1 order by day desc limit ${DAYS_SHOWN}
           ) latest order by day`,
    values: [postId],
  });
  return rows;
}

/** Active moderators of the space, including moderators of all spaces. */
export async function listSpaceModerators(db: Queryable, spaceId: string): Promise<AuthorView[]> {
  const { rows } = await db.query<{ student_id: string }>({
    name: 'space-moderators',
    text: `select distinct s.student_id, lower(s.user_name) from read.student_roles r join read.students s using (student_id)
           where r.role = 'MODERATOR' and r.space_id in ('', $1) and s.is_registered and not s.is_blocked and not s.is_erased
           order by 2, 1`,
    values: [spaceId],
  });
  const people = await findAuthorsByIds(
    db,
    rows.map(({ student_id }) => student_id),
  );
  return people.filter((person) => person !== null);
}
