import type { Queryable } from '../../queryable.js';
import { FollowedIndex } from './followed-index.js';
import type { InvertedIndex } from './inverted-index.js';
import { nameSource, postSource } from './sources.js';

const SOURCES = {
  QUESTION: postSource('QUESTION'),
  ANSWER: postSource('ANSWER'),
  TOPIC: nameSource('TOPIC'),
  PERSON: nameSource('PERSON'),
} as const;

export type IndexKind = keyof typeof SOURCES;

/** Documents in all indexes together: a few hundred megabytes. Beyond that, Typesense is the engine to use. */
const MOST_DOCUMENTS = 1_000_000;

/** The indexes of the spaces that were searched lately. */
export class SpaceIndexes {
  /** The one used last is the last. */
  private readonly indexes = new Map<string, FollowedIndex<never>>();

  constructor(private readonly db: Queryable) {}

  async current(kind: IndexKind, spaceId: string): Promise<InvertedIndex> {
    const key = `${kind} ${spaceId}`;
    // Each kind's rows are read and taken by the same source.
    const index = this.indexes.get(key) ?? new FollowedIndex(SOURCES[kind] as never, spaceId);
    this.indexes.delete(key);
    this.indexes.set(key, index);
    const current = await index.current(this.db);
    this.forgetOldest();
    return current;
  }

  private forgetOldest(): void {
    let documents = 0;
    for (const { weight } of this.indexes.values()) documents += weight;
    for (const [key, { weight }] of this.indexes) {
      if (documents <= MOST_DOCUMENTS || this.indexes.size === 1) return;
      this.indexes.delete(key);
      documents -= weight;
    }
  }
}
