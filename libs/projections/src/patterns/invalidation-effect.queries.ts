import {
  type EventOf,
  factKeysOf,
  foldFact,
  type Ranked,
  rankOrder,
  type Score,
  type ScoreFact,
  scoreEntryOf,
  scoreFold,
  type ScoringRules,
  type VoteData,
} from '@nimo/domain';
import type { Pool } from 'pg';
import { RANK } from '../leaderboard/leaderboard.queries.js';
import { listScoringRules } from '../leaderboard/scoring-rules.queries.js';
import { factOf, type ScoreFactRow } from '../leaderboard/leaderboard.tables.js';
import { isoTime, type Queryable } from '../queryable.js';
import { inTransaction } from '@nimo/projection-engine';

/** A case that is about to be opened, or to be reversed, with the votes that it names. */
export type CaseChange = EventOf<'VotesInvalidated' | 'InvalidationReversed'>;

/** A student's place in a space; rank null where no fact stands. */
export interface EffectStanding {
  readonly reputations: number;
  readonly commitments: number;
  readonly score: number;
  readonly rank: number | null;
}

export interface StudentEffect {
  readonly spaceId: string;
  readonly studentId: string;
  /** Of the case's votes: those by this student, and those on this student's posts. */
  readonly votesGiven: number;
  readonly votesReceived: number;
  readonly before: EffectStanding;
  readonly after: EffectStanding;
}

export interface VoteCounts {
  readonly upvotes: number;
  readonly downvotes: number;
}

export interface PostEffect {
  readonly postId: string;
  readonly postType: VoteData['postType'];
  readonly questionId: string;
  readonly before: VoteCounts;
  readonly after: VoteCounts;
}

export interface InvalidationEffect {
  /** Those whose score moves most come first. */
  readonly students: readonly StudentEffect[];
  readonly posts: readonly PostEffect[];
}

/** Somebody concerned, scored with and without the change. */
interface Rescored {
  readonly spaceId: string;
  readonly studentId: string;
  readonly before: Score | undefined;
  readonly after: Score | undefined;
}

const FACTS = `
  select f.space_id, f.student_id, f.kind, f.post_id, f.source_id, f.ordinal::float8 as ordinal,
    ${isoTime('f.occurred_at')} as occurred_at, f.held, f.invalidated_by, f.standing, f.round, f.reports
  from read.score_facts f
  join (select distinct * from unnest($1::text[], $2::text[]) as k(space_id, student_id)) k
    on k.space_id = f.space_id and k.student_id = f.student_id`;

const unzip = (
  rows: readonly { readonly spaceId: string; readonly studentId: string }[],
): [string[], string[]] => [rows.map(({ spaceId }) => spaceId), rows.map(({ studentId }) => studentId)];

const keyOf = ({ spaceId, studentId, kind, postId, sourceId }: ScoreFact): string =>
  [spaceId, studentId, kind, postId, sourceId].join(' ');

/** The same fold and the same sum as the leaderboard's. */
function rescored(
  facts: readonly ScoreFact[],
  change: CaseChange,
  versions: readonly ScoringRules[],
): Rescored[] {
  // The fold of a case's events reads their data alone.
  const event = { ...change, ordinal: 0, metadata: { occurredAt: '' } };
  const touched = new Map(factKeysOf(change).map((key) => [key.join(' '), key]));
  const scoreOf = (some: readonly ScoreFact[]) =>
    some.some((fact) => scoreEntryOf(fact, versions)) ? scoreFold(some, versions) : undefined;
  const byStudent = new Map<string, ScoreFact[]>();
  for (const fact of facts) {
    const identity = `${fact.spaceId} ${fact.studentId}`;
    const own = byStudent.get(identity) ?? [];
    byStudent.set(identity, own);
    own.push(fact);
  }
  return [...byStudent.values()].map((before) => {
    const after = before.flatMap((fact) => {
      const key = touched.get(keyOf(fact));
      const next = key ? foldFact(fact, event, key) : fact;
      return next ? [next] : [];
    });
    const [{ spaceId, studentId }] = before as [ScoreFact];
    return { spaceId, studentId, before: scoreOf(before), after: scoreOf(after) };
  });
}

const rankedOf = (studentId: string, { score, lastOrdinal }: Score): Ranked => ({
  studentId,
  score,
  lastOrdinal,
});

/** Ranks of these rows among all others of the leaderboard as it stands, whether they are in it or not. */
async function ranksNow(
  db: Queryable,
  rows: readonly { readonly spaceId: string; readonly ranked: Ranked }[],
): Promise<number[]> {
  const { rows: ranks } = await db.query<{ rank: number }>({
    text: `select (${RANK})::int as rank
           from unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[]) with ordinality
             as r(space_id, student_id, score, last_ordinal, place) order by r.place`,
    values: [
      rows.map(({ spaceId }) => spaceId),
      rows.map(({ ranked }) => ranked.studentId),
      rows.map(({ ranked }) => ranked.score),
      rows.map(({ ranked }) => ranked.lastOrdinal),
    ],
  });
  return ranks.map(({ rank }) => rank);
}

const standing = (score: Score | undefined, rank: number | undefined): EffectStanding => ({
  reputations: score?.reputations ?? 0,
  commitments: score?.commitments ?? 0,
  score: score?.score ?? 0,
  rank: score ? (rank ?? null) : null,
});

type Place = Pick<StudentEffect, 'spaceId' | 'studentId' | 'before' | 'after'>;

/** All concerned move at once: among themselves they are ranked by where they come to, among others by where those are. */
async function placed(db: Queryable, students: readonly Rescored[]): Promise<Place[]> {
  const sides = students.flatMap(({ spaceId, studentId, before, after }) =>
    [before, after].map((score) => score && { spaceId, ranked: rankedOf(studentId, score) }),
  );
  const there = sides.filter((side) => side !== undefined);
  const ranks = await ranksNow(db, there);
  const rankOf = new Map(there.map((side, place) => [side, ranks[place] ?? 0]));
  const isAhead = (studentId: string, score: Score | undefined, ranked: Ranked) =>
    Number(score !== undefined && rankOrder(rankedOf(studentId, score), ranked) < 0);
  /** Ranks among the rows that are there count those concerned where they were: they are taken out and put where they come to. */
  const rankAmong = (own: Rescored, ranked: Ranked, rank: number): number =>
    students.reduce((sum, other) => {
      if (other.spaceId !== own.spaceId) return sum;
      const left = isAhead(other.studentId, other.before, ranked);
      return sum - left + (other === own ? 0 : isAhead(other.studentId, other.after, ranked));
    }, rank);
  return students.map((own, place) => {
    const { spaceId, studentId, before, after } = own;
    const [from, to] = [sides[2 * place], sides[2 * place + 1]];
    return {
      spaceId,
      studentId,
      before: standing(before, from && rankOf.get(from)),
      after: standing(after, to && rankAmong(own, to.ranked, rankOf.get(to) ?? 0)),
    };
  });
}

/** Votes on posts that count now, and that would. */
async function postEffects(db: Queryable, change: CaseChange): Promise<PostEffect[]> {
  const { caseId, votes } = change.data;
  const posts = new Map(votes.map((vote) => [vote.postId, vote]));
  const isReversal = change.type === 'InvalidationReversed';
  const { rows } = await db.query<{
    post_id: string;
    upvotes: number;
    downvotes: number;
    ups: number;
    downs: number;
  }>({
    text: `
      select p.post_id, coalesce(c.upvotes, 0)::int as upvotes, coalesce(c.downvotes, 0)::int as downvotes,
        (count(*) filter (where v.direction = 'UP'))::int as ups, (count(*) filter (where v.direction = 'DOWN'))::int as downs
      from (select distinct unnest($1::text[]) as post_id) p
      left join read.post_votes c on c.post_id = p.post_id
      left join (
        select v.* from unnest($1::text[], $2::text[], $3::text[]) as n(post_id, voter_id, direction)
        join read.votes v using (post_id, voter_id, direction)
        where v.is_held and v.invalid_in = $4::text[]
      ) v on v.post_id = p.post_id
      group by 1, 2, 3 order by 1`,
    values: [
      votes.map(({ postId }) => postId),
      votes.map(({ voterId }) => voterId),
      votes.map(({ direction }) => direction),
      isReversal ? [caseId] : [],
    ],
  });
  const step = isReversal ? 1 : -1;
  return rows.flatMap(({ post_id, upvotes, downvotes, ups, downs }) => {
    const post = posts.get(post_id);
    if (!post) return [];
    const after = { upvotes: upvotes + step * ups, downvotes: downvotes + step * downs };
    const { postType, questionId } = post;
    return [{ postId: post_id, postType, questionId, before: { upvotes, downvotes }, after }];
  });
}

const moved = ({ before, after }: StudentEffect): number => Math.abs(after.score - before.score);

/** What the change would do at this moment, read in one snapshot. Equals what the projections make of the event. */
export async function effectOfCase(pool: Pool, change: CaseChange): Promise<InvalidationEffect> {
  const concerned = factKeysOf(change).map(([spaceId, studentId]) => ({ spaceId, studentId }));
  const { students, posts } = await inTransaction(
    pool,
    async (client) => {
      const { rows } = await client.query<ScoreFactRow>({ text: FACTS, values: unzip(concerned) });
      const versions = await listScoringRules(client);
      const places = await placed(client, rescored(rows.map(factOf), change, versions));
      return { students: places, posts: await postEffects(client, change) };
    },
    'begin isolation level repeatable read read only',
  );
  const { votes } = change.data;
  const count = (place: Place, isCounted: (vote: VoteData) => boolean) =>
    votes.filter((vote) => vote.spaceId === place.spaceId && isCounted(vote)).length;
  const told = students.map((place) => ({
    ...place,
    votesGiven: count(place, ({ voterId }) => voterId === place.studentId),
    votesReceived: count(place, ({ postAuthorId }) => postAuthorId === place.studentId),
  }));
  told.sort((left, right) => moved(right) - moved(left) || (left.studentId < right.studentId ? -1 : 1));
  return { students: told, posts };
}
