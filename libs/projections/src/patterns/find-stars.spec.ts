import { describe, expect, it } from '@jest/globals';
import { outcomeOf, PlantedCommunity } from '../testing/planted-votes.fixture.js';
import { ballotsOf, honestBallots, patternsOf, randomFrom } from '../testing/voting.fixture.js';
import { findStars } from './find-stars.js';
import type { VoteFlow } from './vote-links.js';

const SEEDS = [11, 12, 13];
const planted = (seed: number, plant: (community: PlantedCommunity) => void, students = 400) => {
  const community = new PlantedCommunity(seed, students);
  plant(community);
  return outcomeOf(community);
};
const missedIn = (plant: (community: PlantedCommunity) => void) =>
  SEEDS.flatMap((seed) => planted(seed, plant).missed.map(({ what }) => `${what} of seed ${seed}`));
const accusedIn = (plant: (community: PlantedCommunity) => void) =>
  SEEDS.flatMap((seed) => planted(seed, plant).accused);

describe('a star', () => {
  it.each([
    [3, 7],
    [3, 20],
    [5, 4],
    [10, 2],
    [10, 4],
    [10, 7],
    [20, 2],
    [40, 2],
    [40, 20],
  ])('is found with %i accounts of %i votes each', (puppets, votes) =>
    expect(missedIn((community) => community.star(puppets, votes))).toEqual([]),
  );

  it('is found when its votes are spread over months', () =>
    expect(missedIn((community) => community.star(10, 8, 180))).toEqual([]));

  it('does not hide other stars, because suspects leave the baseline', () => {
    const outcome = planted(3, (community) => {
      for (let star = 0; star < 4; star += 1) community.star(10, 7);
    });
    expect(outcome.missed).toEqual([]);
  });

  it('is found next to a ring', () => {
    const outcome = planted(4, (community) => {
      community.ring(3, 8);
      community.star(3, 12);
    });
    expect(outcome.missed).toEqual([]);
  });

  it('lists the author, the total votes and each link', () => {
    const crowd = honestBallots(randomFrom(7), 200, 3_000);
    const puppets = Array.from({ length: 10 }, (_, index) => ballotsOf(`puppet-${index}`, 'ann', 7));
    const isPuppet = (id: string) => id.startsWith('puppet');
    const found = patternsOf([...crowd, ...puppets.flat()], {
      postsOf: (id) => (isPuppet(id) ? 0 : 500),
      joinedAt: (id) => (isPuppet(id) ? 0 : -1e6),
    });
    const star = found.find(({ kind }) => kind === 'STAR');
    expect(star).toMatchObject({ votes: 70, newAccounts: 10, from: null });
    expect(star?.studentIds[0]).toBe('ann');
    expect(star?.links.map(({ votes, given }) => [votes, given])).toEqual(Array(10).fill([7, 7]));
    for (const { chanceLog10 } of star?.links ?? [])
      expect(chanceLog10).toBeGreaterThan(star?.chanceLog10 ?? 0);
    expect(found.filter(({ kind }) => kind === 'ONE_PERSON')).toEqual([]);
  });

  it('does not match honest crowds', () => {
    expect(accusedIn((community) => community.classOf(27))).toEqual([]);
    expect(accusedIn((community) => community.popularAnswer(120))).toEqual([]);
    expect(accusedIn((community) => community.friends(2, 4))).toEqual([]);
    expect(accusedIn((community) => community.friends(5, 2))).toEqual([]);
  });

  it('requires other authors to compare with', () => {
    const flow: VoteFlow = {
      voterId: 'v',
      authorId: 'a',
      direction: 'UP',
      votes: 20,
      given: 20,
      givenTotal: 20,
      received: 60,
      pool: 60,
      voterPosts: 0,
    };
    const all = { total: 3, readers: 3 };
    const exclusive = { accounts: 3, returning: 3 };
    const devotees = Array.from({ length: 3 }, () => ({ flow, isNew: true, firstVoteDay: 1 }));
    const oneTimers = { accounts: 0, newAccounts: 0 };
    const audience = {
      authorId: 'a',
      all,
      writers: { total: 0, readers: 0 },
      exclusive,
      oneTimers,
      devotees,
      otherFirstVoteDays: new Map(),
      standInVotes: 0,
    };
    const quiet = [{ given: 20, readers: 3 }];
    const space = {
      authors: 1,
      loyalty: all,
      exclusive,
      quietVoters: 3,
      newQuietVoters: 3,
      firstVoteDays: new Map([[1, 3]]),
      standInVotes: 0,
    };
    expect(findStars(space, [{ ...audience, quiet }], () => true)).toEqual([]);
    const larger = {
      ...space,
      loyalty: { total: 8, readers: 103 },
      exclusive: { accounts: 53, returning: 5 },
    };
    const imported = { ...space, standInVotes: 300 };
    expect(findStars(imported, [{ ...audience, quiet }], () => true)).toHaveLength(1);
    expect(findStars({ ...imported, standInVotes: 200 }, [{ ...audience, quiet }], () => true)).toEqual([]);
    expect(findStars(larger, [{ ...audience, quiet }], () => true)).toMatchObject([
      { authorId: 'a', votes: 60 },
    ]);
  });
});

it('accuses at most one honest person in 10,000, in communities with every kind of crowd', () => {
  let [named, honest] = [0, 0];
  for (let seed = 1; seed <= 25; seed += 1) {
    const outcome = planted(9_000 + seed, (community) => {
      community.classOf(27);
      community.popularAnswer(70);
      community.friends(2, 4);
      community.friends(5, 2);
      community.star(10, 4);
    });
    expect(outcome.missed).toEqual([]);
    named += outcome.accused.length;
    honest += outcome.honest;
  }
  expect(honest).toBeGreaterThan(10_000);
  expect(named / honest).toBeLessThanOrEqual(1 / 10_000);
});
