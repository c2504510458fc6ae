import { readFileSync } from 'node:fs';
import {
  chainCaughtUp,
  type HeadsRead,
  type Misfit,
  positionOfOrdinal,
  type PublicKey,
  publicKeyOf,
  readChainPlace,
  staleWitnesses,
  standingHeads,
  witnessFaults,
  type WitnessRead,
} from '@nimo/event-store';
import { InvalidArgumentError } from 'commander';
import { LogChain } from '../../features/log-proof/log-chain.js';
import { believedLogKeys, witnessesOf } from '../../features/log-proof/log-witness.js';
import type { Runtime } from '../../platform/runtime/runtime.js';

/** A public key as people hand it over: a file, PEM or the line that `log public-key` prints. */
export function publicKeyArgument(given: string, others: readonly PublicKey[] = []): PublicKey[] {
  const key = publicKeyOf(given) ?? publicKeyOf(contentOf(given));
  if (!key)
    throw new InvalidArgumentError('It must be an Ed25519 public key: a PEM file, or 32 bytes in base64.');
  return [...others, key];
}

function contentOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

export function ordinalArgument(given: string): number {
  const ordinal = Number(given);
  if (!/^\d+$/.test(given) || !Number.isSafeInteger(ordinal) || ordinal < 1)
    throw new InvalidArgumentError('It must be a whole number from 1.');
  return ordinal;
}

/** Own key first, then former or foreign ones. */
export const believedKeys = ({ settings }: Runtime, others: readonly PublicKey[] = []): PublicKey[] => [
  ...believedLogKeys(settings),
  ...others,
];

/** How old may be what is not signed, or not told to a witness. */
const PATIENCE_MS = 3 * 60_000;

export interface WitnessLook extends HeadsRead {
  /** What they contradict each other in, and those that are missing, cannot be read or are behind. */
  readonly faults: readonly Misfit[];
}

/** What every witness has, in one list, and what is wrong with them. In the order in which nothing can be missing for being new. */
export async function lookAtWitnesses(
  { settings, pool, clock }: Runtime,
  keys: readonly PublicKey[],
): Promise<WitnessLook> {
  const witnesses = witnessesOf(settings, pool);
  const reads: (WitnessRead & HeadsRead)[] = [];
  for (const witness of witnesses.toReversed()) {
    try {
      reads.push({ witness, ...(await witness.read()) });
    } catch {
      // Told below as not to be read.
    }
  }
  const standing = await standingHeads({ pool, witnesses, keys });
  const chained = await readChainPlace(pool);
  const stale = staleWitnesses(standing, { now: clock(), chained, patienceMs: PATIENCE_MS });
  return {
    heads: reads.flatMap(({ heads }) => heads),
    damagedLines: reads.reduce((sum, { damagedLines }) => sum + damagedLines, 0),
    faults: [...witnessFaults(reads, keys), ...stale],
  };
}

/** Where the log is in this database, an ordinal is found without reading what lies before. */
export function seekIn({ settings, pool }: Runtime) {
  return settings.eventStoreUrl === undefined
    ? { seek: (ordinal: number) => positionOfOrdinal(pool, ordinal) }
    : {};
}

/** Has the chain written up to the end of the log: by the worker, or here where none runs. */
export async function withWholeChain<Result>(
  { pool, log, settings, logger, clock }: Runtime,
  signal: AbortSignal,
  work: () => Promise<Result>,
): Promise<Result> {
  const chain = new LogChain(pool, log, settings, logger, clock);
  chain.start();
  try {
    await chainCaughtUp(() => readChainPlace(pool), log, { signal });
    return await work();
  } finally {
    await chain.stop();
  }
}
