import {
  NEW_ACCOUNT_DAYS,
  MAX_ONE_PERSON_POSTS_PER_VOTE,
  MAX_STAR_CANDIDATES,
  MIN_STAR_SHARE,
  MIN_STAR_VOTER_VOTES,
  MIN_STAR_VOTERS,
  MIN_STAR_VOTES,
} from '@nimo/domain';
import type { Queryable } from '../queryable.js';
import type { VotingData } from './find-patterns.js';
import type { AccountsByDay, Devotee, SpaceBaseline } from './find-stars.js';
import { type FlowColumns, flowFrom, flowsWhere, POSTED, POSTS_OF, RECEIVED } from './vote-flows.queries.js';

/** Accounts that gave an upvote, with their number of posts. Quiet accounts hardly write. */
const VOTERS = `posts as materialized (
    select student_id, count(*) as written, min(occurred_at) as first_at from read.score_facts
    where space_id = $1 and ${POSTED} group by student_id
  ), voters as materialized (
    select g.voter_id, g.upvotes as given, p.first_at as wrote_at,
      coalesce(p.written, 0) <= ${MAX_ONE_PERSON_POSTS_PER_VOTE} * (g.upvotes + g.downvotes) as is_quiet
    from read.vote_givers g left join posts p on p.student_id = g.voter_id
    where g.space_id = $1 and g.upvotes > 0
  )`;

/** Star candidates, most votes by devoted readers first, with the sums over all authors. */
const AUDIENCES = `with ${VOTERS}, ${RECEIVED}, readers as materialized (
    select p.voter_id, p.author_id, p.upvotes as votes, v.given, v.is_quiet,
      v.is_quiet and p.upvotes >= ${MIN_STAR_SHARE} * v.given as is_exclusive
    from read.vote_pairs p join voters v on v.voter_id = p.voter_id
    where p.space_id = $1 and p.upvotes > 0
  ), authors as materialized (
    select author_id,
      coalesce(sum((votes - 1)::float8 / (given - 1)) filter (where given > 1), 0) as loyalty,
      count(*) filter (where given > 1) as readers,
      coalesce(sum((votes - 1)::float8 / (given - 1)) filter (where given > 1 and not is_quiet), 0) as writer_loyalty,
      count(*) filter (where given > 1 and not is_quiet) as writers,
      count(*) filter (where is_exclusive) as accounts,
      count(*) filter (where is_exclusive and votes >= ${MIN_STAR_VOTER_VOTES}) as returned,
      coalesce(sum(votes) filter (where is_exclusive and votes >= ${MIN_STAR_VOTER_VOTES}), 0) as devoted
    from readers group by author_id
  ), summed as (
    select count(*) as all_authors, sum(loyalty) as all_loyalty, sum(readers) as all_readers, sum(accounts) as all_accounts, sum(returned) as all_returned,
      (select coalesce(sum(stand_in_upvotes), 0) from received) as all_stand_in_upvotes
    from authors
  )
  select a.*, s.*, (select stand_in_upvotes from received r where r.author_id = a.author_id) as stand_in_upvotes,
    (select json_agg(json_build_array(q.given, q.readers)) from (
       select given, count(*) as readers from readers r where r.author_id = a.author_id and is_quiet and given > 1 group by given) q) as quiet,
    (select json_agg(r.voter_id) from readers r
       where r.author_id = a.author_id and is_exclusive and votes >= ${MIN_STAR_VOTER_VOTES}) as devotees
  from authors a cross join summed s
  where a.returned >= ${MIN_STAR_VOTERS} and a.devoted >= ${MIN_STAR_VOTES}
  order by a.devoted desc, a.author_id limit ${MAX_STAR_CANDIDATES}`;

/**
 * Quiet accounts that upvoted soon after joining and before writing anything, and how many accounts gave their first upvote on a day: the
 * quiet ones of the space, and the readers of star candidates.
 */
const FIRST_VOTES = `with ${VOTERS}, firsts as (
    select voter_id, min(cast_at) as voted_at, floor(extract(epoch from min(cast_at)) / 86400)::int as day from read.judged_votes
    where space_id = $1 and direction = 'UP' and is_held and invalid_in = '{}' group by voter_id
  ), started as materialized (
    select v.voter_id, v.given, v.is_quiet, f.day, coalesce(f.voted_at <= m.joined_at + interval '${NEW_ACCOUNT_DAYS} days'
      and (v.wrote_at is null or v.wrote_at > f.voted_at), false) as is_new
    from voters v join firsts f on f.voter_id = v.voter_id
    left join read.memberships m on m.space_id = $1 and m.student_id = v.voter_id
  ), quiet as (
    select * from started where is_quiet and given > 1
  ), audience as materialized (
    select p.author_id, s.*, s.is_quiet and p.upvotes >= ${MIN_STAR_VOTER_VOTES} and p.upvotes >= ${MIN_STAR_SHARE} * s.given as is_devotee
    from read.vote_pairs p join started s on s.voter_id = p.voter_id
    where p.space_id = $1 and p.upvotes > 0 and p.author_id = any($2)
  ), days as (
    select author_id, day, count(*) as accounts from audience where not is_devotee group by author_id, day
  )
  select count(*) as quiet_voters, count(*) filter (where is_new) as new_quiet_voters,
    (select json_agg(json_build_array(day, accounts)) from (
       select day, count(*) as accounts from quiet group by day) q) as days,
    (select json_object_agg(voter_id, json_build_array(day, is_new)) from (
       select distinct voter_id, day, is_new from audience where is_devotee) a) as devotees,
    (select json_object_agg(author_id, json_build_array(accounts, fresh)) from (
       select author_id, count(*) as accounts, count(*) filter (where is_new) as fresh
       from audience where is_quiet and given = 1 group by author_id) a) as one_timers,
    (select json_object_agg(author_id, by_day) from (
       select author_id, json_agg(json_build_array(day, accounts)) as by_day from days group by author_id) d) as other_days
  from quiet`;

const FLOWS_BETWEEN = `with ${flowsWhere(
  '(p.voter_id, p.author_id) in (select * from unnest($2::text[], $3::text[]))',
  1,
)}
  select c.*, ${POSTS_OF} as posts from flows c where direction = 'UP'`;

interface AudienceColumns {
  author_id: string;
  loyalty: number;
  readers: string;
  writer_loyalty: number;
  writers: string;
  accounts: string;
  returned: string;
  all_authors: string;
  all_loyalty: number;
  all_readers: string;
  all_accounts: string;
  all_returned: string;
  all_stand_in_upvotes: string;
  stand_in_upvotes: string;
  quiet: [number, number][];
  devotees: string[];
}

interface FirstVoteColumns {
  quiet_voters: string;
  new_quiet_voters: string;
  days: [number, number][] | null;
  devotees: Record<string, [number, boolean]> | null;
  one_timers: Record<string, [number, number]> | null;
  other_days: Record<string, [number, number][]> | null;
}

const accountsByDay = (days: readonly [number, number][] | null | undefined): AccountsByDay => new Map(days);

const EMPTY_SPACE: SpaceBaseline = {
  authors: 0,
  loyalty: { total: 0, readers: 0 },
  exclusive: { accounts: 0, returning: 0 },
  quietVoters: 0,
  newQuietVoters: 0,
  firstVoteDays: new Map(),
  standInVotes: 0,
};

const oneTimersFrom = ([accounts, newAccounts]: readonly [number, number] = [0, 0]) => ({
  accounts,
  newAccounts,
});

/** Audiences of star candidates, empty if there are none. */
export async function readAudiences(
  db: Queryable,
  spaceId: string,
): Promise<Pick<VotingData, 'space' | 'audiences'>> {
  const { rows } = await db.query<AudienceColumns>({ text: AUDIENCES, values: [spaceId] });
  const [first] = rows;
  if (!first) return { space: EMPTY_SPACE, audiences: [] };
  const pairs = rows.flatMap(({ author_id, devotees }) =>
    devotees.map((voterId) => [voterId, author_id] as const),
  );
  const { rows: flows } = await db.query<FlowColumns>({
    text: FLOWS_BETWEEN,
    values: [spaceId, pairs.map(([voterId]) => voterId), pairs.map(([, authorId]) => authorId)],
  });
  const authors = rows.map(({ author_id }) => author_id);
  const { rows: starts } = await db.query<FirstVoteColumns>({
    text: FIRST_VOTES,
    values: [spaceId, authors],
  });
  const [started] = starts;
  const byAuthor = new Map<string, Devotee[]>();
  for (const flow of flows.map(flowFrom)) {
    const [firstVoteDay, isNew] = started?.devotees?.[flow.voterId] ?? [0, false];
    byAuthor.set(flow.authorId, [...(byAuthor.get(flow.authorId) ?? []), { flow, isNew, firstVoteDay }]);
  }
  return {
    space: {
      authors: Number(first.all_authors),
      loyalty: { total: first.all_loyalty, readers: Number(first.all_readers) },
      exclusive: { accounts: Number(first.all_accounts), returning: Number(first.all_returned) },
      quietVoters: Number(started?.quiet_voters ?? 0),
      newQuietVoters: Number(started?.new_quiet_voters ?? 0),
      firstVoteDays: accountsByDay(started?.days),
      standInVotes: Number(first.all_stand_in_upvotes),
    },
    audiences: rows.map((row) => ({
      oneTimers: oneTimersFrom(started?.one_timers?.[row.author_id]),
      authorId: row.author_id,
      all: { total: row.loyalty, readers: Number(row.readers) },
      writers: { total: row.writer_loyalty, readers: Number(row.writers) },
      quiet: row.quiet.map(([given, readers]) => ({ given, readers })),
      exclusive: { accounts: Number(row.accounts), returning: Number(row.returned) },
      devotees: byAuthor.get(row.author_id) ?? [],
      otherFirstVoteDays: accountsByDay(started?.other_days?.[row.author_id]),
      standInVotes: Number(row.stand_in_upvotes),
    })),
  };
}
