import {
  MIN_GROUP_SHARE,
  MIN_PATTERN_TIMES_EXPECTED,
  MIN_RING_LINK_VOTES,
  MIN_RING_STUDENTS,
  MIN_RING_VOTES,
  SUFFICIENT_GROUP_VOTES,
} from '@nimo/domain';
import { expectedAmong, lnChanceOfAtLeast, lnChoose, lnCombined, type Urn } from './chance.js';
import { connectedGroups } from './groups.js';
import {
  corrected,
  isNotable,
  isSignificant,
  isUnlikely,
  lnChanceOf,
  type PatternLink,
  type ScoredFlow,
  standalone,
  type Standout,
  sumOf,
  type VoteFlow,
  type VotingSize,
} from './vote-links.js';

/** Students who all reach each other over links. */
export interface Group {
  readonly members: readonly string[];
  readonly inside: readonly Standout[];
  /** Votes that the members would give each other if they chose like outsiders. */
  readonly expected: number;
}

type ReverseOf = (flow: VoteFlow) => ScoredFlow | undefined;

const keyOf = (voterId: string, authorId: string) => `${voterId} ${authorId}`;
const votesOf = (inside: readonly Standout[]): number => sumOf(inside.map(({ link }) => link.votes));

/** A larger share of the members' upvotes than friends who also read others give each other. */
const isLargeShare = (votes: number, given: number): boolean => votes >= MIN_GROUP_SHARE * given;

const isSubstantial = ({ votes, given }: PatternLink): boolean =>
  votes >= SUFFICIENT_GROUP_VOTES || isLargeShare(votes, given);

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

/** A mutual link. `strength` is the smaller number of votes of both directions. */
interface MutualLink {
  readonly scored: ScoredFlow;
  readonly strength: number;
}

/** Removes links outside of triangles, until all are part of one: a pair of classmates does not connect two groups. */
function inTriangles(links: readonly MutualLink[]): MutualLink[] {
  let left = [...links];
  for (let before = -1; before !== left.length;) {
    before = left.length;
    const neighbours = new Map<string, Set<string>>();
    for (const { scored } of left) {
      const { voterId, authorId } = scored.flow;
      neighbours.set(voterId, (neighbours.get(voterId) ?? new Set()).add(authorId));
    }
    left = left.filter(({ scored: { flow } }) => {
      const others = neighbours.get(flow.authorId) ?? new Set();
      return [...(neighbours.get(flow.voterId) ?? [])].some((id) => others.has(id));
    });
  }
  return left;
}

/** Odds of a vote for the group by its members, at least three times those of outsiders. A ratio of shares could not exceed 1 / share. */
const exceedsOutsiders = (observed: number, { all, marked, drawn }: Urn): boolean => {
  const [outside, others] = [marked - observed, all - drawn];
  return observed * (others - outside) >= MIN_PATTERN_TIMES_EXPECTED * outside * (drawn - observed);
};

/** In the urn, votes by the members are drawn and votes for the members are marked. Ignoring that nobody can vote for themselves is conservative. */
function urnOfGroup(members: readonly string[], flows: readonly VoteFlow[], all: number): Urn {
  const given = new Map(flows.map((flow) => [flow.voterId, flow.given]));
  const received = new Map(flows.map((flow) => [flow.authorId, flow.received]));
  const sumOver = (amounts: ReadonlyMap<string, number>) => sumOf(members.map((id) => amounts.get(id) ?? 0));
  return { all, marked: sumOver(received), drawn: sumOver(given) };
}

interface Ring {
  readonly members: readonly string[];
  readonly inside: readonly Standout[];
  readonly chanceLog10: number;
}

/**
 * Tests mutual upvotes in a group together: three accounts may be significant where no pair of them is. The correction covers every group
 * of this size.
 */
function ringsAmong(links: readonly MutualLink[], { voters, votes: all }: VotingSize): Ring[] {
  const flows = links.map(({ scored }) => scored.flow);
  return groupsOf(links.map(({ scored }) => standalone(scored.link))).flatMap(({ members, inside }) => {
    if (members.length < MIN_RING_STUDENTS) return [];
    const observed = votesOf(inside);
    const urn = urnOfGroup(members, flows, all);
    if (observed < MIN_RING_VOTES || !exceedsOutsiders(observed, urn)) return [];
    if (
      !isLargeShare(observed, urn.drawn) &&
      !inside.every(({ link }) => link.votes >= SUFFICIENT_GROUP_VOTES)
    )
      return [];
    const chanceLog10 = corrected(lnChanceOfAtLeast(observed, urn), lnChoose(voters, members.length));
    return isUnlikely(chanceLog10) ? [{ members, inside, chanceLog10 }] : [];
  });
}

/**
 * Single-linkage clustering: the groups that are connected by links of at least so many votes, for every such number, least likely first.
 * Weak links only connect within triangles, because many classmates gave each other two votes.
 */
function findRings(mutual: readonly ScoredFlow[], size: VotingSize): Ring[] {
  const byPeople = new Map(mutual.map(({ flow }) => [keyOf(flow.voterId, flow.authorId), flow.votes]));
  const links = mutual.flatMap((scored): MutualLink[] => {
    const { voterId, authorId, votes } = scored.flow;
    const reverse = byPeople.get(keyOf(authorId, voterId));
    return reverse === undefined ? [] : [{ scored, strength: Math.min(votes, reverse) }];
  });
  const thresholds = [...new Set(links.map(({ strength }) => strength))].sort((one, other) => other - one);
  const rings = thresholds.flatMap((threshold) => {
    const strong = links.filter(({ strength }) => strength >= threshold);
    return ringsAmong(threshold < MIN_RING_LINK_VOTES ? inTriangles(strong) : strong, size);
  });
  const named = new Set<string>();
  return rings
    .sort((one, other) => one.chanceLog10 - other.chanceLog10)
    .filter(({ members }) => {
      if (members.some((id) => named.has(id))) return false;
      for (const id of members) named.add(id);
      return true;
    });
}

/** Groups whose members all reach each other over links. */
function groupsOf(links: readonly Standout[]): Pick<Group, 'members' | 'inside'>[] {
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

/**
 * Pairs and rings.
 *
 * @param mutual upvotes between students who gave each other at least two
 */
export function findGroups(
  upward: readonly ScoredFlow[],
  mutual: readonly ScoredFlow[],
  size: VotingSize,
): Group[] {
  const byPeople = new Map(
    upward.map((scored) => [keyOf(scored.flow.voterId, scored.flow.authorId), scored]),
  );
  const reverseOf: ReverseOf = ({ voterId, authorId }) => byPeople.get(keyOf(authorId, voterId));
  const rings = findRings(mutual, size).flatMap(({ inside, chanceLog10 }) =>
    inside.map(({ link }) => ({ link, chanceLog10: Math.min(link.chanceLog10, chanceLog10) })),
  );
  const found = new Map<string, Standout>();
  for (const standout of [...pairLinks(upward, reverseOf, size), ...rings]) {
    const key = keyOf(standout.link.voterId, standout.link.authorId);
    const known = found.get(key);
    if (!known || standout.chanceLog10 < known.chanceLog10) found.set(key, standout);
  }
  const flows = [...upward, ...mutual].map(({ flow }) => flow);
  return groupsOf([...found.values()])
    .filter(({ members }) => members.length > 1)
    .map((group) => {
      const urn = urnOfGroup(group.members, flows, size.votes);
      return { ...group, expected: expectedAmong(urn.drawn, votesOf(group.inside), urn) };
    });
}
