import { MAX_CASE_EFFECTS_SHOWN, MAX_COUNTED_SPACES } from '@nimo/domain';
import {
  type AuthorView,
  findAuthorsByIds,
  type InvalidationEffect as Effect,
  type JudgedVoteView,
  listPatternTriages,
  listVotePatterns,
  listVotingPlaces,
  namesOfSpaces,
  type PatternFinding,
  type PostEffect,
  titlesOfQuestions,
  type TriagedFinding,
  type VotingPlace,
  withTriage,
} from '@nimo/projections';
import { Pool } from 'pg';
import { Injectable } from '@nestjs/common';
import type { CaseSpace, InvalidationEffect, JudgedVote, VotePattern } from './vote-pattern.types.js';
import { moderatedSpaces, type Viewer } from '../../platform/auth/viewer.js';

type Person = (id: string) => AuthorView;

/** People by their ids, in one look; the names of one who is not known (any more) are empty. */
export async function peopleOf(pool: Pool, ids: readonly string[]): Promise<Person> {
  const different = [...new Set(ids)];
  const found = await findAuthorsByIds(pool, different);
  const people = new Map(different.map((id, place) => [id, found[place]]));
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

export async function spacesOf(pool: Pool, ids: readonly string[]): Promise<(id: string) => CaseSpace> {
  const names = await namesOfSpaces(pool, [...new Set(ids)]);
  return (id) => ({ _id: id, name: names.get(id) ?? '' });
}

export async function namedVotes(pool: Pool, votes: readonly JudgedVoteView[]): Promise<JudgedVote[]> {
  const person = await peopleOf(
    pool,
    votes.flatMap(({ voterId, authorId }) => [voterId, authorId]),
  );
  return votes.map((vote) => ({ ...vote, voter: person(vote.voterId), author: person(vote.authorId) }));
}

export async function namedPatterns(pool: Pool, findings: readonly TriagedFinding[]): Promise<VotePattern[]> {
  const person = await peopleOf(
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

const moved = ({ before, after }: PostEffect): number =>
  Math.abs(after.upvotes - before.upvotes) + Math.abs(after.downvotes - before.downvotes);

/** As it is shown: of a case of very many votes a part, and how many there are. Students come in that order already. */
export async function namedEffect(pool: Pool, whole: Effect): Promise<InvalidationEffect> {
  const students = whole.students.slice(0, MAX_CASE_EFFECTS_SHOWN);
  const posts = whole.posts
    .toSorted((one, other) => moved(other) - moved(one))
    .slice(0, MAX_CASE_EFFECTS_SHOWN);
  const [person, space, titles] = await Promise.all([
    peopleOf(
      pool,
      students.map(({ studentId }) => studentId),
    ),
    spacesOf(
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

/** A count may be as old as this where neither votes nor voters of the space changed. */
const KEPT_MS = 10 * 60_000;

type Reader = Pick<Viewer, 'studentId'>;

interface Kept {
  readonly tally: string;
  readonly until: number;
  readonly findings: Promise<PatternFinding[]>;
}

interface PatternCount {
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
  private readonly kept = new Map<string, Kept>();

  constructor(private readonly pool: Pool) {}

  /** What stands out in the space now. What concerns the viewer's own votes and posts is for others to judge. */
  async patternsFor(viewer: Reader, spaceId: string): Promise<TriagedFinding[]> {
    const findings = await listVotePatterns(this.pool, spaceId);
    const triages = await listPatternTriages(this.pool, [spaceId]);
    return withTriage(notOf(viewer, findings), triages.get(spaceId) ?? []);
  }

  /** In all spaces that the viewer moderates and that have any; of many spaces in those with the most votes. */
  async countsFor(viewer: Viewer): Promise<PatternCount[]> {
    const places = await listVotingPlaces(this.pool, moderatedSpaces(viewer), MAX_COUNTED_SPACES);
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
    const known = this.kept.get(spaceId);
    if (known?.tally === tally && known.until > Date.now()) return known.findings;
    const findings = listVotePatterns(this.pool, spaceId);
    this.kept.set(spaceId, { tally, until: Date.now() + KEPT_MS, findings });
    // Whoever waits for it is told; the next one asks again.
    findings.catch(() => this.kept.delete(spaceId));
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
