import {
  MIN_BURST_VOTES,
  MIN_GROUP_SHARE,
  SUFFICIENT_GROUP_VOTES,
  MAX_ONE_PERSON_POSTS_PER_VOTE,
  MIN_ONE_PERSON_SHARE,
  MIN_ONE_PERSON_VOTES,
  PATTERN_FALSE_ALARM_RATE,
  MIN_PATTERN_TIMES_EXPECTED,
  MIN_PATTERN_VOTES,
  MAX_PATTERNS,
  MIN_RING_LINK_VOTES,
  MIN_RING_STUDENTS,
  MAX_STAR_VOTERS_SHOWN,
  type VoteDirection,
  type VotePatternKind as PatternKind,
} from '@nimo/domain';
import { createHash } from 'node:crypto';
import { expectedAmong, lnChanceOfAtLeast, lnChoose, lnCombined, type Urn } from './chance.js';
import { type Audience, findStars, type Star, type SpaceBaseline, type VoteFlow } from './find-stars.js';
import { connectedGroups } from './groups.js';

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

/** Totals of one direction in a space. */
export interface VotingSize {
  readonly voters: number;
  readonly authors: number;
  readonly votes: number;
}
export type VotingSizes = Readonly<Record<VoteDirection, VotingSize>>;

/** A voter and an author of a finding, with the evidence. */
export interface PatternLink {
  readonly voterId: string;
  readonly authorId: string;
  readonly direction: VoteDirection;
  readonly votes: number;
  readonly given: number;
  readonly expected: number;
  /** Common logarithm of the probability that any voter and author of the space reach this by chance. */
  readonly chanceLog10: number;
}

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

/** Votes up, votes down, pairs, rings, bursts and stars. */
const DETECTION_METHODS = 6;

/** Bonferroni correction: multiplies a probability by the number of tests. */
const corrected = (lnChance: number, lnTests: number): number =>
  Math.min(0, lnChance + Math.max(0, lnTests) + Math.log(DETECTION_METHODS)) / Math.LN10;

const exceedsExpectation = (votes: number, expected: number): boolean =>
  votes >= MIN_PATTERN_TIMES_EXPECTED * expected;

const isNotable = ({ votes, expected }: PatternLink): boolean =>
  votes >= MIN_PATTERN_VOTES && exceedsExpectation(votes, expected);

/** A larger share of the members' upvotes than friends who also read others give each other. */
const isLargeShare = (votes: number, given: number): boolean => votes >= MIN_GROUP_SHARE * given;

const isSubstantial = ({ votes, given }: PatternLink): boolean =>
  votes >= SUFFICIENT_GROUP_VOTES || isLargeShare(votes, given);

const isUnlikely = (chanceLog10: number): boolean => chanceLog10 <= Math.log10(PATTERN_FALSE_ALARM_RATE);

const isSignificant = (link: PatternLink): boolean => isNotable(link) && isUnlikely(link.chanceLog10);

/** A link with the probability of the pattern it belongs to: the link itself, a pair or a ring. */
interface Standout {
  readonly link: PatternLink;
  readonly chanceLog10: number;
}

const standalone = (link: PatternLink): Standout => ({ link, chanceLog10: link.chanceLog10 });

interface ScoredFlow {
  readonly flow: VoteFlow;
  readonly link: PatternLink;
}

const urnOf = ({ pool, received, given }: VoteFlow): Urn => ({ all: pool, marked: received, drawn: given });
const lnChanceOf = (flow: VoteFlow): number => lnChanceOfAtLeast(flow.votes, urnOf(flow));

/** Compares a flow with the votes expected if the voter chose like everyone else. */
function linkOf(flow: VoteFlow, size: VotingSize): PatternLink {
  const { voterId, authorId, direction, votes, given } = flow;
  const expected = expectedAmong(given, votes, urnOf(flow));
  const chanceLog10 = corrected(lnChanceOf(flow), Math.log(size.voters * size.authors));
  return { voterId, authorId, direction, votes, given, expected, chanceLog10 };
}

const sumOf = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0);

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

/** Upvotes that are significant on their own, or together with the votes in the opposite direction. */
function pairLinks(upward: readonly ScoredFlow[], reverseOf: ReverseOf, { voters }: VotingSize): Standout[] {
  return upward.flatMap(({ flow, link }) => {
    const reverse = reverseOf(flow);
    if (!reverse) return isSignificant(link) ? [standalone(link)] : [];
    const combined = corrected(lnCombined(lnChanceOf(flow), lnChanceOf(reverse.flow)), lnChoose(voters, 2));
    const chanceLog10 = Math.min(link.chanceLog10, combined);
    const isMutual = isNotable(link) && isNotable(reverse.link);
    return isMutual && isUnlikely(chanceLog10) && (isSubstantial(link) || isSubstantial(reverse.link))
      ? [{ link, chanceLog10 }]
      : [];
  });
}

/**
 * Mutual upvotes in a group, tested together: three accounts may be significant where no pair of them is. In the urn, votes by the group
 * are drawn and votes for the group are marked. Ignoring that nobody can vote for themselves is conservative.
 */
function ringLinks(
  upward: readonly ScoredFlow[],
  reverseOf: ReverseOf,
  { voters, votes: all }: VotingSize,
): Standout[] {
  const mayBelong = ({ link: { votes, expected } }: ScoredFlow) =>
    votes >= MIN_RING_LINK_VOTES && exceedsExpectation(votes, expected);
  const mutual = upward.filter((scored) => {
    const reverse = reverseOf(scored.flow);
    return mayBelong(scored) && reverse !== undefined && mayBelong(reverse);
  });
  return groupsOf(mutual.map(({ link }) => standalone(link))).flatMap(({ members, inside }) => {
    if (members.length < MIN_RING_STUDENTS) return [];
    const given = new Map(mutual.map(({ flow }) => [flow.voterId, flow.given]));
    const received = new Map(mutual.map(({ flow }) => [flow.authorId, flow.received]));
    const observed = sumOf(inside.map(({ link }) => link.votes));
    const drawn = sumOf(members.map((id) => given.get(id) ?? 0));
    const urn = { all, marked: sumOf(members.map((id) => received.get(id) ?? 0)), drawn };
    if (!exceedsExpectation(observed, expectedAmong(drawn, observed, urn))) return [];
    if (!isLargeShare(observed, drawn) && !inside.every(({ link }) => link.votes >= SUFFICIENT_GROUP_VOTES))
      return [];
    const chanceLog10 = corrected(lnChanceOfAtLeast(observed, urn), lnChoose(voters, members.length));
    return inside
      .map(({ link }) => ({ link, chanceLog10: Math.min(link.chanceLog10, chanceLog10) }))
      .filter((standout) => isUnlikely(standout.chanceLog10));
  });
}

type ReverseOf = (flow: VoteFlow) => ScoredFlow | undefined;

/** Significant links of pairs and rings, each with its smallest probability. */
function upwardLinks(scoredFlows: readonly ScoredFlow[], size: VotingSize): Standout[] {
  const upward = scoredFlows.filter(({ flow }) => flow.direction === 'UP');
  const keyOf = (voterId: string, authorId: string) => `${voterId} ${authorId}`;
  const byPeople = new Map(
    upward.map((scored) => [keyOf(scored.flow.voterId, scored.flow.authorId), scored]),
  );
  const reverseOf: ReverseOf = ({ voterId, authorId }) => byPeople.get(keyOf(authorId, voterId));
  const found = new Map<string, Standout>();
  for (const standout of [...pairLinks(upward, reverseOf, size), ...ringLinks(upward, reverseOf, size)]) {
    const key = keyOf(standout.link.voterId, standout.link.authorId);
    const known = found.get(key);
    if (!known || standout.chanceLog10 < known.chanceLog10) found.set(key, standout);
  }
  return [...found.values()];
}

interface Group {
  readonly members: readonly string[];
  readonly inside: readonly Standout[];
}

/** Groups whose members all reach each other over links. */
function groupsOf(links: readonly Standout[]): Group[] {
  return connectedGroups(links.map(({ link }) => ({ from: link.voterId, to: link.authorId }))).map(
    (members) => {
      const own = new Set(members);
      return {
        members,
        inside: links.filter(({ link }) => own.has(link.voterId) && own.has(link.authorId)),
      };
    },
  );
}

/** Pairs and rings. */
function findGroups(upward: readonly Standout[]): PatternFinding[] {
  return groupsOf(upward)
    .filter(({ members }) => members.length > 1)
    .map(({ members, inside }) =>
      finding(members.length < MIN_RING_STUDENTS ? 'PAIR' : 'RING', members, inside),
    );
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

function findStarPatterns(
  space: SpaceBaseline,
  audiences: readonly Audience[],
  size: VotingSize,
): PatternFinding[] {
  const chanceOf = (lnChance: number) => corrected(lnChance, Math.log(Math.max(1, space.authors)));
  return findStars(space, audiences, (lnChance) => isUnlikely(chanceOf(lnChance))).map((star) =>
    starFinding(star, chanceOf(star.lnChance), size),
  );
}

/** Votes of a space, aggregated for the tests. */
export interface VotingData {
  readonly sizes: VotingSizes;
  readonly flows: readonly VoteFlow[];
  readonly surges: readonly Surge[];
  readonly space: SpaceBaseline;
  readonly audiences: readonly Audience[];
}

/** Unusual voting in a space, least likely first. A finding is no proof: friends read the same questions. */
export function findPatterns({ sizes, flows, surges, space, audiences }: VotingData): PatternFinding[] {
  const scoredFlows = flows.map((flow) => ({ flow, link: linkOf(flow, sizes[flow.direction]) }));
  const stars = findStarPatterns(space, audiences, sizes.UP);
  const keyOf = ({ voterId, authorId, direction }: PatternLink) => `${voterId} ${authorId} ${direction}`;
  const inStars = new Set(stars.flatMap(({ links }) => links.map(keyOf)));
  const onePerson = scoredFlows
    .filter(({ flow, link }) => isOnePerson(flow) && isSignificant(link) && !inStars.has(keyOf(link)))
    .map(({ link }) => finding('ONE_PERSON', peopleOf(link), [standalone(link)]));
  const groups = findGroups(upwardLinks(scoredFlows, sizes.UP));
  return [...groups, ...stars, ...onePerson, ...findBursts(surges, sizes)]
    .sort((left, right) => left.chanceLog10 - right.chanceLog10 || (left.id < right.id ? -1 : 1))
    .slice(0, MAX_PATTERNS);
}
