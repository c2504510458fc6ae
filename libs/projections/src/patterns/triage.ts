import { type PatternVerdict, MAX_STAR_VOTERS_SHOWN, type VotePatternKind } from '@nimo/domain';
import type { PatternFinding } from './find-patterns.js';
import { isoTime, type Queryable } from '../queryable.js';

/** What a moderator made of a pattern, and of how much of it. */
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

/** New is what nobody triaged, and what grew after it was found harmless. */
export type PatternState = 'NEW' | PatternVerdict;

export interface TriagedFinding extends PatternFinding {
  readonly state: PatternState;
  /** Votes or accounts that were not there when it was triaged. */
  readonly hasGrown: boolean;
  readonly triage: PatternTriage | null;
  /** How often this very pattern was triaged: names what was seen. */
  readonly revision: number;
}

const GROUPS: ReadonlySet<VotePatternKind> = new Set(['PAIR', 'RING']);

const isWithin = (some: readonly string[], all: readonly string[]): boolean => {
  const known = new Set(all);
  return some.every((id) => known.has(id));
};

/** A group is named by its members: one more or one fewer is the same group, grown or shrunk. */
const isSameGroup = (finding: PatternFinding, triage: PatternTriage): boolean =>
  GROUPS.has(finding.kind) &&
  GROUPS.has(triage.kind) &&
  (isWithin(triage.studentIds, finding.studentIds) || isWithin(finding.studentIds, triage.studentIds));

/** Of a star with more accounts than are shown nobody knows who is new: there its votes tell. */
function hasGrownSince(finding: PatternFinding, { votes, studentIds }: PatternTriage): boolean {
  const isWhole = finding.kind !== 'STAR' || finding.studentIds.length <= MAX_STAR_VOTERS_SHOWN;
  return finding.votes > votes || (isWhole && !isWithin(finding.studentIds, studentIds));
}

function triaged(finding: PatternFinding, triages: readonly PatternTriage[]): TriagedFinding {
  const own = triages.find(({ patternId }) => patternId === finding.id);
  const triage = own ?? triages.find((each) => isSameGroup(finding, each)) ?? null;
  const hasGrown = triage !== null && hasGrownSince(finding, triage);
  const isNew = triage === null || (triage.verdict === 'HARMLESS' && hasGrown);
  const state = isNew ? 'NEW' : triage.verdict;
  return { ...finding, state, hasGrown, triage, revision: own?.revision ?? 0 };
}

/** Findings with what moderators made of them. @param triages of the space, the latest first */
export const withTriage = (
  findings: readonly PatternFinding[],
  triages: readonly PatternTriage[],
): TriagedFinding[] => findings.map((finding) => triaged(finding, triages));

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
