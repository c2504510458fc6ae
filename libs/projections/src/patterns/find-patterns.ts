import {
  MAX_ONE_PERSON_POSTS_PER_VOTE,
  MAX_PATTERNS,
  MAX_STAR_VOTERS_SHOWN,
  MIN_BURST_VOTES,
  MIN_ONE_PERSON_SHARE,
  MIN_ONE_PERSON_VOTES,
  MIN_RING_STUDENTS,
  type VoteDirection,
  type VotePatternKind as PatternKind,
} from '@nimo/domain';
import { createHash } from 'node:crypto';
import { expectedAmong, lnChanceOfAtLeast } from './chance.js';
import { findGroups } from './find-groups.js';
import { type Audience, findStars, type Star, type SpaceBaseline } from './find-stars.js';
import {
  corrected,
  isSignificant,
  isUnlikely,
  linkOf,
  type PatternLink,
  standalone,
  type Standout,
  sumOf,
  urnOf,
  type VoteFlow,
  type VotingSize,
} from './vote-links.js';

export type { PatternKind };

/** The time window with the most votes of a flow. */
export interface Surge {
  readonly flow: VoteFlow;
  readonly from: string;
  readonly until: string;
  readonly votes: number;
  /** All votes of the voter in the window and direction. */
  readonly given: number;
}

export type VotingSizes = Readonly<Record<VoteDirection, VotingSize>>;

export interface PatternFinding {
  /** Stable while the kind and the people are the same. */
  readonly id: string;
  readonly kind: PatternKind;
  readonly studentIds: readonly string[];
  readonly links: readonly PatternLink[];
  readonly votes: number;
  readonly expected: number;
  /** Common logarithm of the probability of the whole finding; of its most likely part if the parts were found separately. */
  readonly chanceLog10: number;
  /** Stars only: accounts that upvoted soon after joining and before writing anything. */
  readonly newAccounts: number | null;
  /** Bursts only: first and last vote. */
  readonly from: string | null;
  readonly until: string | null;
}

const idOf = (kind: PatternKind, parts: readonly string[]): string =>
  `${kind.toLowerCase()}-${createHash('sha256').update(parts.join(' ')).digest('hex').slice(0, 16)}`;

function finding(
  kind: PatternKind,
  studentIds: readonly string[],
  standouts: readonly Standout[],
): PatternFinding {
  const links = standouts.map(({ link }) => link);
  return {
    id: idOf(kind, [...studentIds, links[0]?.direction ?? '']),
    kind,
    studentIds,
    links,
    votes: sumOf(links.map(({ votes }) => votes)),
    expected: sumOf(links.map(({ expected }) => expected)),
    chanceLog10: Math.max(...standouts.map(({ chanceLog10 }) => chanceLog10)),
    newAccounts: null,
    from: null,
    until: null,
  };
}

const isOnePerson = ({ votes, givenTotal, voterPosts }: VoteFlow): boolean =>
  votes >= MIN_ONE_PERSON_VOTES &&
  votes >= MIN_ONE_PERSON_SHARE * givenTotal &&
  voterPosts <= MAX_ONE_PERSON_POSTS_PER_VOTE * votes;

const peopleOf = ({ voterId, authorId }: PatternLink): string[] => [voterId, authorId];

function findBursts(surges: readonly Surge[], sizes: VotingSizes): PatternFinding[] {
  return surges.flatMap(({ flow, from, until, votes, given }) => {
    if (votes < MIN_BURST_VOTES) return [];
    const { voterId, authorId, direction, pool, received } = flow;
    const lnChance = lnChanceOfAtLeast(votes, { all: pool, marked: received, drawn: given });
    // Any vote of the space can start a window.
    const chanceLog10 = corrected(lnChance, Math.log(sizes[direction].votes));
    const expected = expectedAmong(given, flow.votes, urnOf(flow));
    const link = { voterId, authorId, direction, votes, given, expected, chanceLog10 };
    if (!isSignificant(link)) return [];
    return [{ ...finding('BURST', peopleOf(link), [standalone(link)]), from, until }];
  });
}

const mostVotesFirst = (left: PatternLink, right: PatternLink): number =>
  right.votes - left.votes || (left.voterId < right.voterId ? -1 : 1);

function starFinding(
  { authorId, devotees, votes, expected, newAccounts }: Star,
  chanceLog10: number,
  size: VotingSize,
): PatternFinding {
  const links = devotees
    .map(({ flow }) => linkOf(flow, size))
    .sort(mostVotesFirst)
    .slice(0, MAX_STAR_VOTERS_SHOWN);
  return {
    id: idOf('STAR', [authorId]),
    kind: 'STAR',
    studentIds: [authorId, ...links.map(({ voterId }) => voterId)],
    links,
    votes,
    expected,
    chanceLog10,
    newAccounts,
    from: null,
    until: null,
  };
}

/** Stars, with the corrected logarithm of their probability. */
function findStarsOf(space: SpaceBaseline, audiences: readonly Audience[]): readonly [Star, number][] {
  const chanceOf = (lnChance: number) => corrected(lnChance, Math.log(Math.max(1, space.authors)));
  return findStars(space, audiences, (lnChance) => isUnlikely(chanceOf(lnChance))).map((star) => [
    star,
    chanceOf(star.lnChance),
  ]);
}

/** Votes of a space, aggregated for the tests. */
export interface VotingData {
  readonly sizes: VotingSizes;
  readonly flows: readonly VoteFlow[];
  /** Upvotes between students who gave each other at least two. */
  readonly mutual: readonly VoteFlow[];
  readonly surges: readonly Surge[];
  readonly space: SpaceBaseline;
  readonly audiences: readonly Audience[];
}

/** Unusual voting in a space, least likely first. A finding is no proof: friends read the same questions. */
export function findPatterns({
  sizes,
  flows,
  mutual,
  surges,
  space,
  audiences,
}: VotingData): PatternFinding[] {
  const scored = (flow: VoteFlow) => ({ flow, link: linkOf(flow, sizes[flow.direction]) });
  const scoredFlows = flows.map(scored);
  const upward = scoredFlows.filter(({ flow }) => flow.direction === 'UP');
  const groups = findGroups(upward, mutual.map(scored), sizes.UP);
  const stars = findStarsOf(space, audiences);
  const keyOf = ({ voterId, authorId, direction }: VoteFlow | PatternLink) =>
    `${voterId} ${authorId} ${direction}`;
  // One finding per ring or star, not one per link.
  const explained = new Set([
    ...stars.flatMap(([{ devotees }]) => devotees.map(({ flow }) => keyOf(flow))),
    ...groups.flatMap(({ inside }) => inside.map(({ link }) => keyOf(link))),
  ]);
  const onePerson = scoredFlows
    .filter(({ flow, link }) => isOnePerson(flow) && isSignificant(link) && !explained.has(keyOf(link)))
    .map(({ link }) => finding('ONE_PERSON', peopleOf(link), [standalone(link)]));
  return [
    ...groups.map(({ members, inside, expected }) => ({
      ...finding(members.length < MIN_RING_STUDENTS ? 'PAIR' : 'RING', members, inside),
      expected,
    })),
    ...stars.map(([star, chanceLog10]) => starFinding(star, chanceLog10, sizes.UP)),
    ...onePerson,
    ...findBursts(
      surges.filter(({ flow }) => !explained.has(keyOf(flow))),
      sizes,
    ),
  ]
    .sort((left, right) => left.chanceLog10 - right.chanceLog10 || (left.id < right.id ? -1 : 1))
    .slice(0, MAX_PATTERNS);
}
