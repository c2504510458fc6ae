import { type PatternVerdict, MAX_STAR_VOTERS_SHOWN, type VotePatternKind } from '@nimo/domain';
import type { PatternFinding } from './find-patterns.js';
import { isoTime, type Queryable } from '../queryable.js';
import { notOfRemovedSpace } from '../removed-space.sql.js';

/** A moderator's verdict on a pattern, with the votes and accounts it covered. */
export interface PatternTriage {
  readonly patternId: string;
  readonly kind: VotePatternKind;
  readonly verdict: PatternVerdict;
  readonly moderatorId: string;
  readonly at: string;
  readonly votes: number;
  readonly studentIds: readonly string[];
  readonly revision: number;
}

/** `NEW` until triaged, and again once a harmless pattern grows. */
export type PatternState = 'NEW' | PatternVerdict;

export type TriagedFinding<Finding extends PatternFinding = PatternFinding> = Finding & {
  readonly state: PatternState;
  /** Whether votes or accounts were added since the triage. */
  readonly hasGrown: boolean;
  readonly triage: PatternTriage | null;
  /** Number of triages of this exact pattern. A triage names the revision it is based on. */
  readonly revision: number;
};

const GROUPS: ReadonlySet<VotePatternKind> = new Set(['PAIR', 'RING']);

const isWithin = (some: readonly string[], all: readonly string[]): boolean => {
  const known = new Set(all);
  return some.every((id) => known.has(id));
};

/** The id of a group depends on its members, so a group that gained or lost members is matched by inclusion. */
const isSameGroup = (finding: PatternFinding, triage: PatternTriage): boolean =>
  GROUPS.has(finding.kind) &&
  GROUPS.has(triage.kind) &&
  (isWithin(triage.studentIds, finding.studentIds) || isWithin(finding.studentIds, triage.studentIds));

/** Compares only the votes of a star whose accounts are not all listed. */
function hasGrownSince(finding: PatternFinding, { votes, studentIds }: PatternTriage): boolean {
  const isComplete = finding.kind !== 'STAR' || finding.studentIds.length <= MAX_STAR_VOTERS_SHOWN;
  return finding.votes > votes || (isComplete && !isWithin(finding.studentIds, studentIds));
}

function triaged<Finding extends PatternFinding>(
  finding: Finding,
  triages: readonly PatternTriage[],
): TriagedFinding<Finding> {
  const own = triages.find(({ patternId }) => patternId === finding.id);
  const triage = own ?? triages.find((candidate) => isSameGroup(finding, candidate)) ?? null;
  const hasGrown = triage !== null && hasGrownSince(finding, triage);
  const isNew = triage === null || (triage.verdict === 'HARMLESS' && hasGrown);
  const state = isNew ? 'NEW' : triage.verdict;
  return { ...finding, state, hasGrown, triage, revision: own?.revision ?? 0 };
}

/** Adds the triage state to findings. @param triages triages of the space, newest first */
export const withTriage = <Finding extends PatternFinding>(
  findings: readonly Finding[],
  triages: readonly PatternTriage[],
): TriagedFinding<Finding>[] => findings.map((finding) => triaged(finding, triages));

/** Triages by space id, newest first. */
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

/** A space with votes. */
export interface SpaceWithVotes {
  readonly spaceId: string;
  /** Changes with the number of voters or valid votes. */
  readonly tally: string;
}

/** Spaces with votes, most votes first. */
export async function listSpacesWithVotes(
  db: Queryable,
  spaces: 'all' | readonly string[],
  limit: number,
): Promise<SpaceWithVotes[]> {
  const { rows } = await db.query<SpaceWithVotes>({
    text: `select space_id as "spaceId", concat_ws(' ', count(*), sum(upvotes), sum(downvotes)) as tally from read.vote_givers
           where ($1::text[] is null or space_id = any($1)) and ${notOfRemovedSpace('space_id')} group by space_id
           order by sum(upvotes) + sum(downvotes) desc, space_id limit $2`,
    values: [spaces === 'all' ? null : spaces, limit],
  });
  return rows;
}
