import { MAX_CASE_EFFECTS_SHOWN, MAX_COUNTED_SPACES } from '@nimo/domain';
import {
  type AuthorView,
  findAuthorsByIds,
  type InvalidationEffect as Effect,
  type DatedFinding,
  type JudgedVoteView,
  listPatternTriages,
  listVotePatterns,
  listSpacesWithVotes,
  namesOfSpaces,
  type NotifiedPatterns,
  type PatternFinding,
  type PostEffect,
  titlesOfQuestions,
  type TriagedFinding,
  type SpaceWithVotes,
  withLastVotes,
  withTriage,
} from '@nimo/projections';
import { Pool } from 'pg';
import { Inject, Injectable } from '@nestjs/common';
import type { CaseSpace, InvalidationEffect, JudgedVote, VotePattern } from './vote-pattern.types.js';
import { moderatedSpaces, type Viewer } from '../../platform/auth/viewer.js';
import { type Clock, CLOCK } from '../../platform/config/tokens.js';

type Person = (id: string) => AuthorView;

/** Looks up people in one query. Unknown or erased people have empty names. */
export async function peopleById(pool: Pool, ids: readonly string[]): Promise<Person> {
  const distinct = [...new Set(ids)];
  const found = await findAuthorsByIds(pool, distinct);
  const people = new Map(distinct.map((id, index) => [id, found[index]]));
  return (id) =>
    people.get(id) ?? {
      _id: id,
      userName: '',
      firstName: '',
      lastName: '',
      realProfilePicUrl: null,
      profileDesc: '',
    };
}

export async function spacesById(pool: Pool, ids: readonly string[]): Promise<(id: string) => CaseSpace> {
  const names = await namesOfSpaces(pool, [...new Set(ids)]);
  return (id) => ({ _id: id, name: names.get(id) ?? '' });
}

export async function withVoteNames(pool: Pool, votes: readonly JudgedVoteView[]): Promise<JudgedVote[]> {
  const person = await peopleById(
    pool,
    votes.flatMap(({ voterId, authorId }) => [voterId, authorId]),
  );
  return votes.map((vote) => ({ ...vote, voter: person(vote.voterId), author: person(vote.authorId) }));
}

export async function withPatternNames(
  pool: Pool,
  findings: readonly TriagedFinding[],
): Promise<VotePattern[]> {
  const person = await peopleById(
    pool,
    findings.flatMap(({ studentIds, triage }) => [...studentIds, ...(triage ? [triage.moderatorId] : [])]),
  );
  return findings.map(({ id, studentIds, links, triage, ...finding }) => ({
    ...finding,
    triage: triage && { ...triage, moderator: person(triage.moderatorId) },
    _id: id,
    students: studentIds.map(person),
    links: links.map((link) => ({ ...link, voter: person(link.voterId), author: person(link.authorId) })),
    evidence: [],
  }));
}

const changeOf = ({ before, after }: PostEffect): number =>
  Math.abs(after.upvotes - before.upvotes) + Math.abs(after.downvotes - before.downvotes);

/** Effect for display: the largest changes, with total counts. Students are already ordered by change. */
export async function effectForDisplay(pool: Pool, whole: Effect): Promise<InvalidationEffect> {
  const students = whole.students.slice(0, MAX_CASE_EFFECTS_SHOWN);
  const posts = whole.posts
    .toSorted((one, other) => changeOf(other) - changeOf(one))
    .slice(0, MAX_CASE_EFFECTS_SHOWN);
  const [person, space, titles] = await Promise.all([
    peopleById(
      pool,
      students.map(({ studentId }) => studentId),
    ),
    spacesById(
      pool,
      students.map(({ spaceId }) => spaceId),
    ),
    titlesOfQuestions(
      pool,
      posts.map(({ questionId }) => questionId),
    ),
  ]);
  return {
    students: students.map((effect) => ({
      ...effect,
      student: person(effect.studentId),
      space: space(effect.spaceId),
    })),
    posts: posts.map((post) => ({
      ...post,
      question: { _id: post.questionId, title: titles.get(post.questionId) ?? '' },
    })),
    studentCount: whole.students.length,
    postCount: whole.posts.length,
    spaceIds: [...new Set(whole.students.map(({ spaceId }) => spaceId))],
  };
}

/** How long findings are cached while the space's votes and voters stay the same. */
const CACHE_TTL_MS = 10 * 60_000;

type Reader = Pick<Viewer, 'studentId'>;

interface CachedFindings {
  readonly tally: string;
  /** Milliseconds. */
  readonly detectedAt: number;
  readonly findings: Promise<DatedFinding[]>;
  /** Undefined until they are detected. */
  known?: readonly DatedFinding[];
}

/** Start of the period of `CACHE_TTL_MS` that a time falls in. */
const periodStart = (time: number): number => time - (time % CACHE_TTL_MS);

/** The end of the period of the last vote, when the pattern is detected at the latest, but not in the future. */
const notifiedAt = (lastVoteAt: string, now: number): number =>
  Math.min(periodStart(Date.parse(lastVoteAt)) + CACHE_TTL_MS, periodStart(now));

/** Patterns to triage: new ones, and watched ones that grew. */
const needsTriage = ({ state, hasGrown }: TriagedFinding): boolean =>
  state === 'NEW' || (state === 'WATCHED' && hasGrown);

interface PatternCount {
  readonly spaceId: string;
  readonly untriaged: number;
  readonly seen: number;
  readonly watched: number;
  readonly watchedAndGrown: number;
  readonly harmless: number;
}

/** Vote patterns a moderator may see, with their triage. */
@Injectable()
export class VotePatterns {
  /** Findings by space: detecting them for every page view would be too expensive. */
  private readonly cache = new Map<string, CachedFindings>();

  constructor(
    private readonly pool: Pool,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** Current patterns in the space, except those that concern the viewer. */
  async patternsFor(viewer: Reader, spaceId: string): Promise<TriagedFinding[]> {
    const findings = await listVotePatterns(this.pool, spaceId);
    const triages = await listPatternTriages(this.pool, [spaceId]);
    return withTriage(withoutOwnFindings(viewer, findings), triages.get(spaceId) ?? []);
  }

  /** Counts per moderated space with patterns, limited to the spaces with the most votes. */
  async countsFor(viewer: Viewer): Promise<PatternCount[]> {
    const places = await listSpacesWithVotes(this.pool, moderatedSpaces(viewer), MAX_COUNTED_SPACES);
    const triages = await listPatternTriages(
      this.pool,
      places.map(({ spaceId }) => spaceId),
    );
    const counts: PatternCount[] = [];
    for (const place of places) {
      const findings = withoutOwnFindings(viewer, await this.cachedFindings(place));
      if (findings.length === 0) continue;
      counts.push(countByState(place.spaceId, withTriage(findings, triages.get(place.spaceId) ?? [])));
    }
    return counts;
  }

  /** Patterns to triage in each space the viewer moderates. Detects them at most once per ten minutes, so recent votes may be missing. */
  async toTriage(viewer: Viewer): Promise<NotifiedPatterns[]> {
    const places = await listSpacesWithVotes(this.pool, moderatedSpaces(viewer), MAX_COUNTED_SPACES);
    return this.notify(viewer, places, async (place) => {
      const cached = this.ofPeriod(place.spaceId);
      return cached ? cached.findings : this.cachedFindings(place);
    });
  }

  /** Like `toTriage` for one space, without waiting for a detection: it starts one, and later calls get its findings. */
  async knownToTriage(viewer: Viewer, spaceId: string): Promise<NotifiedPatterns[]> {
    const places = await listSpacesWithVotes(this.pool, [spaceId], 1);
    return this.notify(viewer, places, async (place) => {
      const known = this.cache.get(place.spaceId)?.known ?? [];
      // The next call retries a failed detection.
      if (!this.ofPeriod(place.spaceId)) this.cachedFindings(place).catch(() => undefined);
      return known;
    });
  }

  private async notify(
    viewer: Reader,
    places: readonly SpaceWithVotes[],
    findingsOf: (place: SpaceWithVotes) => Promise<readonly DatedFinding[]>,
  ): Promise<NotifiedPatterns[]> {
    const now = this.clock().getTime();
    const spaceIds = places.map(({ spaceId }) => spaceId);
    const triages = await listPatternTriages(this.pool, spaceIds);
    const notified: NotifiedPatterns[] = [];
    for (const place of places) {
      const findings = withoutOwnFindings(viewer, await findingsOf(place));
      const open = withTriage(findings, triages.get(place.spaceId) ?? []).filter(needsTriage);
      if (open.length === 0) continue;
      const times = open.map(({ lastVoteAt }) => notifiedAt(lastVoteAt, now));
      const at = new Date(Math.max(...times)).toISOString();
      notified.push({ spaceId: place.spaceId, count: open.length, at });
    }
    return notified;
  }

  private ofPeriod(spaceId: string): CachedFindings | undefined {
    const cached = this.cache.get(spaceId);
    const isCurrent = cached && periodStart(cached.detectedAt) === periodStart(this.clock().getTime());
    return isCurrent ? cached : undefined;
  }

  private cachedFindings({ spaceId, tally }: SpaceWithVotes): Promise<DatedFinding[]> {
    const cached = this.cache.get(spaceId);
    const now = this.clock().getTime();
    if (cached?.tally === tally && cached.detectedAt + CACHE_TTL_MS > now) return cached.findings;
    const findings = this.detect(spaceId);
    const entry: CachedFindings = { tally, detectedAt: now, findings };
    if (cached?.known) entry.known = cached.known;
    this.cache.set(spaceId, entry);
    findings.then(
      (known) => void (entry.known = known),
      // Callers get the error; the next call retries.
      () => this.cache.delete(spaceId),
    );
    return findings;
  }

  private async detect(spaceId: string): Promise<DatedFinding[]> {
    return withLastVotes(this.pool, spaceId, await listVotePatterns(this.pool, spaceId));
  }
}

const withoutOwnFindings = <Finding extends PatternFinding>(
  { studentId }: Reader,
  findings: readonly Finding[],
): Finding[] => findings.filter(({ studentIds }) => !studentIds.includes(studentId));

function countByState(spaceId: string, patterns: readonly TriagedFinding[]): PatternCount {
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
