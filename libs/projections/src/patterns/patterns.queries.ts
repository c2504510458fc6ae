import {
  BURST_VOTES_MIN,
  BURST_WINDOW_MINUTES,
  PATTERN_CANDIDATES_MAX,
  PATTERN_TIMES_EXPECTED_MIN,
  RING_LINK_VOTES_MIN,
  type VoteDirection,
} from '@nimo/domain';
import { isoTime, type Queryable } from '../queryable.js';
import {
  findPatterns,
  type PatternFinding,
  type Surge,
  type VoteFlow,
  type VotingSizes,
} from './find-patterns.js';

const POSTS_OF = `(select count(*) from read.score_facts f where f.space_id = $1 and f.student_id = c.voter_id
  and f.kind in ('QUESTION_POSTED', 'ANSWER_POSTED', 'COMMENT_POSTED'))`;

/**
 * Flows of the space with what they are compared with. The pool leaves out votes on the voter's posts and votes by the author:
 * neither could have gone from the one to the other.
 */
const FLOWS = `
  totals as (
    select coalesce(sum(upvotes), 0) as upvotes, coalesce(sum(downvotes), 0) as downvotes
    from read.vote_givers where space_id = $1
  ), flows as (
    select p.voter_id, p.author_id, d.direction, d.votes, d.given, g.upvotes + g.downvotes as given_in_all, d.taken,
      d.everything - d.own - (d.given_back - d.back) as pool
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
    ) d(direction, votes, given, taken, everything, own, given_back, back)
    where p.space_id = $1 and (p.upvotes >= ${RING_LINK_VOTES_MIN} or p.downvotes >= ${RING_LINK_VOTES_MIN})
      and d.votes >= ${RING_LINK_VOTES_MIN}
  ), weighed as (
    select *, votes * ln(votes * pool / (given * taken)) as excess from flows
  )`;

const CANDIDATES = `with ${FLOWS}
  select c.*, ${POSTS_OF} as posts from (
    select * from weighed where votes * (pool - given) >= ${PATTERN_TIMES_EXPECTED_MIN} * given * (taken - votes)
    order by excess desc limit ${PATTERN_CANDIDATES_MAX}
  ) c`;

/** For each flow with enough votes the window that has the most of them, the earliest of such. */
const SURGES = `with ${FLOWS}, often as (
    select * from weighed where votes >= ${BURST_VOTES_MIN} order by excess desc limit ${PATTERN_CANDIDATES_MAX}
  ), windows as (
    select c.voter_id, c.author_id, c.direction, v.cast_at,
      count(*) over near as inside, max(v.cast_at) over near as last_at
    from often c
    join read.judged_votes v on v.voter_id = c.voter_id and v.author_id = c.author_id and v.space_id = $1
      and v.direction = c.direction and v.is_held and v.invalid_in = '{}'
    window near as (partition by c.voter_id, c.author_id, c.direction order by v.cast_at
      range between current row and interval '${BURST_WINDOW_MINUTES} minutes' following)
  ), best as (
    select distinct on (voter_id, author_id, direction) * from windows where inside >= ${BURST_VOTES_MIN}
    order by voter_id, author_id, direction, inside desc, cast_at
  )
  select c.*, 0 as posts, b.inside, ${isoTime('b.cast_at')} as from_at, ${isoTime('b.last_at')} as until_at,
    (select count(*) from read.judged_votes v where v.voter_id = c.voter_id and v.space_id = $1 and v.direction = c.direction
       and v.is_held and v.invalid_in = '{}' and v.cast_at between b.cast_at and b.last_at) as given_inside
  from best b join often c using (voter_id, author_id, direction)`;

interface FlowColumns {
  voter_id: string;
  author_id: string;
  direction: VoteDirection;
  votes: string;
  given: string;
  given_in_all: string;
  taken: string;
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
  givenInAll: Number(row.given_in_all),
  taken: Number(row.taken),
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

async function sizesOf(db: Queryable, spaceId: string): Promise<VotingSizes> {
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

/** What stands out in a space now, from the votes that stand. */
export async function listVotePatterns(db: Queryable, spaceId: string): Promise<PatternFinding[]> {
  const sizes = await sizesOf(db, spaceId);
  const { rows: flows } = await db.query<FlowColumns>({ text: CANDIDATES, values: [spaceId] });
  const { rows: surges } = await db.query<SurgeColumns>({ text: SURGES, values: [spaceId] });
  return findPatterns(sizes, flows.map(flowFrom), surges.map(surgeFrom));
}
