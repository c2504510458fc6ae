import type {
  CaseStatus,
  InvalidationCategory,
  OwnCases,
  PostType,
  VoteData,
  VoteDirection,
} from '@nimo/domain';
import { isoTime, type Page, pageFrom, type PageRow, type Queryable } from '../queryable.js';
import {
  ALL_VOTES_STAND,
  isProposalFor,
  type ModeratorScope,
  notInvolvedInCase,
  ofAnySpace,
} from '../moderator-scope.js';
import { nameEvenIfRemoved } from '../removed-space.sql.js';
import type { PatternLink } from './vote-links.js';

/** A vote, as moderators see it. */
export interface JudgedVoteView {
  readonly postId: string;
  readonly postType: PostType;
  readonly voterId: string;
  readonly authorId: string;
  readonly direction: VoteDirection;
  readonly castAt: string | null;
  /** Not withdrawn. */
  readonly isHeld: boolean;
  /** Open cases that include the vote. */
  readonly caseIds: readonly string[];
  readonly question: { readonly _id: string; readonly title: string };
}

export interface InvalidationCaseView {
  readonly _id: string;
  readonly spaceIds: readonly string[];
  readonly moderatorId: string;
  readonly category: InvalidationCategory;
  readonly reason: string;
  readonly votes: number;
  readonly state: CaseStatus;
  readonly openedAt: string;
  readonly proposedBy: string | null;
  readonly invalidatedAt: string | null;
  readonly declinedBy: string | null;
  readonly declineReason: string | null;
  readonly declinedAt: string | null;
  readonly reversedBy: string | null;
  readonly reversalReason: string | null;
  readonly reversedAt: string | null;
}

interface VoteColumns {
  post_id: string;
  post_type: PostType;
  voter_id: string;
  author_id: string;
  direction: VoteDirection;
  cast_at: string | null;
  is_held: boolean;
  invalid_in: string[];
  question_id: string;
  title: string;
}

const voteFrom = (row: VoteColumns): JudgedVoteView => ({
  postId: row.post_id,
  postType: row.post_type,
  voterId: row.voter_id,
  authorId: row.author_id,
  direction: row.direction,
  castAt: row.cast_at,
  isHeld: row.is_held,
  caseIds: row.invalid_in,
  question: { _id: row.question_id, title: row.title },
});

const VOTE = `v.post_id, v.post_type, v.voter_id, v.author_id, v.direction, ${isoTime('v.cast_at')} as cast_at, v.is_held,
  v.invalid_in, v.question_id, coalesce(q.title, '') as title`;

export interface JudgedVotesFilter {
  readonly spaceId: string;
  readonly voterId?: string | undefined;
  readonly authorId?: string | undefined;
  readonly postId?: string | undefined;
  /** Cast at or after `from` and before `until`. */
  readonly from?: string | undefined;
  readonly until?: string | undefined;
  /** Excludes votes by the reader and votes on the reader's posts. */
  readonly readerId: string;
  readonly page?: number;
  readonly limit: number;
}

/** Votes that were not withdrawn, newest first. */
export async function pageOfJudgedVotes(
  db: Queryable,
  { spaceId, voterId, authorId, postId, from, until, readerId, page = 1, limit }: JudgedVotesFilter,
): Promise<Page<JudgedVoteView>> {
  const { rows } = await db.query<PageRow<VoteColumns>>({
    text: `
      with chosen as materialized (
        select * from read.judged_votes v
        where v.space_id = $1 and v.is_held and ($2::text is null or v.voter_id = $2)
          and ($3::text is null or v.author_id = $3) and ($4::text is null or v.post_id = $4)
          and ($8::timestamptz is null or v.cast_at >= $8) and ($9::timestamptz is null or v.cast_at < $9)
          and $7 not in (v.voter_id, v.author_id)
      )
      select total.n as total, page.* from (select count(*)::int as n from chosen) total
      left join lateral (
        select ${VOTE}, v.cast_at as moment from chosen v left join read.questions q on q.question_id = v.question_id
        order by v.cast_at desc, v.post_id, v.voter_id limit $5 offset $6
      ) page on true
      order by page.moment desc, page.post_id, page.voter_id`,
    values: [
      ...[spaceId, voterId ?? null, authorId ?? null, postId ?? null, limit, (page - 1) * limit, readerId],
      ...[from ?? null, until ?? null],
    ],
  });
  return pageFrom(rows, { page, limit, idColumn: 'post_id' }, voteFrom);
}

/** Valid votes behind a finding, oldest first. */
export async function listVotesOfLinks(
  db: Queryable,
  spaceId: string,
  links: readonly Pick<PatternLink, 'voterId' | 'authorId' | 'direction'>[],
  limit: number,
): Promise<JudgedVoteView[]> {
  const { rows } = await db.query<VoteColumns>({
    text: `
      select ${VOTE} from unnest($2::text[], $3::text[], $4::text[]) as l(voter_id, author_id, direction)
      join read.judged_votes v using (voter_id, author_id, direction)
      left join read.questions q on q.question_id = v.question_id
      where v.space_id = $1 and v.is_held and v.invalid_in = '{}'
      order by v.cast_at, v.post_id, v.voter_id limit $5`,
    values: [
      spaceId,
      links.map(({ voterId }) => voterId),
      links.map(({ authorId }) => authorId),
      links.map(({ direction }) => direction),
      limit,
    ],
  });
  return rows.map(voteFrom);
}

/** Whether a case other than `caseId` already invalidates one of the votes. */
export async function isAnyInAnotherCase(
  db: Queryable,
  votes: readonly { readonly postId: string; readonly voterId: string }[],
  caseId: string | null,
): Promise<boolean> {
  const { rows } = await db.query<{ is_any: boolean }>({
    text: `select exists (
             select 1 from unnest($1::text[], $2::text[]) as n(post_id, voter_id) join read.votes v using (post_id, voter_id)
             where v.is_held and exists (select 1 from unnest(v.invalid_in) c where c is distinct from $3::text)
           ) as is_any`,
    values: [votes.map(({ postId }) => postId), votes.map(({ voterId }) => voterId), caseId],
  });
  return rows[0]?.is_any ?? false;
}

export interface OwnCasesFilter {
  readonly moderatorId: string;
  readonly votes: readonly VoteData[];
  /** The new case, which a repeated command finds. */
  readonly caseId: string;
  /** Start of the days whose invalidations count. */
  readonly since: string;
}

/** Other cases of the moderator that limit a new one with these votes. */
export async function findOwnCases(
  db: Queryable,
  { moderatorId, votes, caseId, since }: OwnCasesFilter,
): Promise<OwnCases> {
  const { rows } = await db.query<OwnCases & Record<string, unknown>>({
    text: `
      with chosen as (
        select * from unnest($1::text[], $2::text[], $3::text[], $4::text[]) as n (post_id, voter_id, author_id, space_id)
      )
      select (
          select count(*)::int from read.cases c join read.case_votes o using (case_id)
          where c.moderator_id = $5 and c.proposed_by is null and c.invalidated_at >= $6 and c.reversed_at is null
            and c.case_id <> $7 and (o.author_id, o.space_id) in (select author_id, space_id from chosen)
        ) as "votesInvalidatedAlone", (
          select c.case_id from read.cases c join read.case_votes o using (case_id) join chosen using (post_id, voter_id)
          where c.proposed_by = $5 and c.invalidated_at is null and c.declined_at is null and c.case_id <> $7
          order by c.opened_ordinal limit 1
        ) as "proposalId"`,
    values: [
      votes.map(({ postId }) => postId),
      votes.map(({ voterId }) => voterId),
      votes.map(({ postAuthorId }) => postAuthorId),
      votes.map(({ spaceId }) => spaceId),
      ...[moderatorId, since, caseId],
    ],
  });
  const [row] = rows;
  if (!row) throw new Error('a query without a table returned no row');
  return row;
}

const CASE = `c.case_id as "_id", c.space_ids as "spaceIds", c.moderator_id as "moderatorId", c.category, c.reason, c.votes,
  case when c.reversed_at is not null then 'REVERSED' when c.invalidated_at is not null then 'INVALIDATED'
    when c.declined_at is not null then 'DECLINED' else 'PROPOSED' end as state,
  ${isoTime('c.opened_at')} as "openedAt", c.proposed_by as "proposedBy", ${isoTime('c.invalidated_at')} as "invalidatedAt",
  c.declined_by as "declinedBy", c.decline_reason as "declineReason", ${isoTime('c.declined_at')} as "declinedAt", c.reversed_by as "reversedBy", c.reversal_reason as "reversalReason",
  ${isoTime('c.reversed_at')} as "reversedAt"`;

/** Cases entirely within `spaces` that do not involve the reader, newest first. */
export async function pageOfCases(
  db: Queryable,
  {
    spaces,
    readerId,
    page,
    limit,
  }: { spaces: 'all' | readonly string[]; readerId: string; page: number; limit: number },
): Promise<Page<InvalidationCaseView>> {
  const { rows } = await db.query<PageRow<InvalidationCaseView>>({
    text: `
      with chosen as materialized (
        select * from read.cases c where ($1::text[] is null or c.space_ids <@ $1::text[]) and ${ofAnySpace} and ${notInvolvedInCase('$4')}
      )
      select total.n as total, page.* from (select count(*)::int as n from chosen) total
      left join lateral (select ${CASE}, c.opened_ordinal from chosen c order by c.opened_ordinal desc limit $2 offset $3) page
        on true
      order by page.opened_ordinal desc`,
    values: [spaces === 'all' ? null : spaces, limit, (page - 1) * limit, readerId],
  });
  return pageFrom(rows, { page, limit, idColumn: '_id' }, (row) => row);
}

/** Proposals of others that the moderator can confirm. */
export async function countProposedCases(
  db: Queryable,
  { moderatorId, spaces }: ModeratorScope,
): Promise<number> {
  const { rows } = await db.query<{ count: number }>({
    text: `select count(*)::int as count from read.cases c
           where ${isProposalFor('$2', '($1::text[] is null or c.space_ids <@ $1::text[])')}`,
    values: [spaces === 'all' ? null : spaces, moderatorId],
  });
  return rows[0]?.count ?? 0;
}

/**
 * Whether all votes of a proposed case still stand, and its spaces have a moderator other than its proposer who is not involved in its
 * votes.
 */
export async function canBeConfirmed(db: Queryable, caseId: string): Promise<boolean> {
  const { rows } = await db.query<{ can_be: boolean }>({
    text: `select exists (
             select from read.cases c
             join read.student_roles m on m.role = 'MODERATOR' and m.student_id <> c.proposed_by
             join read.students s on s.student_id = m.student_id and s.is_registered and not s.is_blocked and not s.is_erased
             where c.case_id = $1 and ${notInvolvedInCase('m.student_id')} and ${ALL_VOTES_STAND}
               and not exists (
                 select from unnest(c.space_ids) as a (space_id) where not exists (
                   select from read.student_roles r
                   where r.student_id = m.student_id and r.role = 'MODERATOR' and r.space_id in ('', a.space_id)))
           ) as can_be`,
    values: [caseId],
  });
  return rows[0]?.can_be ?? false;
}

export async function findCase(
  db: Queryable,
  caseId: string,
  readerId: string,
): Promise<InvalidationCaseView | null> {
  const text = `select ${CASE} from read.cases c where c.case_id = $1 and ${ofAnySpace} and ${notInvolvedInCase('$2')}`;
  const { rows } = await db.query<InvalidationCaseView>({ text, values: [caseId, readerId] });
  return rows[0] ?? null;
}

/** Current state of the votes in a case. `castAt` is null for votes of stand-ins. */
export async function listVotesOfCase(db: Queryable, caseId: string): Promise<JudgedVoteView[]> {
  const { rows } = await db.query<VoteColumns>({
    text: `
      select c.post_id, c.post_type, c.voter_id, c.author_id, c.direction, ${isoTime('j.cast_at')} as cast_at,
        coalesce(v.is_held, false) as is_held, coalesce(v.invalid_in, '{}') as invalid_in, c.question_id,
        coalesce(q.title, '') as title
      from read.case_votes c
      left join read.votes v using (post_id, voter_id, direction)
      left join read.judged_votes j using (post_id, voter_id, direction)
      left join read.questions q on q.question_id = c.question_id
      where c.case_id = $1 order by j.cast_at nulls last, c.post_id, c.voter_id`,
    values: [caseId],
  });
  return rows.map(voteFrom);
}

/** Space names by id. */
export async function namesOfSpaces(
  db: Queryable,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const text = `select asked.space_id, coalesce(${nameEvenIfRemoved('asked.space_id')}, '') as name
    from unnest($1::text[]) as asked (space_id)`;
  const { rows } = await db.query<{ space_id: string; name: string }>({ text, values: [ids] });
  return new Map(rows.map(({ space_id, name }) => [space_id, name]));
}

/** Question titles by id, including removed questions. */
export async function titlesOfQuestions(
  db: Queryable,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const text = 'select question_id, title from read.questions where question_id = any($1::text[])';
  const { rows } = await db.query<{ question_id: string; title: string }>({ text, values: [ids] });
  return new Map(rows.map(({ question_id, title }) => [question_id, title]));
}
