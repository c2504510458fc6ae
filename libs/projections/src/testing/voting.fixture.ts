import {
  MIN_BURST_VOTES,
  BURST_WINDOW_MINUTES,
  NEW_ACCOUNT_DAYS,
  MAX_ONE_PERSON_POSTS_PER_VOTE,
  MIN_RING_WEAK_LINK_VOTES,
  MIN_STAR_SHARE,
  MIN_STAR_VOTER_VOTES,
  type VoteDirection,
} from '@nimo/domain';
import { findPatterns, type PatternFinding, type Surge } from '../patterns/find-patterns.js';
import type { Audience, Exclusive, Loyalty, SpaceBaseline } from '../patterns/find-stars.js';
import type { VoteFlow, VotingSize } from '../patterns/vote-links.js';

export interface Ballot {
  readonly voterId: string;
  readonly authorId: string;
  readonly direction: VoteDirection;
  /** In minutes. */
  readonly at: number;
  /** By a stand-in of an import. */
  readonly isStandIn?: boolean;
}

/** Seeded random numbers (mulberry32), to reproduce a failed run. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Random votes in sessions. Some students vote a hundred times as often as others, and some authors are read a hundred times as much. */
export function honestBallots(random: () => number, students: number, votes: number): Ballot[] {
  const skewed = (people: number) => Math.min(people - 1, Math.floor(people * random() ** 3));
  const ballots: Ballot[] = [];
  while (ballots.length < votes) {
    const voter = skewed(students);
    const sitting = Math.floor(random() * 500_000);
    for (let vote = Math.floor(random() * 20); vote >= 0; vote -= 1) {
      // Keeps popular authors distinct from frequent voters.
      const author = (skewed(students) * 7_919) % students;
      if (author === voter) continue;
      const direction = random() < 0.85 ? 'UP' : 'DOWN';
      ballots.push({
        voterId: `student-${voter}`,
        authorId: `student-${author}`,
        direction,
        at: sitting + random() * 12,
      });
    }
  }
  return ballots;
}

/** Upvotes from one account for another, `apart` minutes apart. */
export const ballotsOf = (voterId: string, authorId: string, votes: number, apart = 60): Ballot[] =>
  Array.from({ length: votes }, (_, index) => ({ voterId, authorId, direction: 'UP', at: index * apart }));

/** Facts about people other than their votes, times in minutes. */
export interface People {
  readonly postsOf: (studentId: string) => number;
  readonly joinedAt: (studentId: string) => number | null;
  readonly wroteFirstAt: (studentId: string) => number | null;
}

const UNKNOWN: People = { postsOf: () => 0, joinedAt: () => null, wroteFirstAt: () => null };

class Counts {
  private readonly counts = new Map<string, number>();

  add(...parts: readonly string[]): void {
    this.counts.set(parts.join(' '), this.of(...parts) + 1);
  }

  of(...parts: readonly string[]): number {
    return this.counts.get(parts.join(' ')) ?? 0;
  }

  get total(): number {
    return [...this.counts.values()].reduce((sum, count) => sum + count, 0);
  }
}

/** Reference implementation of the SQL aggregation, without its minimum number of votes. */
export function patternsOf(
  ballots: readonly Ballot[],
  people: Partial<People> | People['postsOf'] = UNKNOWN,
): PatternFinding[] {
  const known: People = { ...UNKNOWN, ...(typeof people === 'function' ? { postsOf: people } : people) };
  const pairs = new Map<string, Ballot[]>();
  const [given, received, all, standIns] = [new Counts(), new Counts(), new Counts(), new Counts()];
  const byVoter = new Map<string, Ballot[]>();
  for (const ballot of ballots) {
    const { voterId, authorId, direction, isStandIn } = ballot;
    received.add(authorId, direction);
    all.add(direction);
    if (isStandIn) {
      if (direction === 'UP') standIns.add(authorId);
      continue;
    }
    const key = `${voterId} ${authorId} ${direction}`;
    const pair = pairs.get(key);
    if (pair) pair.push(ballot);
    else pairs.set(key, [ballot]);
    given.add(voterId, direction);
    const own = byVoter.get(voterId);
    if (own) own.push(ballot);
    else byVoter.set(voterId, [ballot]);
  }
  const flows = [...pairs.values()].map((pair): VoteFlow => {
    const [{ voterId, authorId, direction }] = pair as [Ballot];
    const reverse = pairs.get(`${authorId} ${voterId} ${direction}`)?.length ?? 0;
    return {
      voterId,
      authorId,
      direction,
      votes: pair.length,
      given: given.of(voterId, direction),
      givenTotal: given.of(voterId, 'UP') + given.of(voterId, 'DOWN'),
      received: received.of(authorId, direction),
      pool: all.of(direction) - received.of(voterId, direction) - given.of(authorId, direction) + reverse,
      voterPosts: known.postsOf(voterId),
    };
  });
  const surges = [...pairs.values()].flatMap((pair, index) => {
    const flow = flows[index];
    return flow && pair.length >= MIN_BURST_VOTES
      ? [surgeOf(pair, flow, byVoter.get(flow.voterId) ?? [])]
      : [];
  });
  const sizeOf = (direction: VoteDirection): VotingSize => {
    const sameDirection = flows.filter((flow) => flow.direction === direction);
    return {
      voters: new Set(sameDirection.map(({ voterId }) => voterId)).size,
      authors: new Set(sameDirection.map(({ authorId }) => authorId)).size,
      votes: all.of(direction),
    };
  };
  const sizes = { UP: sizeOf('UP'), DOWN: sizeOf('DOWN') };
  const mutual = flows.filter(
    ({ voterId, authorId, direction, votes }) =>
      direction === 'UP' &&
      votes >= MIN_RING_WEAK_LINK_VOTES &&
      (pairs.get(`${authorId} ${voterId} UP`)?.length ?? 0) >= MIN_RING_WEAK_LINK_VOTES,
  );
  return findPatterns({
    sizes,
    flows,
    mutual,
    surges,
    ...audiencesOf(flows, byVoter, known, sizes.UP, standIns),
  });
}

/** Audiences by author, like `readAudiences`. */
function audiencesOf(
  flows: readonly VoteFlow[],
  byVoter: ReadonlyMap<string, readonly Ballot[]>,
  { joinedAt, wroteFirstAt }: People,
  { authors }: VotingSize,
  standIns: Counts,
): { space: SpaceBaseline; audiences: Audience[] } {
  const upward = flows.filter(({ direction }) => direction === 'UP');
  const readers = upward.filter(({ given }) => given >= 2);
  const firstUpvote = (voterId: string): number =>
    (byVoter.get(voterId) ?? [])
      .filter(({ direction }) => direction === 'UP')
      .reduce((min, { at }) => Math.min(min, at), Infinity);
  const firstVoteDay = (voterId: string) => Math.floor(firstUpvote(voterId) / 1_440);
  const byDay = (voterIds: readonly string[]) => {
    const accounts = new Map<number, number>();
    for (const day of voterIds.map(firstVoteDay)) accounts.set(day, (accounts.get(day) ?? 0) + 1);
    return accounts;
  };
  const isNew = (voterId: string): boolean => {
    const first = firstUpvote(voterId);
    const [joined, wrote] = [joinedAt(voterId), wroteFirstAt(voterId)];
    return joined !== null && first <= joined + NEW_ACCOUNT_DAYS * 1_440 && (wrote === null || wrote > first);
  };
  const loyaltyOf = (votesOfReaders: readonly VoteFlow[]): Loyalty => ({
    total: votesOfReaders.reduce((sum, { votes, given }) => sum + (votes - 1) / (given - 1), 0),
    readers: votesOfReaders.length,
  });
  const exclusiveOf = (votesOfReaders: readonly VoteFlow[]): Exclusive => {
    const exclusive = votesOfReaders.filter(
      (flow) => isQuiet(flow) && flow.votes >= MIN_STAR_SHARE * flow.given,
    );
    return { accounts: exclusive.length, returning: exclusive.filter(({ votes }) => votes > 1).length };
  };
  const byAuthor = new Map<string, VoteFlow[]>();
  for (const flow of upward) {
    const own = byAuthor.get(flow.authorId);
    if (own) own.push(flow);
    else byAuthor.set(flow.authorId, [flow]);
  }
  const audiences = [...byAuthor].map(([authorId, allReaders]): Audience => {
    const own = allReaders.filter(({ given }) => given >= 2);
    const oneTimers = allReaders.filter((flow) => flow.given === 1 && isQuiet(flow));
    const quiet = new Map<number, number>();
    for (const flow of own) if (isQuiet(flow)) quiet.set(flow.given, (quiet.get(flow.given) ?? 0) + 1);
    const isDevotee = (flow: VoteFlow) =>
      isQuiet(flow) && flow.votes >= MIN_STAR_VOTER_VOTES && flow.votes >= MIN_STAR_SHARE * flow.given;
    return {
      authorId,
      all: loyaltyOf(own),
      writers: loyaltyOf(own.filter((flow) => !isQuiet(flow))),
      quiet: [...quiet].map(([given, count]) => ({ given, readers: count })),
      exclusive: exclusiveOf(allReaders),
      oneTimers: {
        accounts: oneTimers.length,
        newAccounts: oneTimers.filter(({ voterId }) => isNew(voterId)).length,
      },
      devotees: own
        .filter(isDevotee)
        .map((flow) => ({ flow, isNew: isNew(flow.voterId), firstVoteDay: firstVoteDay(flow.voterId) })),
      standInVotes: standIns.of(authorId),
      otherFirstVoteDays: byDay(allReaders.filter((flow) => !isDevotee(flow)).map(({ voterId }) => voterId)),
    };
  });
  const quietVoters = [...new Set(readers.filter(isQuiet).map(({ voterId }) => voterId))];
  const newQuietVoters = quietVoters.filter(isNew).length;
  const [loyalty, exclusive] = [loyaltyOf(readers), exclusiveOf(upward)];
  return {
    space: {
      authors,
      loyalty,
      exclusive,
      quietVoters: quietVoters.length,
      newQuietVoters,
      firstVoteDays: byDay(quietVoters),
      standInVotes: standIns.total,
    },
    audiences,
  };
}

const isQuiet = ({ voterPosts, givenTotal }: VoteFlow): boolean =>
  voterPosts <= MAX_ONE_PERSON_POSTS_PER_VOTE * givenTotal;

function surgeOf(pair: readonly Ballot[], flow: VoteFlow, byVoter: readonly Ballot[]): Surge {
  const windows = pair.map(({ at: start }) =>
    pair.filter(({ at }) => at >= start && at <= start + BURST_WINDOW_MINUTES),
  );
  const best = windows.reduce((largest, window) => (window.length > largest.length ? window : largest));
  const times = best.map(({ at }) => at);
  const [from, until] = [Math.min(...times), Math.max(...times)];
  const given = byVoter.filter(
    ({ direction, at }) => direction === flow.direction && at >= from && at <= until,
  ).length;
  return { flow, from: String(from), until: String(until), votes: best.length, given };
}
