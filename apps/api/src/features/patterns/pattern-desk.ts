import { Injectable } from '@nestjs/common';
import { COUNTED_SPACES_MAX } from '@nimo/domain';
import {
  listPatternTriages,
  listVotePatterns,
  listVotingPlaces,
  type PatternFinding,
  type TriagedFinding,
  type VotingPlace,
  withTriage,
} from '@nimo/projections';
import { Pool } from 'pg';
import { moderatedSpaces, type Viewer } from '../../platform/auth/viewer.js';

/** A count may be as old as this where neither votes nor voters of the space changed. */
const KEPT_MS = 10 * 60_000;

type Reader = Pick<Viewer, 'studentId'>;

interface Kept {
  readonly tally: string;
  readonly until: number;
  readonly findings: Promise<PatternFinding[]>;
}

export interface PatternCount {
  readonly spaceId: string;
  readonly untriaged: number;
  readonly seen: number;
  readonly watched: number;
  readonly watchedAndGrown: number;
  readonly harmless: number;
}

/** The patterns that a moderator may look at, with what became of them. */
@Injectable()
export class PatternDesk {
  /** What counts are made of, by space: finding it anew at each page of the area would cost more than all else there. */
  readonly #kept = new Map<string, Kept>();

  constructor(private readonly pool: Pool) {}

  /** What stands out in the space now. What concerns the viewer's own votes and posts is for others to judge. */
  async patternsFor(viewer: Reader, spaceId: string): Promise<TriagedFinding[]> {
    const findings = await listVotePatterns(this.pool, spaceId);
    const triages = await listPatternTriages(this.pool, [spaceId]);
    return withTriage(notOf(viewer, findings), triages.get(spaceId) ?? []);
  }

  /** In all spaces that the viewer moderates and that have any; of many spaces in those with the most votes. */
  async countsFor(viewer: Viewer): Promise<PatternCount[]> {
    const places = await listVotingPlaces(this.pool, moderatedSpaces(viewer), COUNTED_SPACES_MAX);
    const triages = await listPatternTriages(
      this.pool,
      places.map(({ spaceId }) => spaceId),
    );
    const counts: PatternCount[] = [];
    for (const place of places) {
      const findings = notOf(viewer, await this.keptFindings(place));
      if (findings.length === 0) continue;
      counts.push(countOf(place.spaceId, withTriage(findings, triages.get(place.spaceId) ?? [])));
    }
    return counts;
  }

  private keptFindings({ spaceId, tally }: VotingPlace): Promise<PatternFinding[]> {
    const known = this.#kept.get(spaceId);
    if (known?.tally === tally && known.until > Date.now()) return known.findings;
    const findings = listVotePatterns(this.pool, spaceId);
    this.#kept.set(spaceId, { tally, until: Date.now() + KEPT_MS, findings });
    // Whoever waits for it is told; the next one asks again.
    findings.catch(() => this.#kept.delete(spaceId));
    return findings;
  }
}

const notOf = ({ studentId }: Reader, findings: readonly PatternFinding[]): PatternFinding[] =>
  findings.filter(({ studentIds }) => !studentIds.includes(studentId));

function countOf(spaceId: string, patterns: readonly TriagedFinding[]): PatternCount {
  const count = (isCounted: (pattern: TriagedFinding) => boolean) => patterns.filter(isCounted).length;
  return {
    spaceId,
    untriaged: count(({ state }) => state === 'NEW'),
    seen: count(({ state }) => state === 'SEEN'),
    watched: count(({ state }) => state === 'WATCHED'),
    watchedAndGrown: count(({ state, hasGrown }) => state === 'WATCHED' && hasGrown),
    harmless: count(({ state }) => state === 'HARMLESS'),
  };
}
