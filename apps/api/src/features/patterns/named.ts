import { CASE_EFFECTS_SHOWN_MAX } from '@nimo/domain';
import type { AuthorView } from '@nimo/projections';
import {
  findAuthorsByIds,
  namesOfSpaces,
  titlesOfQuestions,
  type InvalidationEffect as Effect,
  type JudgedVoteView,
  type PostEffect,
  type TriagedFinding,
} from '@nimo/projections';
import type { Pool } from 'pg';
import type { CaseSpace, InvalidationEffect } from './invalidation-case.type.js';
import type { JudgedVote, VotePattern } from './vote-pattern.type.js';

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
  const students = whole.students.slice(0, CASE_EFFECTS_SHOWN_MAX);
  const posts = whole.posts
    .toSorted((one, other) => moved(other) - moved(one))
    .slice(0, CASE_EFFECTS_SHOWN_MAX);
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
