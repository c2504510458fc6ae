import type { SignedHead } from './signed-head.js';

export interface HeadsRead {
  /** By ordinal. */
  readonly heads: readonly SignedHead[];
  /** Entries that are no signed head: torn by a crash, or changed. */
  readonly damagedLines: number;
}

/** A place where signed heads are kept. Nothing is ever taken away from it, and what it says is believed by its signature alone. */
export interface HeadWitness {
  /** As it is called in a sentence. */
  readonly name: string;
  /** In their order; one that is there already is left. */
  append(heads: readonly SignedHead[]): Promise<void>;
  /** Those after an ordinal, at most so many, so that nobody holds the heads of years. */
  read(after?: number, limit?: number): Promise<HeadsRead>;
  /** The last few, found without reading those before. */
  last(): Promise<HeadsRead>;
}

export const byOrdinal = (a: SignedHead, b: SignedHead): number => a.ordinal - b.ordinal;
