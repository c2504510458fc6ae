import { readFileSync } from 'node:fs';
import {
  chainCaughtUp,
  positionOfOrdinal,
  type PublicKey,
  publicKeyOf,
  readChainPlace,
} from '@nimo/event-store';
import { InvalidArgumentError } from 'commander';
import { LogChain } from '../../features/log-proof/log-chain.js';
import { logKeyOf } from '../../features/log-proof/log-witness.js';
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
  logKeyOf(settings),
  ...others,
];

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
  await chain.start();
  try {
    await chainCaughtUp(() => readChainPlace(pool), log, { signal });
    return await work();
  } finally {
    await chain.stop();
  }
}
