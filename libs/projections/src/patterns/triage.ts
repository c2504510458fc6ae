import { STAR_VOTERS_SHOWN_MAX, type PatternVerdict, type VotePatternKind } from '@nimo/domain';
import type { PatternFinding } from './find-patterns.js';

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
  const isWhole = finding.kind !== 'STAR' || finding.studentIds.length <= STAR_VOTERS_SHOWN_MAX;
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
