import {
  MIN_PATTERN_TIMES_EXPECTED,
  STAR_AUTHOR_CORRELATION,
  STAR_LOYALTY_CORRELATION,
  MIN_STAR_OTHER_READERS,
  STAR_PRIOR_READERS,
  MIN_STAR_SHARE,
  MIN_STAR_VOTER_VOTES,
  MIN_STAR_VOTERS,
  MIN_STAR_VOTES,
  type VoteDirection,
} from '@nimo/domain';
import {
  type Amounts,
  betaBinomial,
  betaGeometric,
  betaSteps,
  lnBoundOfSum,
  lnChanceOfAtLeast,
  lnCombined,
  lnSum,
} from './chance.js';

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

/**
 * How far readers come back: of all who gave an author an upvote and gave at least two in all, the sum of (votes for the author - 1) /
 * (votes given - 1), each reader weighing alike.
 */
export interface Loyalty {
  readonly kept: number;
  readonly readers: number;
}

/** Accounts that hardly write and give nearly all of their upvotes to one author, those with a single vote included. */
export interface Exclusive {
  readonly accounts: number;
  /** Those of them that came back, that is, with at least two. */
  readonly back: number;
}

/** An account that hardly writes and gives an author at least two votes, nearly all of its upvotes. */
export interface Devotee {
  readonly flow: VoteFlow;
  readonly isNew: boolean;
}

/** Who upvoted an author. */
export interface Audience {
  readonly authorId: string;
  readonly all: Loyalty;
  /** Of those who also write: accounts made for voting are not among them. */
  readonly writers: Loyalty;
  /** Of those who hardly write, by how many upvotes they gave: how many they are. Those with one are left out. */
  readonly quiet: readonly { readonly given: number; readonly readers: number }[];
  readonly exclusive: Exclusive;
  /** Who hardly writes and gave this author a vote, and no second one to anybody. */
  readonly oneTimers: { readonly accounts: number; readonly newAccounts: number };
  readonly devotees: readonly Devotee[];
}

/** What an author's readers are compared with. */
export interface VotingSpace {
  /** Who got an upvote. */
  readonly authors: number;
  /** Of all authors together. */
  readonly loyalty: Loyalty;
  readonly exclusive: Exclusive;
  /** Accounts that hardly write and gave at least two upvotes, and how many of them are new. */
  readonly quietVoters: number;
  readonly newQuietVoters: number;
}

export interface Star {
  readonly authorId: string;
  readonly devotees: readonly Devotee[];
  readonly votes: number;
  readonly expected: number;
  readonly newAccounts: number;
  /** Natural logarithm of the chance for this author, before any correction. */
  readonly lnChance: number;
}

/** Votes for one author that make of that many upvotes nearly all. */
const devotedFrom = (given: number): number =>
  Math.max(MIN_STAR_VOTER_VOTES, Math.ceil(MIN_STAR_SHARE * given - 1e-9));

const votesOf = (devotees: readonly Devotee[]): number =>
  devotees.reduce((total, { flow }) => total + flow.votes, 0);

const mayBeStar = ({ devotees }: Audience): boolean =>
  devotees.length >= MIN_STAR_VOTERS && votesOf(devotees) >= MIN_STAR_VOTES;

interface Baseline {
  readonly loyalty: Loyalty;
  readonly exclusive: Exclusive;
}

const without = ({ loyalty, exclusive }: Baseline, { all, exclusive: own }: Audience): Baseline => ({
  loyalty: { kept: loyalty.kept - all.kept, readers: loyalty.readers - all.readers },
  exclusive: { accounts: exclusive.accounts - own.accounts, back: exclusive.back - own.back },
});

/** At least that of the space, so that an author with few readers who write is not held to a rate of nothing. */
function loyaltyTo({ writers }: Audience, { loyalty: { kept, readers } }: Baseline): number {
  const usual = kept / readers;
  const own = (writers.kept + STAR_PRIOR_READERS * usual) / (writers.readers + STAR_PRIOR_READERS);
  return Math.min(0.99, Math.max(0.001, usual, own));
}

interface Null {
  readonly expected: number;
  /** One of several may hold, each as likely as its weight says. */
  readonly cases: readonly { readonly lnWeight: number; readonly amounts: readonly Amounts[] }[];
}

/** What each reader's upvotes would be if they were shared out as those of comparable readers are. */
function bySharing(audience: Audience, others: Baseline): Null {
  const mean = loyaltyTo(audience, others);
  let expected = 0;
  const amounts = audience.quiet.map(({ given, readers }): Amounts => {
    const chances = betaBinomial(given - 1, mean, STAR_LOYALTY_CORRELATION)
      .map((chance, amount) => ({ amount, chance }))
      .slice(devotedFrom(given) - 1);
    for (const { amount, chance } of chances) expected += readers * chance * (amount + 1);
    return { count: readers, chances };
  });
  return { expected, cases: [{ lnWeight: 0, amounts }] };
}

const MAX_FURTHER = 60;

const furtherAt = (rate: number): Amounts['chances'] =>
  betaGeometric(MAX_FURTHER, rate, STAR_LOYALTY_CORRELATION)
    .map((chance, amount) => ({ amount, chance }))
    .slice(1);

/** How many votes accounts with no other author would give, if they came back as often as other authors' such accounts do. */
function byComingBack({ exclusive: { accounts } }: Audience, others: Baseline): Null {
  const { back, accounts: all } = others.exclusive;
  const mean = Math.min(0.9, Math.max(0.05, back / Math.max(1, all)));
  const expected =
    accounts * furtherAt(mean).reduce((sum, { amount, chance }) => sum + chance * (amount + 1), 0);
  const cases = betaSteps(mean, STAR_AUTHOR_CORRELATION).map(({ rate, lnWeight }) => ({
    lnWeight,
    amounts: [{ count: accounts, chances: furtherAt(rate) }],
  }));
  return { expected, cases };
}

/** By how many devotees there are, or by how often they voted: the more surprising of the two, multiplied by two. */
function lnChanceUnder({ cases }: Null, furthers: readonly number[]): number {
  const most = Math.max(...furthers);
  const sum = furthers.reduce((total, further) => total + further, 0);
  const lnBound = (seen: number, limit: number) =>
    lnSum(
      cases.map(({ lnWeight, amounts }) => {
        const limited = amounts.map(({ count, chances }) => ({
          count,
          chances: chances.map(({ amount, chance }) => ({ amount: Math.min(limit, amount), chance })),
        }));
        return lnWeight + lnBoundOfSum(seen, limited);
      }),
    );
  return Math.min(0, Math.LN2 + Math.min(lnBound(furthers.length, 1), lnBound(sum, most)));
}

/** As many new accounts among the devotees, where all that hardly write, or those who read the same author, are as often new. */
function lnChanceOfNew({ devotees, oneTimers }: Audience, newAccounts: number, space: VotingSpace): number {
  const { quietVoters: all, newQuietVoters: marked } = space;
  const usual = marked / Math.max(1, all);
  const own =
    (oneTimers.newAccounts + STAR_PRIOR_READERS * usual) / (oneTimers.accounts + STAR_PRIOR_READERS);
  const rate = Math.max(usual, own);
  const amounts = [{ count: devotees.length, chances: [{ amount: 1, chance: rate }] }];
  return Math.max(
    lnChanceOfAtLeast(newAccounts, { all, marked, drawn: devotees.length }),
    lnBoundOfSum(newAccounts, amounts),
  );
}

/** The less surprising of both null models decides. */
function starOf(audience: Audience, others: Baseline, space: VotingSpace): Star {
  const { authorId, devotees } = audience;
  const nulls = [bySharing(audience, others), byComingBack(audience, others)];
  const furthers = devotees.map(({ flow }) => Math.min(MAX_FURTHER, flow.votes - 1));
  const lnDevoted = Math.max(...nulls.map((each) => lnChanceUnder(each, furthers)));
  const newAccounts = devotees.filter(({ isNew }) => isNew).length;
  const lnNew = lnChanceOfNew(audience, newAccounts, space);
  const expected = Math.max(...nulls.map((each) => each.expected));
  const lnChance = lnCombined(lnDevoted, lnNew);
  return { authorId, devotees, votes: votesOf(devotees), expected, newAccounts, lnChance };
}

/**
 * Authors whom more accounts do nothing but vote for than chance explains. All such accounts of an author are judged together.
 *
 * Null model: whoever gave an author one upvote is a reader; that is taken as given, so that a popular post says nothing. First, each
 * further upvote of a reader who hardly writes goes to the same author as those of readers who write do, or as those of all other authors'
 * readers do, if that is more often: beta-binomial, as some are fonder than others. Second, readers with no other author come
 * back as often as those of other authors do: beta-geometric, with a rate that differs between authors as a beta distribution does. Compared are the number of devotees and the sum of their further votes (the
 * better of two, times two); the chance of as much or more is bounded by Chernoff's bound, and the larger of both chances counts, so that both must be refuted (intersection-union test, R. L. Berger,
 * Technometrics 24(4), 1982). Whether devotees are new accounts whose first act was to vote is an
 * independent test: hypergeometric among all that hardly write, and no less than binomial at the rate of the author's one-time readers,
 * as what is popular brings newcomers. Both are combined by Fisher's method. The caller multiplies by all authors and ways of looking (Bonferroni).
 *
 * Suspects are in nobody's baseline: an author's own readers who hardly write never are, and once an author is found, its readers
 * leave the baseline of the others, which are then judged again, until none is added.
 *
 * @param isFound whether a chance is far enough out after correction
 */
export function findStars(
  space: VotingSpace,
  audiences: readonly Audience[],
  isFound: (lnChance: number) => boolean,
): Star[] {
  const found: Star[] = [];
  let open = audiences.filter(mayBeStar);
  let baseline: Baseline = space;
  for (let before = -1; before < found.length;) {
    before = found.length;
    const left: Audience[] = [];
    const added: Audience[] = [];
    for (const audience of open) {
      const others = without(baseline, audience);
      if (others.loyalty.readers < MIN_STAR_OTHER_READERS) continue;
      const star = starOf(audience, others, space);
      const stands = star.votes >= MIN_PATTERN_TIMES_EXPECTED * star.expected && isFound(star.lnChance);
      if (stands) found.push(star);
      (stands ? added : left).push(audience);
    }
    for (const audience of added) baseline = without(baseline, audience);
    open = left;
  }
  return found;
}
