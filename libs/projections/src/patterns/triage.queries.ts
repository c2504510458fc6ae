import { isoTime, type Queryable } from '../queryable.js';
import type { PatternTriage } from './triage.js';

/** What moderators made of the patterns of spaces, by space, the latest first. */
export async function listPatternTriages(
  db: Queryable,
  spaceIds: readonly string[],
): Promise<ReadonlyMap<string, readonly PatternTriage[]>> {
  const { rows } = await db.query<PatternTriage & { spaceId: string }>({
    text: `select space_id as "spaceId", pattern_id as "patternId", kind, verdict, moderator_id as "moderatorId",
             ${isoTime('triaged_at')} as at, votes, student_ids as "studentIds", revision
           from read.pattern_triages where space_id = any($1::text[]) order by triaged_at desc, pattern_id`,
    values: [spaceIds],
  });
  const bySpace = new Map<string, PatternTriage[]>(spaceIds.map((id) => [id, []]));
  for (const { spaceId, ...triage } of rows) bySpace.get(spaceId)?.push(triage);
  return bySpace;
}

/** A space in which somebody votes. */
export interface VotingPlace {
  readonly spaceId: string;
  /** Another one as soon as somebody votes for the first time, or more or fewer votes stand. */
  readonly tally: string;
}

/** Of these spaces, or of all, those with votes, those with the most first. */
export async function listVotingPlaces(
  db: Queryable,
  spaces: 'all' | readonly string[],
  limit: number,
): Promise<VotingPlace[]> {
  const { rows } = await db.query<VotingPlace>({
    text: `select space_id as "spaceId", concat_ws(' ', count(*), sum(upvotes), sum(downvotes)) as tally from read.vote_givers
           where $1::text[] is null or space_id = any($1) group by space_id
           order by sum(upvotes) + sum(downvotes) desc, space_id limit $2`,
    values: [spaces === 'all' ? null : spaces, limit],
  });
  return rows;
}
