import { BURST_WINDOW_MINUTES, type VoteDirection } from '@nimo/domain';
import {
  findPatterns,
  type PatternFinding,
  type Surge,
  type VoteFlow,
  type VotingSize,
} from '../patterns/find-patterns.js';

export interface Ballot {
  readonly voterId: string;
  readonly authorId: string;
  readonly direction: VoteDirection;
  /** In minutes. */
  readonly at: number;
}

/** A small seeded generator (mulberry32): a run that fails is told by its seed. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/**
 * Honest voters: some vote a hundred times as often as others, some authors are read a hundred times as much, and everybody votes in
 * sittings; whom for is chance alone.
 */
export function honestBallots(random: () => number, students: number, votes: number): Ballot[] {
  const skewed = (people: number) => Math.min(people - 1, Math.floor(people * random() ** 3));
  const ballots: Ballot[] = [];
  while (ballots.length < votes) {
    const voter = skewed(students);
    const sitting = Math.floor(random() * 500_000);
    for (let vote = Math.floor(random() * 20); vote >= 0; vote -= 1) {
      // Whom many read is not who votes most.
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

/** Votes of one for another, an hour apart. */
export const ballotsOf = (voterId: string, authorId: string, votes: number, apart = 60): Ballot[] =>
  Array.from({ length: votes }, (_, place) => ({ voterId, authorId, direction: 'UP', at: place * apart }));

const count = <T>(items: readonly T[], isCounted: (item: T) => boolean): number =>
  items.reduce((total, item) => total + (isCounted(item) ? 1 : 0), 0);

/** What the statements read, the plain way: every voter and author, whatever the least number of votes is. */
export function patternsOf(ballots: readonly Ballot[], postsOf = (_: string) => 0): PatternFinding[] {
  const pairs = new Map<string, Ballot[]>();
  for (const ballot of ballots) {
    const key = `${ballot.voterId} ${ballot.authorId} ${ballot.direction}`;
    pairs.set(key, [...(pairs.get(key) ?? []), ballot]);
  }
  const flows = [...pairs.values()].map((own) => flowOf(own, ballots, postsOf));
  const surges = [...pairs.values()].map((own, place) => surgeOf(own, flows[place] as VoteFlow, ballots));
  return findPatterns({ UP: sizeOf(ballots, 'UP'), DOWN: sizeOf(ballots, 'DOWN') }, flows, surges);
}

function sizeOf(ballots: readonly Ballot[], direction: VoteDirection): VotingSize {
  const some = ballots.filter((ballot) => ballot.direction === direction);
  return {
    voters: new Set(some.map(({ voterId }) => voterId)).size,
    authors: new Set(some.map(({ authorId }) => authorId)).size,
    votes: some.length,
  };
}

function flowOf(
  own: readonly Ballot[],
  ballots: readonly Ballot[],
  postsOf: (studentId: string) => number,
): VoteFlow {
  const [{ voterId, authorId, direction }] = own as [Ballot];
  const some = ballots.filter((ballot) => ballot.direction === direction);
  return {
    voterId,
    authorId,
    direction,
    votes: own.length,
    given: count(some, (ballot) => ballot.voterId === voterId),
    givenInAll: count(ballots, (ballot) => ballot.voterId === voterId),
    taken: count(some, (ballot) => ballot.authorId === authorId),
    pool: count(some, (ballot) => ballot.authorId !== voterId && ballot.voterId !== authorId),
    voterPosts: postsOf(voterId),
  };
}

function surgeOf(own: readonly Ballot[], flow: VoteFlow, ballots: readonly Ballot[]): Surge {
  const inside = (some: readonly Ballot[], from: number) =>
    some.filter(({ at }) => at >= from && at <= from + BURST_WINDOW_MINUTES);
  const windows = own.map(({ at }) => inside(own, at));
  const best = windows.reduce((most, window) => (window.length > most.length ? window : most));
  const times = best.map(({ at }) => at);
  const [from, until] = [Math.min(...times), Math.max(...times)];
  const given = count(
    ballots,
    ({ voterId, direction, at }) =>
      voterId === flow.voterId && direction === flow.direction && at >= from && at <= until,
  );
  return { flow, from: String(from), until: String(until), votes: best.length, given };
}
