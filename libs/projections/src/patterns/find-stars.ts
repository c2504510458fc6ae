import {
  MIN_PATTERN_TIMES_EXPECTED,
  STAR_AUTHOR_CORRELATION,
  STAR_LOYALTY_CORRELATION,
  MIN_STAR_OTHER_READERS,
  STAR_PRIOR_READERS,
  STAND_IN_LOYALTY,
  STAND_IN_VOTES_PER_READER,
  MAX_STAR_DEVOTION_CHANCE,
  MIN_STAR_SHARE,
  MIN_STAR_VOTER_VOTES,
  MIN_STAR_VOTERS,
  MIN_STAR_VOTES,
} from '@nimo/domain';
import {
  type Amounts,
  betaBinomial,
  betaGeometric,
  betaSteps,
  lnBoundOfSum,
  lnChanceOfAtLeast,
  lnChoose,
  lnCombined,
  lnSum,
} from './chance.js';
import type { VoteFlow } from './vote-links.js';

/**
 * Share of further upvotes that readers give the same author. A reader gave the author an upvote, and at least two upvotes overall.
 * `total` sums (votes for the author - 1) / (votes given - 1) over the readers.
 */
export interface Loyalty {
  readonly total: number;
  readonly readers: number;
}

/** Accounts that hardly write and give nearly all of their upvotes to one author, including accounts with a single vote. */
export interface Exclusive {
  readonly accounts: number;
  /** Accounts with at least two upvotes. */
  readonly returning: number;
}

/** Number of accounts by day, in days since 1970. */
export type AccountsByDay = ReadonlyMap<number, number>;

/** An account that hardly writes and gives one author nearly all of its upvotes, at least two. */
export interface Devotee {
  readonly flow: VoteFlow;
  readonly isNew: boolean;
  /** Day of the first upvote in the space. */
  readonly firstVoteDay: number;
}

/** Accounts that upvoted an author. */
export interface Audience {
  readonly authorId: string;
  readonly all: Loyalty;
  /** Readers who also write, which excludes accounts created for voting. */
  readonly writers: Loyalty;
  /** Readers who hardly write, counted by how many upvotes they gave, at least two. */
  readonly quiet: readonly { readonly given: number; readonly readers: number }[];
  readonly exclusive: Exclusive;
  /** Accounts that hardly write and whose only upvote went to this author. */
  readonly oneTimers: { readonly accounts: number; readonly newAccounts: number };
  readonly devotees: readonly Devotee[];
  /** How many of the other readers gave their first upvote in the space on a day. */
  readonly otherFirstVoteDays: AccountsByDay;
  /** Upvotes by stand-ins of an import. */
  readonly standInVotes: number;
}

/** Figures of a space that an author's readers are compared with. */
export interface SpaceBaseline {
  /** Authors with at least one upvote. */
  readonly authors: number;
  /** Summed over all authors. */
  readonly loyalty: Loyalty;
  readonly exclusive: Exclusive;
  /** Accounts that hardly write and gave at least two upvotes. */
  readonly quietVoters: number;
  readonly newQuietVoters: number;
  /** How many of them gave their first upvote on a day. */
  readonly firstVoteDays: AccountsByDay;
  /** Upvotes by stand-ins of an import. */
  readonly standInVotes: number;
}

export interface Star {
  readonly authorId: string;
  readonly devotees: readonly Devotee[];
  readonly votes: number;
  readonly expected: number;
  readonly newAccounts: number;
  /** Natural logarithm of the probability for this author, uncorrected. */
  readonly lnChance: number;
}

/** Minimum votes for one author that count as nearly all of `given` upvotes. */
const minDevotedVotes = (given: number): number =>
  Math.max(MIN_STAR_VOTER_VOTES, Math.ceil(MIN_STAR_SHARE * given - 1e-9));

const votesOf = (devotees: readonly Devotee[]): number =>
  devotees.reduce((total, { flow }) => total + flow.votes, 0);

const isCandidate = ({ devotees }: Audience): boolean =>
  devotees.length >= MIN_STAR_VOTERS && votesOf(devotees) >= MIN_STAR_VOTES;

interface Baseline {
  readonly loyalty: Loyalty;
  readonly exclusive: Exclusive;
}

const without = ({ loyalty, exclusive }: Baseline, { all, exclusive: own }: Audience): Baseline => ({
  loyalty: { total: loyalty.total - all.total, readers: loyalty.readers - all.readers },
  exclusive: { accounts: exclusive.accounts - own.accounts, returning: exclusive.returning - own.returning },
});

/** Votes by stand-ins count as readers if there are not enough others: no single reader is known, so they are assumed to be loyal. */
function withStandIns({ loyalty, exclusive }: Baseline, votes: number): Baseline {
  const missing = Math.max(0, MIN_STAR_OTHER_READERS - loyalty.readers);
  const readers = Math.min(missing, Math.floor(votes / STAND_IN_VOTES_PER_READER));
  const loyal = readers * STAND_IN_LOYALTY;
  return {
    loyalty: { total: loyalty.total + loyal, readers: loyalty.readers + readers },
    exclusive: { accounts: exclusive.accounts + readers, returning: exclusive.returning + loyal },
  };
}

/**
 * Never below the space's average, so that an author with few writing readers is not measured against a rate near zero. Adds the standard
 * error as far as the rate comes from the author's own readers: a class has few of them.
 */
function expectedLoyalty({ writers }: Audience, { loyalty: { total, readers } }: Baseline): number {
  const average = total / readers;
  const all = writers.readers + STAR_PRIOR_READERS;
  const own = (writers.total + STAR_PRIOR_READERS * average) / all;
  const error = (writers.readers / all) * Math.sqrt((own * (1 - own)) / all);
  return Math.min(0.99, Math.max(0.001, average, own + error));
}

interface NullModel {
  readonly expected: number;
  /** A mixture of distributions. */
  readonly scenarios: readonly { readonly lnWeight: number; readonly amounts: readonly Amounts[] }[];
}

/** Assumes that readers spread their upvotes over authors the way comparable readers do. */
function sharingModel(audience: Audience, others: Baseline): NullModel {
  const mean = expectedLoyalty(audience, others);
  let expected = 0;
  const amounts = audience.quiet.map(({ given, readers }): Amounts => {
    const chances = betaBinomial(given - 1, mean, STAR_LOYALTY_CORRELATION)
      .map((chance, amount) => ({ amount, chance }))
      .slice(minDevotedVotes(given) - 1);
    for (const { amount, chance } of chances) expected += readers * chance * (amount + 1);
    return { count: readers, chances };
  });
  return { expected, scenarios: [{ lnWeight: 0, amounts }] };
}

const MAX_REPEAT_VOTES = 60;

const repeatVoteChances = (rate: number): Amounts['chances'] =>
  betaGeometric(MAX_REPEAT_VOTES, rate, STAR_LOYALTY_CORRELATION)
    .map((chance, amount) => ({ amount, chance }))
    .slice(1);

/** Assumes that accounts with only one author return as often as other authors' accounts of that kind. */
function returningModel({ exclusive: { accounts } }: Audience, others: Baseline): NullModel {
  const { returning, accounts: all } = others.exclusive;
  const mean = Math.min(0.9, Math.max(0.05, returning / Math.max(1, all)));
  const expected =
    accounts * repeatVoteChances(mean).reduce((sum, { amount, chance }) => sum + chance * (amount + 1), 0);
  const scenarios = betaSteps(mean, STAR_AUTHOR_CORRELATION).map(({ rate, lnWeight }) => ({
    lnWeight,
    amounts: [{ count: accounts, chances: repeatVoteChances(rate) }],
  }));
  return { expected, scenarios };
}

/** Tests the number of devotees and the number of their votes, and returns the smaller probability times two. */
function lnChanceUnder({ scenarios }: NullModel, repeatVotes: readonly number[]): number {
  const max = Math.max(...repeatVotes);
  const sum = repeatVotes.reduce((total, votes) => total + votes, 0);
  const lnBound = (observed: number, limit: number) =>
    lnSum(
      scenarios.map(({ lnWeight, amounts }) => {
        const limited = amounts.map(({ count, chances }) => ({
          count,
          chances: chances.map(({ amount, chance }) => ({ amount: Math.min(limit, amount), chance })),
        }));
        return lnWeight + lnBoundOfSum(observed, limited);
      }),
    );
  return Math.min(0, Math.LN2 + Math.min(lnBound(repeatVotes.length, 1), lnBound(sum, max)));
}

/** Probability of this many new accounts among the devotees, given the share of new accounts in the space and among one-time readers. */
function lnChanceOfNewAccounts(
  { devotees, oneTimers }: Audience,
  newAccounts: number,
  space: SpaceBaseline,
): number {
  const { quietVoters: all, newQuietVoters: marked } = space;
  const average = marked / Math.max(1, all);
  const own =
    (oneTimers.newAccounts + STAR_PRIOR_READERS * average) / (oneTimers.accounts + STAR_PRIOR_READERS);
  const rate = Math.max(average, own);
  const amounts = [{ count: devotees.length, chances: [{ amount: 1, chance: rate }] }];
  return Math.max(
    lnChanceOfAtLeast(newAccounts, { all, marked, drawn: devotees.length }),
    lnBoundOfSum(newAccounts, amounts),
  );
}

/** Looks up how many accounts are within a range of days, both ends included. */
function accountsWithin(accounts: AccountsByDay): (from: number, until: number) => number {
  let total = 0;
  const sums = [...accounts]
    .sort(([one], [other]) => one - other)
    .map(([day, count]) => [day, (total += count)] as const);
  const upTo = (day: number) => sums.findLast(([each]) => each <= day)?.[1] ?? 0;
  return (from, until) => upTo(until) - upTo(from - 1);
}

/**
 * Probability that so many devotees start voting within days of each other, for the best subset of m among k. Bounded by the union over
 * subsets: C(k, m) m q^(m - 1), where q is the share of accounts that start within the days from the first to the last of the subset (scan
 * statistic; J. I. Naus, J. Am. Stat. Assoc. 60, 1965). Takes the share among all accounts that hardly write or among the author's other
 * readers, whichever is larger: a class starts together.
 */
function lnChanceOfStart(
  { devotees, otherFirstVoteDays }: Audience,
  { firstVoteDays }: SpaceBaseline,
): number {
  const days = devotees.map(({ firstVoteDay }) => firstVoteDay).sort((one, other) => one - other);
  const others = new Map(firstVoteDays);
  for (const day of days) others.set(day, (others.get(day) ?? 1) - 1);
  const [inSpace, inAudience] = [accountsWithin(others), accountsWithin(otherFirstVoteDays)];
  const [all, allReaders] = [inSpace(-Infinity, Infinity), inAudience(-Infinity, Infinity)];
  const shareWithin = (from: number, until: number) => {
    const share = (inSpace(from, until) + 1) / (all + 1);
    const own = (inAudience(from, until) + STAR_PRIOR_READERS * share) / (allReaders + STAR_PRIOR_READERS);
    return Math.max(share, own);
  };
  let best = 0;
  for (let m = MIN_STAR_VOTERS; m <= days.length; m += 1) {
    let share = 1;
    for (let first = 0; first + m <= days.length; first += 1) {
      const [from = 0, until = 0] = [days[first], days[first + m - 1]];
      share = Math.min(share, shareWithin(from, until));
    }
    const lnChance = lnChoose(days.length, m) + Math.log(m) + (m - 1) * Math.log(share);
    best = Math.min(best, lnChance + Math.log(days.length - MIN_STAR_VOTERS + 1));
  }
  return best;
}

/** Takes the larger probability of both null models. */
function starOf(audience: Audience, others: Baseline, space: SpaceBaseline): Star {
  const { authorId, devotees } = audience;
  const models = [sharingModel(audience, others), returningModel(audience, others)];
  const repeatVotes = devotees.map(({ flow }) => Math.min(MAX_REPEAT_VOTES, flow.votes - 1));
  const lnDevoted = Math.max(...models.map((model) => lnChanceUnder(model, repeatVotes)));
  const newAccounts = devotees.filter(({ isNew }) => isNew).length;
  const lnNew = lnChanceOfNewAccounts(audience, newAccounts, space);
  const expected = Math.max(...models.map((model) => model.expected));
  const lnStart = lnChanceOfStart(audience, space);
  const lnChance =
    lnDevoted > Math.log(MAX_STAR_DEVOTION_CHANCE) ? lnDevoted : lnCombined(lnDevoted, lnNew, lnStart);
  return { authorId, devotees, votes: votesOf(devotees), expected, newAccounts, lnChance };
}

/**
 * Finds authors with more accounts that only vote for them than chance explains. Tests all such accounts of an author together.
 *
 * The first upvote of a reader is taken as given, so a popular post is no evidence. Two null models cover the further upvotes, and both
 * must be rejected (intersection-union test, R. L. Berger, Technometrics 24(4), 1982):
 * 1. Readers who hardly write give further upvotes to the same author as often as readers who write, or as often as other authors'
 *    readers, whichever is more (beta-binomial).
 * 2. Readers with only one author return as often as other authors' readers of that kind (beta-geometric, with a beta-distributed rate
 *    per author).
 *
 * Each test compares the number of devotees and the sum of their further votes, bounded by Chernoff's bound. If devotion
 * alone is unlikely, Fisher's method combines it with two independent tests: whether the devotees are new accounts that voted first
 * (hypergeometric among all accounts that hardly write, at least binomial at the rate of the author's one-time readers, because popular
 * posts attract newcomers), and whether they started voting on the same days. The caller applies the Bonferroni correction.
 *
 * Suspects never count towards a baseline. Once an author is found, its readers leave the baseline and the remaining authors are tested
 * again, until no author is added.
 *
 * @param isFound whether a probability remains significant after correction
 */
export function findStars(
  space: SpaceBaseline,
  audiences: readonly Audience[],
  isFound: (lnChance: number) => boolean,
): Star[] {
  const found: Star[] = [];
  let candidates = audiences.filter(isCandidate);
  let baseline: Baseline = space;
  for (let before = -1; before < found.length;) {
    before = found.length;
    const remaining: Audience[] = [];
    const added: Audience[] = [];
    for (const audience of candidates) {
      const others = withStandIns(without(baseline, audience), space.standInVotes - audience.standInVotes);
      if (others.loyalty.readers < MIN_STAR_OTHER_READERS) continue;
      const star = starOf(audience, others, space);
      const isStar = star.votes >= MIN_PATTERN_TIMES_EXPECTED * star.expected && isFound(star.lnChance);
      if (isStar) found.push(star);
      (isStar ? added : remaining).push(audience);
    }
    for (const audience of added) baseline = without(baseline, audience);
    candidates = remaining;
  }
  return found;
}
