import { Random } from '../community/random.js';
import { ASSUMED, measured } from './assumptions.js';
import type { Demand } from './growth.js';

const SECONDS = 3600;
/** An exam is announced: for a quarter of an hour the largest space does so many times what it usually does. */
const RUSH = { from: 1200, seconds: 900, times: 10 };
/** The n-th largest space has its share ∝ 1 / n^0.8, as towns, tags and forums have. */
const SKEW = 0.8;

export interface BusyHour {
  readonly partitions: number;
  readonly largestSpace: number;
  /** Part of all events that the busiest partition gets. */
  readonly busiestPartition: number;
  /** The longest that an event waited to become visible, in seconds. */
  readonly longestWait: number;
  readonly meanWait: number;
  /** What was still waiting when the hour was over, in events. */
  readonly left: number;
}

/**
 * The busiest hour, second by second: events arrive in spaces of very different size, each space belongs to one partition, and
 * a partition applies so many events a second as one worker was seen to follow.
 */
export function busyHour({ spaces, eventsASecond }: Demand, partitions: number): BusyHour {
  const random = new Random(20_261_121);
  const shares = sharesOf(spaces);
  const ofPartition = new Array<number>(partitions).fill(0);
  // By hash in the product; here dealt out at random, which is the same.
  shares.forEach((share) => {
    const partition = Math.floor(random.next() * partitions);
    ofPartition[partition] = (ofPartition[partition] ?? 0) + share;
  });
  const hot = ofPartition.indexOf(Math.max(...ofPartition));
  const mean = eventsASecond / ASSUMED.busiestSecond;
  const capacity = measured().followedASecond;
  const rush = (shares[0] ?? 0) * (RUSH.times - 1);
  const waiting = new Array<number>(partitions).fill(0);
  const told = { longest: 0, waited: 0, events: 0 };
  for (let second = 0; second < SECONDS; second += 1) {
    const isRush = second >= RUSH.from && second < RUSH.from + RUSH.seconds;
    for (const [partition, share] of ofPartition.entries()) {
      const expected = mean * (share + (isRush && partition === hot ? rush : 0));
      const arrived = poisson(random, expected);
      const backlog = Math.max(0, (waiting[partition] ?? 0) + arrived - capacity);
      waiting[partition] = backlog;
      const wait = backlog / capacity;
      told.longest = Math.max(told.longest, wait);
      told.waited += wait * arrived;
      told.events += arrived;
    }
  }
  return {
    partitions,
    largestSpace: shares[0] ?? 0,
    busiestPartition: Math.max(...ofPartition),
    longestWait: told.longest,
    meanWait: told.waited / Math.max(1, told.events),
    left: waiting.reduce((sum, events) => sum + events, 0),
  };
}

function sharesOf(spaces: number): readonly number[] {
  const weights = Array.from({ length: spaces }, (_, index) => 1 / (index + 1) ** SKEW);
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => weight / sum);
}

/** By the sum of uniform numbers above some events a second, where the two cannot be told apart. */
function poisson(random: Random, expected: number): number {
  if (expected > 50) {
    const normal = Array.from({ length: 12 }, () => random.next()).reduce((sum, value) => sum + value, -6);
    return Math.max(0, Math.round(expected + normal * Math.sqrt(expected)));
  }
  let count = 0;
  for (let product = random.next(); product > Math.exp(-expected); product *= random.next()) count += 1;
  return count;
}
