import type { DocumentWords, InvertedIndex } from '../embedded/inverted-index.js';
import { SPELLING } from '@nimo/projections';
import { IN_BODY, IN_TAGS, IN_TITLE } from '../embedded/inverted-index.js';
import type { WordMatch } from '../embedded/lexicon.js';
import { type QueryWord, queryWordsOf } from '../embedded/query-words.js';
import { MIN_COVERAGE, idfOf, boostOf } from '../embedded/score-board.js';

/** A document as word numbers: the title in order, and every word with its fields. */
interface IndexedDocument {
  readonly title: readonly number[];
  readonly words: readonly (readonly [number, number])[];
}

export interface ScoredDocument {
  /** Index among the documents passed in. */
  readonly document: number;
  readonly score: number;
  readonly coverage: number;
}

/** Reference implementation of the embedded engine: scores every document for every query by the same rules. */
export class ExhaustiveSearch {
  private readonly documents: readonly IndexedDocument[];

  /** @param index contains the same documents in the same order; supplies word matches and frequencies */
  constructor(
    private readonly index: InvertedIndex,
    documents: readonly DocumentWords[],
  ) {
    this.documents = documents.map((words) => this.indexed(words));
  }

  /** Matching documents, best first; ties newest first. */
  find(text: string): ScoredDocument[] {
    const words = queryWordsOf(text, this.index);
    const query = { words, matches: matchesByWord(words), weights: words.map((word) => this.weightOf(word)) };
    const minCoverage = MIN_COVERAGE * query.weights.reduce((sum, weight) => sum + weight, 0);
    return this.documents
      .flatMap((indexed, document) => {
        const scored = scoreOf(indexed, query);
        return scored && scored.coverage >= minCoverage ? [{ document, ...scored }] : [];
      })
      .sort((a, b) => b.score - a.score || b.document - a.document);
  }

  private weightOf({ alternatives, conjunctions }: QueryWord): number {
    const frequency = (word: number) => this.index.frequencyOf(word);
    const documents =
      alternatives.reduce((sum, { word }) => sum + frequency(word), 0) +
      conjunctions.reduce((sum, { words }) => sum + Math.min(...words.map(frequency)), 0);
    return documents === 0 ? 0 : idfOf(documents, this.documents.length);
  }

  private indexed({ title, body, tags }: DocumentWords): IndexedDocument {
    const fieldsByWord = new Map<number, number>();
    const numbers = (words: string, field: number) =>
      words
        .split(' ')
        .filter(Boolean)
        .map((word) => {
          const number = this.index.lexicon.add(word);
          fieldsByWord.set(number, (fieldsByWord.get(number) ?? 0) | field);
          return number;
        });
    const spellings = new Set(
      title
        .split(' ')
        .filter((word) => word.startsWith(SPELLING))
        .map((word) => this.index.lexicon.add(word)),
    );
    const inTitle = numbers(title, IN_TITLE).filter((word) => !spellings.has(word));
    numbers(body, IN_BODY);
    numbers(tags, IN_TAGS);
    return { title: inTitle, words: [...fieldsByWord] };
  }
}

/** By word: the query words it matches, with their positions. */
type MatchesByWord = ReadonlyMap<number, readonly { readonly position: number; readonly match: WordMatch }[]>;

function matchesByWord(words: readonly QueryWord[]): MatchesByWord {
  const matches = new Map<number, { position: number; match: WordMatch }[]>();
  words.forEach(({ alternatives }, position) => {
    for (const { word, match } of alternatives)
      matches.set(word, [...(matches.get(word) ?? []), { position, match }]);
  });
  return matches;
}

interface Query {
  readonly words: readonly QueryWord[];
  readonly matches: MatchesByWord;
  readonly weights: readonly number[];
}

function scoreOf(
  { title, words: indexed }: IndexedDocument,
  { words, matches, weights }: Query,
): { score: number; coverage: number } | undefined {
  const boosts = new Map<number, number>();
  const inTitle = new Set<number>();
  const record = (position: number, match: WordMatch, fields: number) => {
    boosts.set(position, Math.max(boosts.get(position) ?? 0, boostOf(match, fields)));
    if (fields & IN_TITLE) inTitle.add(position);
  };
  for (const [word, fields] of indexed) {
    for (const { position, match } of matches.get(word) ?? []) record(position, match, fields);
  }
  const fieldsByWord = new Map(indexed);
  words.forEach(({ conjunctions }, position) => {
    for (const { words, match } of conjunctions) {
      const found = words.map((word) => fieldsByWord.get(word) ?? 0);
      if (found.includes(0)) continue;
      const fields = match.kind === 'compound' ? (found.at(-1) ?? 0) : found.reduce((all, one) => all & one);
      if (fields !== 0) record(position, match, fields);
    }
  });
  if (boosts.size === 0) return undefined;
  // Summed in the engine's order, so that ties are bit-identical.
  const positions = [...words.keys()].sort((a, b) => (weights[b] ?? 0) - (weights[a] ?? 0));
  let [score, coverage] = [0, 0];
  for (const position of positions) {
    if (!boosts.has(position)) continue;
    coverage += weights[position] ?? 0;
    score += (weights[position] ?? 0) * (boosts.get(position) ?? 0);
  }
  return { coverage, score: score + bonusOf(title, words, inTitle.size) * coverage };
}

/** Bonus for adjacent query words in the title and for the share of the title that the query covers. */
function bonusOf(title: readonly number[], words: readonly QueryWord[], count: number): number {
  if (count === 0) return 0;
  const positionOf = (number: number) =>
    words.findIndex(({ alternatives }) => alternatives.some(({ word }) => word === number));
  const positions = title.map(positionOf);
  const neighbours = positions.filter(
    (position, at) => at > 0 && position > 0 && positions[at - 1] === position - 1,
  ).length;
  return Math.min(neighbours, count - 1) / count + 2 * (count / Math.max(title.length, count));
}
