import {
  MIN_BURST_VOTES,
  BURST_WINDOW_MINUTES,
  MAX_PATTERN_CANDIDATES,
  MIN_PATTERN_TIMES_EXPECTED,
  MIN_RING_LINK_VOTES,
  MIN_RING_WEAK_LINK_VOTES,
} from '@nimo/domain';
import { isoTime, type Queryable } from '../queryable.js';
import { readAudiences } from './audiences.queries.js';
import { findPatterns, type PatternFinding, type Surge, type VotingSizes } from './find-patterns.js';
import { type FlowColumns, flowFrom, flowsWhere, POSTS_OF, RECEIVED } from './vote-flows.queries.js';

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

/** Upvotes between students who gave each other at least two, most votes first. */
const MUTUAL = `with ${flowsWhere(
  `p.upvotes >= ${MIN_RING_WEAK_LINK_VOTES} and b.upvotes >= ${MIN_RING_WEAK_LINK_VOTES}`,
  MIN_RING_WEAK_LINK_VOTES,
)}
  select c.*, 0 as posts from flows c where direction = 'UP' order by votes desc, voter_id, author_id limit ${MAX_PATTERN_CANDIDATES}`;

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

interface SurgeColumns extends FlowColumns {
  inside: string;
  given_inside: string;
  from_at: string;
  until_at: string;
}

const surgeFrom = (row: SurgeColumns): Surge => ({
  flow: flowFrom(row),
  from: row.from_at,
  until: row.until_at,
  votes: Number(row.inside),
  given: Number(row.given_inside),
});

async function readSizes(db: Queryable, spaceId: string): Promise<VotingSizes> {
  const people = (table: string) =>
    `(select count(*) filter (where upvotes > 0) as up, count(*) filter (where downvotes > 0) as down
      from read.${table} where space_id = $1)`;
  const { rows } = await db.query<Record<string, string>>({
    text: `with ${RECEIVED}
      select g.up as up_voters, g.down as down_voters, t.up as up_authors, t.down as down_authors, r.upvotes, r.downvotes
      from ${people('vote_givers')} g cross join ${people('vote_takers')} t
      cross join (select coalesce(sum(upvotes), 0) as upvotes, coalesce(sum(downvotes), 0) as downvotes from received) r`,
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
  const { rows: mutual } = await db.query<FlowColumns>({ text: MUTUAL, values: [spaceId] });
  const { rows: surges } = await db.query<SurgeColumns>({ text: SURGES, values: [spaceId] });
  const readers = await readAudiences(db, spaceId);
  return findPatterns({
    sizes,
    flows: flows.map(flowFrom),
    mutual: mutual.map(flowFrom),
    surges: surges.map(surgeFrom),
    ...readers,
  });
}

export interface DatedFinding extends PatternFinding {
  /** Time of its last valid vote. */
  readonly lastVoteAt: string;
}

/** Stands for votes of an import without a time. */
const UNKNOWN_TIME = new Date(0).toISOString();

/** Adds the time of the last vote to findings of a space. */
export async function withLastVotes(
  db: Queryable,
  spaceId: string,
  findings: readonly PatternFinding[],
): Promise<DatedFinding[]> {
  const links = findings.flatMap((finding, place) => finding.links.map((link) => ({ ...link, place })));
  const { rows } = await db.query<{ place: number; last_at: string | null }>({
    text: `
      select l.place, ${isoTime('max(v.cast_at)')} as last_at
      from unnest($2::integer[], $3::text[], $4::text[], $5::text[]) as l(place, voter_id, author_id, direction)
      join read.judged_votes v using (voter_id, author_id, direction)
      where v.space_id = $1 and v.is_held and v.invalid_in = '{}'
      group by l.place`,
    values: [
      spaceId,
      links.map(({ place }) => place),
      links.map(({ voterId }) => voterId),
      links.map(({ authorId }) => authorId),
      links.map(({ direction }) => direction),
    ],
  });
  const lastVotes = new Map(rows.map(({ place, last_at }) => [place, last_at]));
  return findings.map((finding, place) => ({ ...finding, lastVoteAt: lastVotes.get(place) ?? UNKNOWN_TIME }));
}
