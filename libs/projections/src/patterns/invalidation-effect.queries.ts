import {
  type EventOf,
  factKeysOf,
  foldFact,
  type Ranked,
  rankOrder,
  type Score,
  type ScoreFact,
  scoreEntriesOf,
  scoreFold,
  type ScoringRules,
  type VoteData,
} from '@nimo/domain';
import type { Pool } from 'pg';
import { RANK } from '../leaderboard/leaderboard.queries.js';
import { listScoringRules } from '../leaderboard/scoring-rules.queries.js';
import { FACTS_OF_STUDENTS, factOf, type ScoreFactRow } from '../leaderboard/leaderboard.tables.js';
import type { Queryable } from '../queryable.js';
import { inTransaction } from '@nimo/projection-engine';

/** A case to be opened or reversed, with its votes. */
export type CaseChange = EventOf<'VotesInvalidated' | 'InvalidationReversed'>;

/** A student's standing in a space. `rank` is null without scored facts. */
export interface EffectStanding {
  readonly reputations: number;
  readonly commitments: number;
  readonly score: number;
  readonly rank: number | null;
}

export interface StudentEffect {
  readonly spaceId: string;
  readonly studentId: string;
  /** Votes of the case by the student, and on the student's posts. */
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
  /** Largest score change first. */
  readonly students: readonly StudentEffect[];
  readonly posts: readonly PostEffect[];
}

/** An affected student, scored before and after the change. */
interface Rescored {
  readonly spaceId: string;
  readonly studentId: string;
  readonly before: Score | undefined;
  readonly after: Score | undefined;
}

const unzip = (
  rows: readonly { readonly spaceId: string; readonly studentId: string }[],
): [string[], string[]] => [rows.map(({ spaceId }) => spaceId), rows.map(({ studentId }) => studentId)];

const keyOf = ({ spaceId, studentId, kind, postId, sourceId }: ScoreFact): string =>
  [spaceId, studentId, kind, postId, sourceId].join(' ');

/** Scores with the same fold as the leaderboard. */
function rescore(
  facts: readonly ScoreFact[],
  change: CaseChange,
  versions: readonly ScoringRules[],
): Rescored[] {
  // Folding events of a case only reads their data.
  const event = { ...change, ordinal: 0, metadata: { occurredAt: '' } };
  const touched = new Map(factKeysOf(change).map((key) => [key.join(' '), key]));
  const scoreOf = (ofStudent: readonly ScoreFact[]) =>
    scoreEntriesOf(ofStudent, versions).length > 0 ? scoreFold(ofStudent, versions) : undefined;
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

/** Ranks of these rows on the current leaderboard, whether or not they are on it. */
async function currentRanks(
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

type StandingChange = Pick<StudentEffect, 'spaceId' | 'studentId' | 'before' | 'after'>;

/** Ranks all affected students together: against each other by their new scores, against everyone else by current scores. */
async function rankStudents(db: Queryable, students: readonly Rescored[]): Promise<StandingChange[]> {
  const sides = students.flatMap(({ spaceId, studentId, before, after }) =>
    [before, after].map((score) => score && { spaceId, ranked: rankedOf(studentId, score) }),
  );
  const scored = sides.filter((side) => side !== undefined);
  const ranks = await currentRanks(db, scored);
  const rankOf = new Map(scored.map((side, index) => [side, ranks[index] ?? 0]));
  const isAhead = (studentId: string, score: Score | undefined, ranked: Ranked) =>
    Number(score !== undefined && rankOrder(rankedOf(studentId, score), ranked) < 0);
  /** Current ranks count the affected students at their old scores, so this replaces the old scores with the new ones. */
  const rankAmong = (own: Rescored, ranked: Ranked, rank: number): number =>
    students.reduce((sum, other) => {
      if (other.spaceId !== own.spaceId) return sum;
      const wasAhead = isAhead(other.studentId, other.before, ranked);
      return sum - wasAhead + (other === own ? 0 : isAhead(other.studentId, other.after, ranked));
    }, rank);
  return students.map((own, index) => {
    const { spaceId, studentId, before, after } = own;
    const [from, to] = [sides[2 * index], sides[2 * index + 1]];
    return {
      spaceId,
      studentId,
      before: standing(before, from && rankOf.get(from)),
      after: standing(after, to && rankAmong(own, to.ranked, rankOf.get(to) ?? 0)),
    };
  });
}

/** Vote counts of the posts before and after the change. */
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

const scoreChange = ({ before, after }: StudentEffect): number => Math.abs(after.score - before.score);

/** Effect of the change if applied now, read in one snapshot. Matches what the projections make of the event. */
export async function effectOfCase(pool: Pool, change: CaseChange): Promise<InvalidationEffect> {
  const affected = factKeysOf(change).map(([spaceId, studentId]) => ({ spaceId, studentId }));
  const { students, posts } = await inTransaction(
    pool,
    async (client) => {
      const { rows } = await client.query<ScoreFactRow>({ text: FACTS_OF_STUDENTS, values: unzip(affected) });
      const versions = await listScoringRules(client);
      const ranked = await rankStudents(client, rescore(rows.map(factOf), change, versions));
      return { students: ranked, posts: await postEffects(client, change) };
    },
    'begin isolation level repeatable read read only',
  );
  const { votes } = change.data;
  const count = ({ spaceId }: StandingChange, isCounted: (vote: VoteData) => boolean) =>
    votes.filter((vote) => vote.spaceId === spaceId && isCounted(vote)).length;
  const effects = students.map((student) => ({
    ...student,
    votesGiven: count(student, ({ voterId }) => voterId === student.studentId),
    votesReceived: count(student, ({ postAuthorId }) => postAuthorId === student.studentId),
  }));
  effects.sort(
    (left, right) => scoreChange(right) - scoreChange(left) || (left.studentId < right.studentId ? -1 : 1),
  );
  return { students: effects, posts };
}
