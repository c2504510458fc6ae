import {
  BURST_VOTES_MIN,
  ONE_PERSON_POSTS_PER_VOTE_MAX,
  ONE_PERSON_SHARE_MIN,
  ONE_PERSON_VOTES_MIN,
  PATTERN_FALSE_ALARMS,
  PATTERN_TIMES_EXPECTED_MIN,
  PATTERN_VOTES_MIN,
  PATTERNS_MAX,
  RING_STUDENTS_MIN,
  type VoteDirection,
} from '@nimo/domain';
import { createHash } from 'node:crypto';
import { expectedAmong, lnChanceOfAtLeast, lnCombined, type Urn } from './chance.js';
import { connectedGroups } from './groups.js';

export type PatternKind = 'PAIR' | 'RING' | 'BURST' | 'ONE_PERSON';

/** Standing votes of one direction from a voter for an author, beside all that they are compared with. */
export interface VoteFlow {
  readonly voterId: string;
  readonly authorId: string;
  readonly direction: VoteDirection;
  readonly votes: number;
  /** By the voter, in that direction. */
  readonly given: number;
  /** By the voter, in both. */
  readonly givenInAll: number;
  /** For the author, in that direction. */
  readonly taken: number;
  /** Votes that could have been the voter's for the author: neither on the voter's posts nor by the author. */
  readonly pool: number;
  /** Questions, answers and comments of the voter in the space. */
  readonly voterPosts: number;
}

/** The most votes that a flow has inside one window of time. */
export interface Surge {
  readonly flow: VoteFlow;
  readonly from: string;
  readonly until: string;
  readonly votes: number;
  /** All that the voter gave in the window, in that direction. */
  readonly given: number;
}

/** Votes of a space and direction between its people. */
export interface VotingSize {
  readonly voters: number;
  readonly authors: number;
  readonly votes: number;
}
export type VotingSizes = Readonly<Record<VoteDirection, VotingSize>>;

/** A voter and an author in a finding, with the numbers that it rests on. */
export interface PatternLink {
  readonly voterId: string;
  readonly authorId: string;
  readonly direction: VoteDirection;
  readonly votes: number;
  readonly given: number;
  readonly expected: number;
  /** Common logarithm of the chance that any voter and author of the space come so far by chance. */
  readonly chanceLog10: number;
}

export interface PatternFinding {
  /** The same as long as the same people stand out in the same way. */
  readonly id: string;
  readonly kind: PatternKind;
  readonly studentIds: readonly string[];
  readonly links: readonly PatternLink[];
  readonly votes: number;
  readonly expected: number;
  /** Of its least remarkable link. */
  readonly chanceLog10: number;
  /** Of a burst: its first and its last vote. */
  readonly from: string | null;
  readonly until: string | null;
}

/** Voters for authors, up or down; two who vote for each other; bursts. What is found once is looked for in four ways. */
const WAYS = 4;

/** Whatever chance is found is multiplied by how many chances there were (Bonferroni). */
const corrected = (lnChance: number, looks: number): number =>
  Math.min(0, lnChance + Math.log(Math.max(1, looks) * WAYS)) / Math.LN10;

const isManyTimesExpected = ({ votes, expected }: PatternLink): boolean =>
  votes >= PATTERN_VOTES_MIN && votes >= PATTERN_TIMES_EXPECTED_MIN * expected;

const isFarBeyondChance = (link: PatternLink): boolean =>
  isManyTimesExpected(link) && link.chanceLog10 <= Math.log10(PATTERN_FALSE_ALARMS);

interface Judged {
  readonly flow: VoteFlow;
  readonly link: PatternLink;
}

const urnOf = ({ pool, taken, given }: VoteFlow): Urn => ({ all: pool, marked: taken, drawn: given });
const lnChanceOf = (flow: VoteFlow): number => lnChanceOfAtLeast(flow.votes, urnOf(flow));

/** Compared with how as many votes would fall if the voter chose as all others do. */
function linkOf(flow: VoteFlow, size: VotingSize): PatternLink {
  const { voterId, authorId, direction, votes, given } = flow;
  const expected = expectedAmong(given, votes, urnOf(flow));
  const chanceLog10 = corrected(lnChanceOf(flow), size.voters * size.authors);
  return { voterId, authorId, direction, votes, given, expected, chanceLog10 };
}

const idOf = (kind: PatternKind, parts: readonly string[]): string =>
  `${kind.toLowerCase()}-${createHash('sha256').update(parts.join(' ')).digest('hex').slice(0, 16)}`;

function finding(
  kind: PatternKind,
  studentIds: readonly string[],
  links: readonly PatternLink[],
): PatternFinding {
  const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0);
  return {
    id: idOf(kind, [...studentIds, links[0]?.direction ?? '']),
    kind,
    studentIds,
    links,
    votes: sum(links.map(({ votes }) => votes)),
    expected: sum(links.map(({ expected }) => expected)),
    chanceLog10: Math.max(...links.map(({ chanceLog10 }) => chanceLog10)),
    from: null,
    until: null,
  };
}

/**
 * Upvotes that stand out: by themselves, or because the other votes back as remarkably, which is far less likely than either alone.
 */
function upwardLinks(judged: readonly Judged[], { voters }: VotingSize): PatternLink[] {
  const upward = new Map(
    judged
      .filter(({ flow }) => flow.direction === 'UP')
      .map((each) => [`${each.flow.voterId} ${each.flow.authorId}`, each]),
  );
  const pairs = (voters * (voters - 1)) / 2;
  return [...upward.values()].flatMap(({ flow, link }) => {
    const back = upward.get(`${flow.authorId} ${flow.voterId}`);
    if (!back) return isFarBeyondChance(link) ? [link] : [];
    const together = corrected(lnCombined(lnChanceOf(flow), lnChanceOf(back.flow)), pairs);
    const mutual = { ...link, chanceLog10: Math.min(link.chanceLog10, together) };
    return isFarBeyondChance(mutual) && isManyTimesExpected(back.link) ? [mutual] : [];
  });
}

/** Two that vote for each other, and larger groups in which everybody reaches everybody. */
function findGroups(upward: readonly PatternLink[]): PatternFinding[] {
  const groups = connectedGroups(upward.map(({ voterId, authorId }) => ({ from: voterId, to: authorId })));
  return groups.flatMap((members) => {
    if (members.length < 2) return [];
    const inside = upward.filter((link) => [link.voterId, link.authorId].every((id) => members.includes(id)));
    const kind = members.length < RING_STUDENTS_MIN ? 'PAIR' : 'RING';
    return [finding(kind, members, inside)];
  });
}

const isOnePerson = ({ votes, givenInAll, voterPosts }: VoteFlow): boolean =>
  votes >= ONE_PERSON_VOTES_MIN &&
  votes >= ONE_PERSON_SHARE_MIN * givenInAll &&
  voterPosts <= ONE_PERSON_POSTS_PER_VOTE_MAX * votes;

const peopleOf = ({ voterId, authorId }: PatternLink): string[] => [voterId, authorId];

function findBursts(surges: readonly Surge[], sizes: VotingSizes): PatternFinding[] {
  return surges.flatMap(({ flow, from, until, votes, given }) => {
    if (votes < BURST_VOTES_MIN) return [];
    const { voterId, authorId, direction, pool, taken } = flow;
    const lnChance = lnChanceOfAtLeast(votes, { all: pool, marked: taken, drawn: given });
    // Each vote of the space may be the first of a window.
    const chanceLog10 = corrected(lnChance, sizes[direction].votes);
    const expected = expectedAmong(given, flow.votes, urnOf(flow));
    const link = { voterId, authorId, direction, votes, given, expected, chanceLog10 };
    if (!isFarBeyondChance(link)) return [];
    return [{ ...finding('BURST', peopleOf(link), [link]), from, until }];
  });
}

/**
 * What stands out among the votes of a space, the least likely first. Nobody is accused by it: people who sit side by side
 * read the same questions.
 */
export function findPatterns(
  sizes: VotingSizes,
  flows: readonly VoteFlow[],
  surges: readonly Surge[],
): PatternFinding[] {
  const judged = flows.map((flow) => ({ flow, link: linkOf(flow, sizes[flow.direction]) }));
  const onePerson = judged
    .filter(({ flow, link }) => isOnePerson(flow) && isFarBeyondChance(link))
    .map(({ link }) => finding('ONE_PERSON', peopleOf(link), [link]));
  return [...findGroups(upwardLinks(judged, sizes.UP)), ...onePerson, ...findBursts(surges, sizes)]
    .sort((left, right) => left.chanceLog10 - right.chanceLog10 || (left.id < right.id ? -1 : 1))
    .slice(0, PATTERNS_MAX);
}
