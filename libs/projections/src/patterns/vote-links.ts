import {
  MIN_PATTERN_TIMES_EXPECTED,
  MIN_PATTERN_VOTES,
  PATTERN_FALSE_ALARM_RATE,
  type VoteDirection,
} from '@nimo/domain';
import { expectedAmong, lnChanceOfAtLeast, type Urn } from './chance.js';

/**
 * Valid votes in one direction from a voter for an author, and the totals they are compared with. Votes by stand-ins of an import have
 * no voter, but count in the totals `received` and `pool`.
 */
export interface VoteFlow {
  readonly voterId: string;
  readonly authorId: string;
  readonly direction: VoteDirection;
  readonly votes: number;
  /** All votes of the voter in this direction. */
  readonly given: number;
  /** All votes of the voter in both directions. */
  readonly givenTotal: number;
  /** All votes for the author in this direction. */
  readonly received: number;
  /** All votes except those on the voter's posts and those by the author. */
  readonly pool: number;
  /** The voter's questions, answers and comments in the space. */
  readonly voterPosts: number;
}

/** Totals of one direction in a space. */
export interface VotingSize {
  readonly voters: number;
  readonly authors: number;
  /** Including votes by stand-ins. */
  readonly votes: number;
}

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

export interface ScoredFlow {
  readonly flow: VoteFlow;
  readonly link: PatternLink;
}

/** A link with the probability of the pattern it belongs to: the link itself, a pair or a ring. */
export interface Standout {
  readonly link: PatternLink;
  readonly chanceLog10: number;
}

export const standalone = (link: PatternLink): Standout => ({ link, chanceLog10: link.chanceLog10 });

/** Votes up, votes down, pairs, rings, bursts and stars. */
const DETECTION_METHODS = 6;

/** Bonferroni correction: multiplies a probability by the number of tests. */
export const corrected = (lnChance: number, lnTests: number): number =>
  Math.min(0, lnChance + Math.max(0, lnTests) + Math.log(DETECTION_METHODS)) / Math.LN10;

export const isUnlikely = (chanceLog10: number): boolean =>
  chanceLog10 <= Math.log10(PATTERN_FALSE_ALARM_RATE);

export const isNotable = ({ votes, expected }: PatternLink): boolean =>
  votes >= MIN_PATTERN_VOTES && votes >= MIN_PATTERN_TIMES_EXPECTED * expected;

export const isSignificant = (link: PatternLink): boolean => isNotable(link) && isUnlikely(link.chanceLog10);

export const urnOf = ({ pool, received, given }: VoteFlow): Urn => ({
  all: pool,
  marked: received,
  drawn: given,
});

export const lnChanceOf = (flow: VoteFlow): number => lnChanceOfAtLeast(flow.votes, urnOf(flow));

/** Compares a flow with the votes expected if the voter chose like everyone else. */
export function linkOf(flow: VoteFlow, size: VotingSize): PatternLink {
  const { voterId, authorId, direction, votes, given } = flow;
  const expected = expectedAmong(given, votes, urnOf(flow));
  const chanceLog10 = corrected(lnChanceOf(flow), Math.log(size.voters * size.authors));
  return { voterId, authorId, direction, votes, given, expected, chanceLog10 };
}

export const sumOf = (amounts: readonly number[]): number =>
  amounts.reduce((total, amount) => total + amount, 0);
