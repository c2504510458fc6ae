import { Random } from '../community/random.js';
import { ASSUMPTIONS, measured } from './assumptions.js';
import type { Demand } from './growth.js';

const SECONDS = 3600;
/** An exam is announced: for a quarter of an hour the largest space is `times` as busy as usual. */
const RUSH = { from: 1200, seconds: 900, times: 10 };
/** The share of the n-th largest space is proportional to 1 / n^0.8, as with towns, tags and forums. */
const SKEW = 0.8;

export interface BusyHour {
  readonly partitions: number;
  readonly largestSpace: number;
  /** Share of all events in the busiest partition. */
  readonly busiestPartition: number;
  /** Longest time until an event was visible, in seconds. */
  readonly longestWait: number;
  readonly meanWait: number;
  /** Events still waiting after the hour. */
  readonly remaining: number;
}

/**
 * Simulates the busiest hour second by second: events arrive in spaces of very different sizes, each space belongs to one partition, and each
 * partition applies events at the measured rate of one worker.
 */
export function busyHour({ spaces, eventsPerSecond }: Demand, partitions: number): BusyHour {
  const random = new Random(20_261_121);
  const shares = sharesOf(spaces);
  const ofPartition = new Array<number>(partitions).fill(0);
  // The product partitions by hash; random assignment is equivalent.
  shares.forEach((share) => {
    const partition = Math.floor(random.next() * partitions);
    ofPartition[partition] = (ofPartition[partition] ?? 0) + share;
  });
  const hot = ofPartition.indexOf(Math.max(...ofPartition));
  const mean = eventsPerSecond / ASSUMPTIONS.busiestSecond;
  const capacity = measured().followedPerSecond;
  const rush = (shares[0] ?? 0) * (RUSH.times - 1);
  const waiting = new Array<number>(partitions).fill(0);
  const totals = { longest: 0, waited: 0, events: 0 };
  for (let second = 0; second < SECONDS; second += 1) {
    const isRush = second >= RUSH.from && second < RUSH.from + RUSH.seconds;
    for (const [partition, share] of ofPartition.entries()) {
      const expected = mean * (share + (isRush && partition === hot ? rush : 0));
      const arrived = poisson(random, expected);
      const backlog = Math.max(0, (waiting[partition] ?? 0) + arrived - capacity);
      waiting[partition] = backlog;
      const wait = backlog / capacity;
      totals.longest = Math.max(totals.longest, wait);
      totals.waited += wait * arrived;
      totals.events += arrived;
    }
  }
  return {
    partitions,
    largestSpace: shares[0] ?? 0,
    busiestPartition: Math.max(...ofPartition),
    longestWait: totals.longest,
    meanWait: totals.waited / Math.max(1, totals.events),
    remaining: waiting.reduce((sum, events) => sum + events, 0),
  };
}

function sharesOf(spaces: number): readonly number[] {
  const weights = Array.from({ length: spaces }, (_, index) => 1 / (index + 1) ** SKEW);
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => weight / sum);
}

/** A Poisson sample. Above 50 a sum of uniform numbers approximates it well. */
function poisson(random: Random, expected: number): number {
  if (expected > 50) {
    const normal = Array.from({ length: 12 }, () => random.next()).reduce((sum, value) => sum + value, -6);
    return Math.max(0, Math.round(expected + normal * Math.sqrt(expected)));
  }
  let count = 0;
  for (let product = random.next(); product > Math.exp(-expected); product *= random.next()) count += 1;
  return count;
}
