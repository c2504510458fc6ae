import type { IsMatch } from '../highlight.js';
import type { SearchSort } from '../search-engine.js';
import type { Order } from './score-board.js';
import type { InvertedIndex } from './inverted-index.js';
import { type QueryWord, queryWordsOf } from './query-words.js';
import { type Candidate, Ranking } from './ranking.js';
import type { Queryable } from '@nimo/projections';
import { FollowedIndex, liveGeneration } from './followed-index.js';
import { Ids } from './ids.js';
import { nameSource, postSource } from './sources.js';

interface DocumentSearch {
  readonly text: string;
  readonly sort: SearchSort;
  /** How many of the best are wanted. */
  readonly count: number;
  /** Told by its number; asked of those only that are there. */
  readonly accepts: (document: number) => boolean;
}

export interface FoundDocuments {
  /** Their ids, the best first. */
  readonly ids: readonly string[];
  /** Whether the query found this word; folded. */
  readonly isMatch: IsMatch;
}

const ordersOf = (index: InvertedIndex) => {
  const { createdAt, answerCount } = index.facts;
  const newest: Order<number> = (a, b) =>
    createdAt.at(b) - createdAt.at(a) || (index.idAt(a) < index.idAt(b) ? -1 : 1);
  const best: Order<Candidate> = (a, b) => b.score - a.score || newest(a.document, b.document);
  const mostAnswered: Order<number> = (a, b) => answerCount.at(b) - answerCount.at(a) || newest(a, b);
  return { best, newest, mostAnswered };
};

export function searchDocumentsOf(index: InvertedIndex, search: DocumentSearch): FoundDocuments {
  const words = queryWordsOf(search.text, index);
  if (words.length === 0) return { ids: [], isMatch: () => false };
  const ids = numbersOf(index, words, search).map((document) => index.idAt(document));
  return { ids, isMatch: matcherOf(index, words) };
}

function numbersOf(
  index: InvertedIndex,
  words: readonly QueryWord[],
  { sort, count, accepts }: DocumentSearch,
): number[] {
  const ranking = new Ranking(index, words);
  const orders = ordersOf(index);
  const isWanted = (document: number) => index.isThere(document) && accepts(document);
  switch (sort) {
    case 'BEST':
      return ranking.best(count, orders.best, isWanted).map(({ document }) => document);
    case 'NEWEST':
      return ranking.fullest(count, orders.newest, isWanted);
    case 'MOST_ANSWERED':
      return ranking.fullest(count, orders.mostAnswered, isWanted);
  }
}

function matcherOf(index: InvertedIndex, words: readonly QueryWord[]): IsMatch {
  const found = new Set(
    words.flatMap(({ alternatives, together }) => [
      ...alternatives.map(({ word }) => word),
      ...together.flatMap(({ words }) => words),
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
  readonly indexes: Map<IndexKind, FollowedIndex<never>>;
}

const newSpace = (): Space => ({ ids: new Ids(), indexes: new Map() });

/** Documents in all indexes together: some 400 MB. Beyond that, Typesense is the engine to use. */
const MAX_DOCUMENTS = 1_000_000;

/** The indexes of the spaces that were searched lately; the others' are made anew by the next search. */
export class SpaceIndexes {
  /** The one searched last is the last. */
  private readonly spaces = new Map<string, Space>();

  constructor(
    private readonly db: Queryable,
    private readonly most = MAX_DOCUMENTS,
  ) {}

  async current(kind: IndexKind, spaceId: string): Promise<InvertedIndex> {
    const space = this.spaces.get(spaceId) ?? newSpace();
    this.spaces.delete(spaceId);
    this.spaces.set(spaceId, space);
    const current = await this.catchUp(space, kind, spaceId);
    this.forgetOldest();
    return current;
  }

  has(spaceId: string): boolean {
    return this.spaces.has(spaceId);
  }

  hasRoomFor(documents: number): boolean {
    return this.weight() + documents <= this.most;
  }

  /** So that the next search of the space finds its indexes there; that does not count as a search. */
  async warm(spaceId: string): Promise<void> {
    const space = this.spaces.get(spaceId) ?? newSpace();
    this.spaces.set(spaceId, space);
    for (const kind of KINDS) await this.catchUp(space, kind, spaceId);
    this.forgetOldest();
  }

  private catchUp(space: Space, kind: IndexKind, spaceId: string): Promise<InvertedIndex> {
    // Each kind's rows are read and taken by the same source.
    const { ids, indexes } = space;
    const index =
      indexes.get(kind) ?? new FollowedIndex<never>({ source: SOURCES[kind] as never, spaceId, ids });
    indexes.set(kind, index);
    return index.current(this.db);
  }

  private weight(): number {
    return [...this.spaces.values()].reduce((sum, space) => sum + weightOf(space), 0);
  }

  /** A space that is too large for all others stays alone. */
  private forgetOldest(): void {
    let documents = this.weight();
    for (const [spaceId, space] of this.spaces) {
      if (documents <= this.most || this.spaces.size === 1) return;
      this.spaces.delete(spaceId);
      documents -= weightOf(space);
    }
  }
}

const weightOf = (space: Space): number =>
  [...space.indexes.values()].reduce((sum, { weight }) => sum + weight, 0);

interface ChangedSpace {
  readonly space_id: string;
  readonly version: number;
}

/** Keeps the indexes in memory up to date, so that no reader waits for one to be made. */
export class WarmUp {
  private generation: number | undefined;
  private version = 0;

  constructor(
    private readonly db: Queryable,
    private readonly indexes: SpaceIndexes,
  ) {}

  /** Every space that changed since the last round, in the first one all of them: the largest first, as far as there is room. */
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
