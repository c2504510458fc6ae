import {
  MIN_BURST_VOTES,
  BURST_WINDOW_MINUTES,
  NEW_ACCOUNT_DAYS,
  MAX_ONE_PERSON_POSTS_PER_VOTE,
  MAX_PATTERN_CANDIDATES,
  MIN_PATTERN_TIMES_EXPECTED,
  MIN_RING_LINK_VOTES,
  MAX_STAR_CANDIDATES,
  MIN_STAR_SHARE,
  MIN_STAR_VOTER_VOTES,
  MIN_STAR_VOTERS,
  MIN_STAR_VOTES,
  type VoteDirection,
} from '@nimo/domain';
import { isoTime, type Queryable } from '../queryable.js';
import {
  findPatterns,
  type PatternFinding,
  type Surge,
  type VotingData,
  type VotingSizes,
} from './find-patterns.js';
import type { Devotee, SpaceBaseline, VoteFlow } from './find-stars.js';

const POSTED = `kind in ('QUESTION_POSTED', 'ANSWER_POSTED', 'COMMENT_POSTED')`;
const POSTS_OF = `(select count(*) from read.score_facts f where f.space_id = $1 and f.student_id = c.voter_id and f.${POSTED})`;

/**
 * Flows of the space with the totals they are compared with. The pool excludes votes on the voter's posts and votes by the author: these
 * cannot be votes of the voter for the author.
 */
const flowsWhere = (pairs: string, minVotes: number): string => `
  totals as (
    select coalesce(sum(upvotes), 0) as upvotes, coalesce(sum(downvotes), 0) as downvotes
    from read.vote_givers where space_id = $1
  ), flows as (
    select p.voter_id, p.author_id, d.direction, d.votes, d.given, g.upvotes + g.downvotes as given_in_all, d.received,
      d.total - d.own - (d.author_given - d.reverse) as pool
    from read.vote_pairs p
    cross join totals s
    join read.vote_givers g on g.space_id = $1 and g.voter_id = p.voter_id
    join read.vote_takers t on t.space_id = $1 and t.author_id = p.author_id
    left join read.vote_takers o on o.space_id = $1 and o.author_id = p.voter_id
    left join read.vote_givers w on w.space_id = $1 and w.voter_id = p.author_id
    left join read.vote_pairs b on b.space_id = $1 and b.voter_id = p.author_id and b.author_id = p.voter_id
    cross join lateral (values
      ('UP', p.upvotes, g.upvotes, t.upvotes, s.upvotes, coalesce(o.upvotes, 0), coalesce(w.upvotes, 0), coalesce(b.upvotes, 0)),
      ('DOWN', p.downvotes, g.downvotes, t.downvotes, s.downvotes, coalesce(o.downvotes, 0), coalesce(w.downvotes, 0),
        coalesce(b.downvotes, 0))
    ) d(direction, votes, given, received, total, own, author_given, reverse)
    where p.space_id = $1 and ${pairs} and d.votes >= ${minVotes}
  )`;

const FLOWS = `${flowsWhere(
  `(p.upvotes >= ${MIN_RING_LINK_VOTES} or p.downvotes >= ${MIN_RING_LINK_VOTES})`,
  MIN_RING_LINK_VOTES,
)}, weighed as (
    select *, votes * ln(votes * pool / (given * received)) as excess from flows
  )`;

const CANDIDATES = `with ${FLOWS}
  select c.*, ${POSTS_OF} as posts from (
    select * from weighed where votes * (pool - given) >= ${MIN_PATTERN_TIMES_EXPECTED} * given * (received - votes)
    order by excess desc limit ${MAX_PATTERN_CANDIDATES}
  ) c`;

/** For each flow with enough votes, the earliest window with the most votes. */
const SURGES = `with ${FLOWS}, often as (
    select * from weighed where votes >= ${MIN_BURST_VOTES} order by excess desc limit ${MAX_PATTERN_CANDIDATES}
  ), windows as (
    select c.voter_id, c.author_id, c.direction, v.cast_at,
      count(*) over near as inside, max(v.cast_at) over near as last_at
    from often c
    join read.judged_votes v on v.voter_id = c.voter_id and v.author_id = c.author_id and v.space_id = $1
      and v.direction = c.direction and v.is_held and v.invalid_in = '{}'
    window near as (partition by c.voter_id, c.author_id, c.direction order by v.cast_at
      range between current row and interval '${BURST_WINDOW_MINUTES} minutes' following)
  ), best as (
    select distinct on (voter_id, author_id, direction) * from windows where inside >= ${MIN_BURST_VOTES}
    order by voter_id, author_id, direction, inside desc, cast_at
  )
  select c.*, 0 as posts, b.inside, ${isoTime('b.cast_at')} as from_at, ${isoTime('b.last_at')} as until_at,
    (select count(*) from read.judged_votes v where v.voter_id = c.voter_id and v.space_id = $1 and v.direction = c.direction
       and v.is_held and v.invalid_in = '{}' and v.cast_at between b.cast_at and b.last_at) as given_inside
  from best b join often c using (voter_id, author_id, direction)`;

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
const AUDIENCES = `with ${VOTERS}, readers as materialized (
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
    select count(*) as all_authors, sum(loyalty) as all_loyalty, sum(readers) as all_readers, sum(accounts) as all_accounts, sum(returned) as all_returned
    from authors
  )
  select a.*, s.*,
    (select json_agg(json_build_array(q.given, q.readers)) from (
       select given, count(*) as readers from readers r where r.author_id = a.author_id and is_quiet and given > 1 group by given) q) as quiet,
    (select json_agg(r.voter_id) from readers r
       where r.author_id = a.author_id and is_exclusive and votes >= ${MIN_STAR_VOTER_VOTES}) as devotees
  from authors a cross join summed s
  where a.returned >= ${MIN_STAR_VOTERS} and a.devoted >= ${MIN_STAR_VOTES}
  order by a.devoted desc, a.author_id limit ${MAX_STAR_CANDIDATES}`;

/** Quiet accounts that upvoted soon after joining and before writing anything. */
const NEW_VOTERS = `with ${VOTERS}, firsts as (
    select voter_id, min(cast_at) as voted_at from read.judged_votes
    where space_id = $1 and direction = 'UP' and is_held and invalid_in = '{}' group by voter_id
  ), quiet as materialized (
    select v.voter_id, v.given, coalesce(f.voted_at <= m.joined_at + interval '${NEW_ACCOUNT_DAYS} days'
      and (v.wrote_at is null or v.wrote_at > f.voted_at), false) as is_new
    from voters v join firsts f on f.voter_id = v.voter_id
    left join read.memberships m on m.space_id = $1 and m.student_id = v.voter_id
    where v.is_quiet
  )
  select count(*) filter (where given > 1) as quiet_voters, count(*) filter (where given > 1 and is_new) as new_quiet_voters,
    json_agg(voter_id) filter (where is_new and voter_id = any($2)) as new_voters,
    (select json_object_agg(author_id, json_build_array(accounts, fresh)) from (
       select p.author_id, count(*) as accounts, count(*) filter (where o.is_new) as fresh
       from quiet o join read.vote_pairs p on p.space_id = $1 and p.voter_id = o.voter_id and p.upvotes > 0
       where o.given = 1 and p.author_id = any($3) group by p.author_id) one_timers) as one_timers
  from quiet`;

const FLOWS_BETWEEN = `with ${flowsWhere(
  '(p.voter_id, p.author_id) in (select * from unnest($2::text[], $3::text[]))',
  1,
)}
  select c.*, ${POSTS_OF} as posts from flows c where direction = 'UP'`;

interface FlowColumns {
  voter_id: string;
  author_id: string;
  direction: VoteDirection;
  votes: string;
  given: string;
  given_in_all: string;
  received: string;
  pool: string;
  posts: string;
}

interface SurgeColumns extends FlowColumns {
  inside: string;
  given_inside: string;
  from_at: string;
  until_at: string;
}

const flowFrom = (row: FlowColumns): VoteFlow => ({
  voterId: row.voter_id,
  authorId: row.author_id,
  direction: row.direction,
  votes: Number(row.votes),
  given: Number(row.given),
  givenTotal: Number(row.given_in_all),
  received: Number(row.received),
  pool: Number(row.pool),
  voterPosts: Number(row.posts),
});

const surgeFrom = (row: SurgeColumns): Surge => ({
  flow: flowFrom(row),
  from: row.from_at,
  until: row.until_at,
  votes: Number(row.inside),
  given: Number(row.given_inside),
});

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
  quiet: [number, number][];
  devotees: string[];
}

const EMPTY_SPACE: SpaceBaseline = {
  authors: 0,
  loyalty: { total: 0, readers: 0 },
  exclusive: { accounts: 0, returning: 0 },
  quietVoters: 0,
  newQuietVoters: 0,
};

const oneTimersFrom = ([accounts, newAccounts]: readonly [number, number] = [0, 0]) => ({
  accounts,
  newAccounts,
});

/** Audiences of star candidates, empty if there are none. */
async function readAudiences(
  db: Queryable,
  spaceId: string,
): Promise<Pick<VotingData, 'space' | 'audiences'>> {
  const { rows } = await db.query<AudienceColumns>({ text: AUDIENCES, values: [spaceId] });
  const [first] = rows;
  if (!first) return { space: EMPTY_SPACE, audiences: [] };
  const pairs = rows.flatMap(({ author_id, devotees }) =>
    devotees.map((voterId) => [voterId, author_id] as const),
  );
  const voters = pairs.map(([voterId]) => voterId);
  const authors = pairs.map(([, authorId]) => authorId);
  const { rows: flows } = await db.query<FlowColumns>({
    text: FLOWS_BETWEEN,
    values: [spaceId, voters, authors],
  });
  const { rows: quiet } = await db.query<{
    quiet_voters: string;
    new_quiet_voters: string;
    new_voters: string[] | null;
    one_timers: Record<string, [number, number]> | null;
  }>({ text: NEW_VOTERS, values: [spaceId, voters, authors] });
  const newVoters = new Set(quiet[0]?.new_voters);
  const byAuthor = new Map<string, Devotee[]>();
  for (const flow of flows.map(flowFrom)) {
    const own = byAuthor.get(flow.authorId) ?? [];
    byAuthor.set(flow.authorId, [...own, { flow, isNew: newVoters.has(flow.voterId) }]);
  }
  return {
    space: {
      authors: Number(first.all_authors),
      loyalty: { total: first.all_loyalty, readers: Number(first.all_readers) },
      exclusive: { accounts: Number(first.all_accounts), returning: Number(first.all_returned) },
      quietVoters: Number(quiet[0]?.quiet_voters ?? 0),
      newQuietVoters: Number(quiet[0]?.new_quiet_voters ?? 0),
    },
    audiences: rows.map((row) => ({
      oneTimers: oneTimersFrom(quiet[0]?.one_timers?.[row.author_id]),
      authorId: row.author_id,
      all: { total: row.loyalty, readers: Number(row.readers) },
      writers: { total: row.writer_loyalty, readers: Number(row.writers) },
      quiet: row.quiet.map(([given, readers]) => ({ given, readers })),
      exclusive: { accounts: Number(row.accounts), returning: Number(row.returned) },
      devotees: byAuthor.get(row.author_id) ?? [],
    })),
  };
}

async function readSizes(db: Queryable, spaceId: string): Promise<VotingSizes> {
  const side = (table: string) =>
    `select count(*) filter (where upvotes > 0) as up, count(*) filter (where downvotes > 0) as down,
       coalesce(sum(upvotes), 0) as upvotes, coalesce(sum(downvotes), 0) as downvotes
     from read.${table} where space_id = $1`;
  const { rows } = await db.query<Record<string, string>>({
    text: `select g.up as up_voters, g.down as down_voters, t.up as up_authors, t.down as down_authors, g.upvotes, g.downvotes
           from (${side('vote_givers')}) g cross join (${side('vote_takers')}) t`,
    values: [spaceId],
  });
  const count = (column: string) => Number(rows[0]?.[column] ?? 0);
  return {
    UP: { voters: count('up_voters'), authors: count('up_authors'), votes: count('upvotes') },
    DOWN: { voters: count('down_voters'), authors: count('down_authors'), votes: count('downvotes') },
  };
}

/** Patterns among the valid votes of a space. */
export async function listVotePatterns(db: Queryable, spaceId: string): Promise<PatternFinding[]> {
  const sizes = await readSizes(db, spaceId);
  const { rows: flows } = await db.query<FlowColumns>({ text: CANDIDATES, values: [spaceId] });
  const { rows: surges } = await db.query<SurgeColumns>({ text: SURGES, values: [spaceId] });
  const readers = await readAudiences(db, spaceId);
  return findPatterns({ sizes, flows: flows.map(flowFrom), surges: surges.map(surgeFrom), ...readers });
}
