import { isoTime, type Page, pageFrom, type PageRow, type Queryable } from '../queryable.js';
import { POSTED } from './vote-flows.queries.js';

interface VoteCounts {
  readonly upvotes: number;
  readonly downvotes: number;
}

/** Somebody's valid votes on the posts of an author, with what they are compared with. */
export interface VoteGiverView extends VoteCounts {
  readonly voterId: string;
  /** All valid votes of the voter in the space. */
  readonly given: VoteCounts;
  /** The voter's questions, answers and comments in the space. */
  readonly posts: number;
  /** Null if the voter never joined, as after some imports. */
  readonly memberSince: string | null;
  /** Null for votes of an import without a time. */
  readonly firstVoteAt: string | null;
  readonly lastVoteAt: string | null;
}

export interface VoteGiversFilter {
  readonly spaceId: string;
  readonly authorId: string;
  /** Left out of the list. */
  readonly readerId: string;
  readonly page: number;
  readonly limit: number;
}

interface GiverColumns {
  voter_id: string;
  upvotes: number;
  downvotes: number;
  given_upvotes: number;
  given_downvotes: number;
  posts: number;
  member_since: string | null;
  first_at: string | null;
  last_at: string | null;
}

const giverFrom = (row: GiverColumns): VoteGiverView => ({
  voterId: row.voter_id,
  upvotes: row.upvotes,
  downvotes: row.downvotes,
  given: { upvotes: row.given_upvotes, downvotes: row.given_downvotes },
  posts: row.posts,
  memberSince: row.member_since,
  firstVoteAt: row.first_at,
  lastVoteAt: row.last_at,
});

const VALID = `v.space_id = $1 and v.author_id = $2 and v.is_held and v.invalid_in = '{}'`;
const UP = `count(*) filter (where v.direction = 'UP')::int`;
const DOWN = `count(*) filter (where v.direction = 'DOWN')::int`;

/** Everybody whose valid votes an author has in a space, most votes first. */
export async function pageOfVoteGivers(
  db: Queryable,
  { spaceId, authorId, readerId, page, limit }: VoteGiversFilter,
): Promise<Page<VoteGiverView>> {
  const { rows } = await db.query<PageRow<GiverColumns>>({
    text: `
      with givers as materialized (
        select v.voter_id, ${UP} as upvotes, ${DOWN} as downvotes, min(v.cast_at) as first_at, max(v.cast_at) as last_at
        from read.judged_votes v where ${VALID} and v.voter_id <> $3 group by v.voter_id
      ), listed as (
        select * from givers order by upvotes + downvotes desc, voter_id limit $4 offset $5
      )
      select total.n as total, l.voter_id, l.upvotes, l.downvotes, ${isoTime('l.first_at')} as first_at,
        ${isoTime('l.last_at')} as last_at, g.upvotes::int as given_upvotes, g.downvotes::int as given_downvotes,
        ${isoTime('m.joined_at')} as member_since,
        (select count(*)::int from read.score_facts f
         where f.space_id = $1 and f.student_id = l.voter_id and f.${POSTED}) as posts
      from (select count(*)::int as n from givers) total
      left join listed l on true
      left join read.vote_givers g on g.space_id = $1 and g.voter_id = l.voter_id
      left join read.memberships m on m.space_id = $1 and m.student_id = l.voter_id
      order by l.upvotes + l.downvotes desc, l.voter_id`,
    values: [spaceId, authorId, readerId, limit, (page - 1) * limit],
  });
  return pageFrom(rows, { page, limit, idColumn: 'voter_id' }, giverFrom);
}

export interface ReceivedVotesView {
  /** All valid votes on the author's posts in the space. */
  readonly received: VoteCounts;
  /** Those by stand-ins of an import, whose voters are not known. */
  readonly unknown: VoteCounts;
}

/** Votes by stand-ins are facts of the author only. */
export async function findReceivedVotes(
  db: Queryable,
  { spaceId, authorId }: Pick<VoteGiversFilter, 'spaceId' | 'authorId'>,
): Promise<ReceivedVotesView> {
  const { rows } = await db.query<Record<'up' | 'down' | 'up_facts' | 'down_facts', number>>({
    text: `
      select p.up, p.down, f.up_facts, f.down_facts
      from (select ${UP} as up, ${DOWN} as down from read.judged_votes v where ${VALID}) p
      cross join (
        select count(*) filter (where kind like '%\\_UPVOTED')::int as up_facts,
          count(*) filter (where kind like '%\\_DOWNVOTED')::int as down_facts
        from read.score_facts where space_id = $1 and student_id = $2 and standing
      ) f`,
    values: [spaceId, authorId],
  });
  const { up = 0, down = 0, up_facts = 0, down_facts = 0 } = rows[0] ?? {};
  // The projection of facts can be behind.
  const received = { upvotes: Math.max(up, up_facts), downvotes: Math.max(down, down_facts) };
  return {
    received,
    unknown: { upvotes: received.upvotes - up, downvotes: received.downvotes - down },
  };
}
