import type { VoteDirection } from '@nimo/domain';
import type { VoteFlow } from './vote-links.js';

export const POSTED = `kind in ('QUESTION_POSTED', 'ANSWER_POSTED', 'COMMENT_POSTED')`;
/** Posts of the voter of a flow `c`. */
export const POSTS_OF = `(select count(*) from read.score_facts f where f.space_id = $1 and f.student_id = c.voter_id and f.${POSTED})`;

/**
 * Votes for each author, including those by stand-ins of an import, which are facts of the author only. At least the votes by people, in
 * case the projection of facts is behind.
 */
export const RECEIVED = `received as materialized (
    select author_id, max(upvotes) as upvotes, max(downvotes) as downvotes,
      max(upvotes) - coalesce(max(upvotes) filter (where is_person), 0) as stand_in_upvotes
    from (
      select author_id, upvotes, downvotes, true as is_person from read.vote_takers where space_id = $1
      union all
      select student_id, count(*) filter (where kind like '%\\_UPVOTED'), count(*) filter (where kind like '%\\_DOWNVOTED'), false
      from read.score_facts
      where space_id = $1 and standing and kind in ('QUESTION_UPVOTED', 'ANSWER_UPVOTED', 'QUESTION_DOWNVOTED', 'ANSWER_DOWNVOTED')
      group by student_id
    ) votes group by author_id
  )`;

/**
 * Flows of the space with the totals they are compared with. The pool excludes votes on the voter's posts and votes by the author: these
 * cannot be votes of the voter for the author.
 */
export const flowsWhere = (pairs: string, minVotes: number): string => `
  ${RECEIVED}, totals as (
    select coalesce(sum(upvotes), 0) as upvotes, coalesce(sum(downvotes), 0) as downvotes from received
  ), flows as (
    select p.voter_id, p.author_id, d.direction, d.votes, d.given, g.upvotes + g.downvotes as given_in_all, d.received,
      d.total - d.own - (d.author_given - d.reverse) as pool
    from read.vote_pairs p
    cross join totals s
    join read.vote_givers g on g.space_id = $1 and g.voter_id = p.voter_id
    join received t on t.author_id = p.author_id
    left join received o on o.author_id = p.voter_id
    left join read.vote_givers w on w.space_id = $1 and w.voter_id = p.author_id
    left join read.vote_pairs b on b.space_id = $1 and b.voter_id = p.author_id and b.author_id = p.voter_id
    cross join lateral (values
      ('UP', p.upvotes, g.upvotes, t.upvotes, s.upvotes, coalesce(o.upvotes, 0), coalesce(w.upvotes, 0), coalesce(b.upvotes, 0)),
      ('DOWN', p.downvotes, g.downvotes, t.downvotes, s.downvotes, coalesce(o.downvotes, 0), coalesce(w.downvotes, 0),
        coalesce(b.downvotes, 0))
    ) d(direction, votes, given, received, total, own, author_given, reverse)
    where p.space_id = $1 and ${pairs} and d.votes >= ${minVotes}
  )`;

export interface FlowColumns {
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

export const flowFrom = (row: FlowColumns): VoteFlow => ({
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
