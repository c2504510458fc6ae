import type { IsMatch } from '../highlight.js';
import type { SearchSort } from '../search-engine.js';
import type { Order } from './score-board.js';
import type { InvertedIndex } from './inverted-index.js';
import { type QueryWord, queryWordsOf } from './query-words.js';
import { type Candidate, Ranking } from './ranking.js';
import type { Queryable } from '@nimo/projections';
import { SyncedIndex, liveGeneration } from './synced-index.js';
import { Ids } from './ids.js';
import { nameSource, postSource } from './sources.js';

interface DocumentSearch {
  readonly text: string;
  readonly sort: SearchSort;
  /** Maximum number of results. */
  readonly count: number;
  /** Filter by document number, applied to existing documents only. */
  readonly accepts: (document: number) => boolean;
}

export interface FoundDocuments {
  /** Best first. */
  readonly ids: readonly string[];
  /** Whether the query matched this folded word. */
  readonly isMatch: IsMatch;
}

const ordersOf = (index: InvertedIndex) => {
  const { createdAt, answerCount } = index.attributes;
  const newest: Order<number> = (a, b) =>
    createdAt.at(b) - createdAt.at(a) || (index.idAt(a) < index.idAt(b) ? -1 : 1);
  const best: Order<Candidate> = (a, b) => b.score - a.score || newest(a.document, b.document);
  const mostAnswered: Order<number> = (a, b) => answerCount.at(b) - answerCount.at(a) || newest(a, b);
  return { best, newest, mostAnswered };
};

export function searchDocumentsOf(index: InvertedIndex, search: DocumentSearch): FoundDocuments {
  const words = queryWordsOf(search.text, index);
  if (words.length === 0) return { ids: [], isMatch: () => false };
  const ids = rankedDocuments(index, words, search).map((document) => index.idAt(document));
  return { ids, isMatch: matcherOf(index, words) };
}

function rankedDocuments(
  index: InvertedIndex,
  words: readonly QueryWord[],
  { sort, count, accepts }: DocumentSearch,
): number[] {
  const ranking = new Ranking(index, words);
  const orders = ordersOf(index);
  const isEligible = (document: number) => index.isPresent(document) && accepts(document);
  switch (sort) {
    case 'BEST':
      return ranking.best(count, orders.best, isEligible).map(({ document }) => document);
    case 'NEWEST':
      return ranking.bestCovered(count, orders.newest, isEligible);
    case 'MOST_ANSWERED':
      return ranking.bestCovered(count, orders.mostAnswered, isEligible);
  }
}

function matcherOf(index: InvertedIndex, words: readonly QueryWord[]): IsMatch {
  const found = new Set(
    words.flatMap(({ alternatives, conjunctions }) => [
      ...alternatives.map(({ word }) => word),
      ...conjunctions.flatMap(({ words }) => words),
    ]),
  );
  return (word) => {
    const number = index.lexicon.numberOf(word);
    return number !== undefined && found.has(number);
  };
}

const SOURCES = {
  QUESTION: postSource('QUESTION'),
  ANSWER: postSource('ANSWER'),
  TOPIC: nameSource('TOPIC'),
  PERSON: nameSource('PERSON'),
} as const;

type IndexKind = keyof typeof SOURCES;
const KINDS = Object.keys(SOURCES) as IndexKind[];

/** The indexes of one space. */
interface Space {
  readonly ids: Ids;
  readonly indexes: Map<IndexKind, SyncedIndex<never>>;
}

const newSpace = (): Space => ({ ids: new Ids(), indexes: new Map() });

/** Limit across all indexes, about 400 MB. Larger communities should use Typesense. */
const MAX_DOCUMENTS = 1_000_000;

/** Indexes of the recently searched spaces. The next search of an evicted space rebuilds its indexes. */
export class SpaceIndexes {
  /** Least recently searched first. */
  private readonly spaces = new Map<string, Space>();

  constructor(
    private readonly db: Queryable,
    private readonly maxDocuments = MAX_DOCUMENTS,
  ) {}

  async current(kind: IndexKind, spaceId: string): Promise<InvertedIndex> {
    const space = this.spaces.get(spaceId) ?? newSpace();
    this.spaces.delete(spaceId);
    this.spaces.set(spaceId, space);
    const current = await this.catchUp(space, kind, spaceId);
    this.evictOldest();
    return current;
  }

  has(spaceId: string): boolean {
    return this.spaces.has(spaceId);
  }

  hasRoomFor(documents: number): boolean {
    return this.documentCount() + documents <= this.maxDocuments;
  }

  /** Brings the indexes of a space up to date. Does not count as a search. */
  async warm(spaceId: string): Promise<void> {
    const space = this.spaces.get(spaceId) ?? newSpace();
    this.spaces.set(spaceId, space);
    for (const kind of KINDS) await this.catchUp(space, kind, spaceId);
    this.evictOldest();
  }

  private catchUp(space: Space, kind: IndexKind, spaceId: string): Promise<InvertedIndex> {
    // Safe cast: the rows of each kind are read and applied by the same source.
    const { ids, indexes } = space;
    const index =
      indexes.get(kind) ?? new SyncedIndex<never>({ source: SOURCES[kind] as never, spaceId, ids });
    indexes.set(kind, index);
    return index.current(this.db);
  }

  private documentCount(): number {
    return [...this.spaces.values()].reduce((sum, space) => sum + documentCountOf(space), 0);
  }

  /** Keeps at least one space, even if it exceeds the limit. */
  private evictOldest(): void {
    let documents = this.documentCount();
    for (const [spaceId, space] of this.spaces) {
      if (documents <= this.maxDocuments || this.spaces.size === 1) return;
      this.spaces.delete(spaceId);
      documents -= documentCountOf(space);
    }
  }
}

const documentCountOf = (space: Space): number =>
  [...space.indexes.values()].reduce((sum, { documentCount }) => sum + documentCount, 0);

interface ChangedSpace {
  readonly space_id: string;
  readonly version: number;
}

/** Keeps the in-memory indexes up to date, so that searches need not wait for a build. */
export class WarmUp {
  private generation: number | undefined;
  private version = 0;

  constructor(
    private readonly db: Queryable,
    private readonly indexes: SpaceIndexes,
  ) {}

  /**
   * Updates the indexes of every space changed since the last round; the first round covers all spaces. Spaces not in memory are loaded
   * largest first, within the limit.
   */
  async round(signal: AbortSignal): Promise<void> {
    const generation = await liveGeneration(this.db);
    const changed = await this.changedSince(generation === this.generation ? this.version : 0);
    const known = changed.filter(({ space_id }) => this.indexes.has(space_id));
    for (const { space_id } of known) {
      if (!signal.aborted) await this.indexes.warm(space_id);
    }
    const missing = changed.filter((space) => !known.includes(space)).map(({ space_id }) => space_id);
    for (const { space_id, documents } of await this.largestFirst(missing)) {
      if (!signal.aborted && this.indexes.hasRoomFor(documents)) await this.indexes.warm(space_id);
    }
    this.generation = generation;
    this.version = Math.max(this.version, ...changed.map(({ version }) => version));
  }

  private async changedSince(version: number): Promise<readonly ChangedSpace[]> {
    const { rows } = await this.db.query<ChangedSpace>({
      text: `select space_id, max(version)::float8 as version from read.search_documents
             where version > $1 group by space_id`,
      values: [version],
    });
    return rows;
  }

  private async largestFirst(
    spaceIds: readonly string[],
  ): Promise<readonly { readonly space_id: string; readonly documents: number }[]> {
    if (spaceIds.length === 0) return [];
    const { rows } = await this.db.query<{ space_id: string; documents: number }>({
      text: `select space_id, count(*)::int as documents from read.search_documents
             where space_id = any($1::text[]) group by space_id order by documents desc`,
      values: [spaceIds],
    });
    return rows;
  }
}
