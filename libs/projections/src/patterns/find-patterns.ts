import {
  MIN_BURST_VOTES,
  MIN_GROUP_SHARE,
  GROUP_VOTES_ANYHOW,
  MAX_ONE_PERSON_POSTS_PER_VOTE,
  MIN_ONE_PERSON_SHARE,
  MIN_ONE_PERSON_VOTES,
  PATTERN_FALSE_ALARMS,
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
import { type Audience, findStars, type Star, type VotingSpace, type VoteFlow } from './find-stars.js';
import { connectedGroups } from './groups.js';

export type { PatternKind };

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
  /** Of this link alone: common logarithm of the chance that any voter and author of the space come so far by chance. */
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
  /** Of all of it together. Where it consists of parts that were found each by itself, of the least remarkable. */
  readonly chanceLog10: number;
  /** Of a star: accounts whose first upvote came soon after they joined and before they wrote anything. */
  readonly newAccounts: number | null;
  /** Of a burst: its first and its last vote. */
  readonly from: string | null;
  readonly until: string | null;
}

/** Voters for authors, up or down; two who vote for each other; rings; bursts; stars. What is found once is looked for in six ways. */
const WAYS = 6;

/** Whatever chance is found is multiplied by how many chances there were (Bonferroni). */
const corrected = (lnChance: number, lnLooks: number): number =>
  Math.min(0, lnChance + Math.max(0, lnLooks) + Math.log(WAYS)) / Math.LN10;

const isManyTimes = (votes: number, expected: number): boolean =>
  votes >= MIN_PATTERN_TIMES_EXPECTED * expected;

const isManyTimesExpected = ({ votes, expected }: PatternLink): boolean =>
  votes >= MIN_PATTERN_VOTES && isManyTimes(votes, expected);

/** Of all upvotes of those concerned, so many as friends who also read others do not give. */
const isMuchOfAll = (votes: number, given: number): boolean => votes >= MIN_GROUP_SHARE * given;

const isMuch = ({ votes, given }: PatternLink): boolean =>
  votes >= GROUP_VOTES_ANYHOW || isMuchOfAll(votes, given);

const isUnlikely = (chanceLog10: number): boolean => chanceLog10 <= Math.log10(PATTERN_FALSE_ALARMS);

const isFarBeyondChance = (link: PatternLink): boolean =>
  isManyTimesExpected(link) && isUnlikely(link.chanceLog10);

/** A link, and the chance of what it was found as a part of: by itself, as one of two directions, or of a ring. */
interface Standout {
  readonly link: PatternLink;
  readonly chanceLog10: number;
}

const byItself = (link: PatternLink): Standout => ({ link, chanceLog10: link.chanceLog10 });

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

/** Upvotes that stand out by themselves, or because the other votes back as remarkably: far less likely than either alone. */
function linksOfPairs(upward: readonly Judged[], backOf: BackOf, { voters }: VotingSize): Standout[] {
  return upward.flatMap(({ flow, link }) => {
    const back = backOf(flow);
    if (!back) return isFarBeyondChance(link) ? [byItself(link)] : [];
    const together = corrected(lnCombined(lnChanceOf(flow), lnChanceOf(back.flow)), lnChoose(voters, 2));
    const chanceLog10 = Math.min(link.chanceLog10, together);
    const isMutual = isManyTimesExpected(link) && isManyTimesExpected(back.link);
    return isMutual && isUnlikely(chanceLog10) && (isMuch(link) || isMuch(back.link))
      ? [{ link, chanceLog10 }]
      : [];
  });
}

/**
 * Upvotes among several who all get votes back, judged together: what three gave each other may be far beyond chance where no two of
 * them are. Of all votes, those of the group are drawn; marked are those for the group. That nobody votes for oneself is left
 * out of account, to the group's favour.
 */
function linksOfRings(
  upward: readonly Judged[],
  backOf: BackOf,
  { voters, votes: all }: VotingSize,
): Standout[] {
  const mayBelong = ({ link: { votes, expected } }: Judged) =>
    votes >= MIN_RING_LINK_VOTES && isManyTimes(votes, expected);
  const mutual = upward.filter((each) => {
    const back = backOf(each.flow);
    return mayBelong(each) && back !== undefined && mayBelong(back);
  });
  return groupsOf(mutual.map(({ link }) => byItself(link))).flatMap(({ members, inside }) => {
    if (members.length < MIN_RING_STUDENTS) return [];
    const given = new Map(mutual.map(({ flow }) => [flow.voterId, flow.given]));
    const taken = new Map(mutual.map(({ flow }) => [flow.authorId, flow.taken]));
    const seen = sumOf(inside.map(({ link }) => link.votes));
    const drawn = sumOf(members.map((id) => given.get(id) ?? 0));
    const urn = { all, marked: sumOf(members.map((id) => taken.get(id) ?? 0)), drawn };
    if (!isManyTimes(seen, expectedAmong(drawn, seen, urn))) return [];
    if (!isMuchOfAll(seen, drawn) && !inside.every(({ link }) => link.votes >= GROUP_VOTES_ANYHOW)) return [];
    const chanceLog10 = corrected(lnChanceOfAtLeast(seen, urn), lnChoose(voters, members.length));
    return inside
      .map(({ link }) => ({ link, chanceLog10: Math.min(link.chanceLog10, chanceLog10) }))
      .filter((standout) => isUnlikely(standout.chanceLog10));
  });
}

type BackOf = (flow: VoteFlow) => Judged | undefined;

/** Links that stand out by any of the ways, each with the least chance that it was found by. */
function upwardLinks(judged: readonly Judged[], size: VotingSize): Standout[] {
  const upward = judged.filter(({ flow }) => flow.direction === 'UP');
  const keyOf = (voterId: string, authorId: string) => `${voterId} ${authorId}`;
  const byPeople = new Map(upward.map((each) => [keyOf(each.flow.voterId, each.flow.authorId), each]));
  const backOf: BackOf = ({ voterId, authorId }) => byPeople.get(keyOf(authorId, voterId));
  const found = new Map<string, Standout>();
  for (const each of [...linksOfPairs(upward, backOf, size), ...linksOfRings(upward, backOf, size)]) {
    const key = keyOf(each.link.voterId, each.link.authorId);
    const known = found.get(key);
    if (!known || each.chanceLog10 < known.chanceLog10) found.set(key, each);
  }
  return [...found.values()];
}

interface Group {
  readonly members: readonly string[];
  readonly inside: readonly Standout[];
}

/** Where everybody reaches everybody over links. */
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

/** Two that vote for each other, and larger groups. */
function findGroups(upward: readonly Standout[]): PatternFinding[] {
  return groupsOf(upward)
    .filter(({ members }) => members.length > 1)
    .map(({ members, inside }) =>
      finding(members.length < MIN_RING_STUDENTS ? 'PAIR' : 'RING', members, inside),
    );
}

const isOnePerson = ({ votes, givenInAll, voterPosts }: VoteFlow): boolean =>
  votes >= MIN_ONE_PERSON_VOTES &&
  votes >= MIN_ONE_PERSON_SHARE * givenInAll &&
  voterPosts <= MAX_ONE_PERSON_POSTS_PER_VOTE * votes;

const peopleOf = ({ voterId, authorId }: PatternLink): string[] => [voterId, authorId];

function findBursts(surges: readonly Surge[], sizes: VotingSizes): PatternFinding[] {
  return surges.flatMap(({ flow, from, until, votes, given }) => {
    if (votes < MIN_BURST_VOTES) return [];
    const { voterId, authorId, direction, pool, taken } = flow;
    const lnChance = lnChanceOfAtLeast(votes, { all: pool, marked: taken, drawn: given });
    // Each vote of the space may be the first of a window.
    const chanceLog10 = corrected(lnChance, Math.log(sizes[direction].votes));
    const expected = expectedAmong(given, flow.votes, urnOf(flow));
    const link = { voterId, authorId, direction, votes, given, expected, chanceLog10 };
    if (!isFarBeyondChance(link)) return [];
    return [{ ...finding('BURST', peopleOf(link), [byItself(link)]), from, until }];
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
  space: VotingSpace,
  audiences: readonly Audience[],
  size: VotingSize,
): PatternFinding[] {
  const chanceOf = (lnChance: number) => corrected(lnChance, Math.log(Math.max(1, space.authors)));
  return findStars(space, audiences, (lnChance) => isUnlikely(chanceOf(lnChance))).map((star) =>
    starFinding(star, chanceOf(star.lnChance), size),
  );
}

/** What is known of the votes of a space. */
export interface VotesAtHand {
  readonly sizes: VotingSizes;
  readonly flows: readonly VoteFlow[];
  readonly surges: readonly Surge[];
  readonly space: VotingSpace;
  readonly audiences: readonly Audience[];
}

/**
 * What stands out among the votes of a space, the least likely first. Nobody is accused by it: people who sit side by side
 * read the same questions.
 */
export function findPatterns({ sizes, flows, surges, space, audiences }: VotesAtHand): PatternFinding[] {
  const judged = flows.map((flow) => ({ flow, link: linkOf(flow, sizes[flow.direction]) }));
  const stars = findStarPatterns(space, audiences, sizes.UP);
  const keyOf = ({ voterId, authorId, direction }: PatternLink) => `${voterId} ${authorId} ${direction}`;
  const inStars = new Set(stars.flatMap(({ links }) => links.map(keyOf)));
  const onePerson = judged
    .filter(({ flow, link }) => isOnePerson(flow) && isFarBeyondChance(link) && !inStars.has(keyOf(link)))
    .map(({ link }) => finding('ONE_PERSON', peopleOf(link), [byItself(link)]));
  const groups = findGroups(upwardLinks(judged, sizes.UP));
  return [...groups, ...stars, ...onePerson, ...findBursts(surges, sizes)]
    .sort((left, right) => left.chanceLog10 - right.chanceLog10 || (left.id < right.id ? -1 : 1))
    .slice(0, MAX_PATTERNS);
}
