import type { DocumentWords, InvertedIndex } from '../embedded/inverted-index.js';
import { SPELLING } from '@nimo/projections';
import { IN_BODY, IN_TAGS, IN_TITLE } from '../embedded/inverted-index.js';
import type { WordMatch } from '../embedded/lexicon.js';
import { type QueryWord, queryWordsOf } from '../embedded/query-words.js';
import { MIN_SHARE, tellingOf, worthOf } from '../embedded/score-board.js';

/** A document as numbers of words: the title in its order, and every word with its places. */
interface Shelved {
  readonly title: readonly number[];
  readonly words: readonly (readonly [number, number])[];
}

export interface Judged {
  /** Its place among the documents given. */
  readonly document: number;
  readonly score: number;
  readonly told: number;
}

/** What the embedded engine must find, by the same rules for a score, reckoned the long way: every document for every query. */
export class ExhaustiveSearch {
  private readonly shelf: readonly Shelved[];

  /** @param index of the same documents, in the same order and none of them gone; asked for what stands for a word and how common it is */
  constructor(
    private readonly index: InvertedIndex,
    documents: readonly DocumentWords[],
  ) {
    this.shelf = documents.map((words) => this.shelved(words));
  }

  /** Those that may be found, the best first, the later one of two alike. */
  find(text: string): Judged[] {
    const words = queryWordsOf(text, this.index);
    const query = { words, standing: standingFor(words), telling: words.map((word) => this.tellingOf(word)) };
    const least = MIN_SHARE * query.telling.reduce((sum, one) => sum + one, 0);
    return this.shelf
      .flatMap((shelved, document) => {
        const judged = judge(shelved, query);
        return judged && judged.told >= least ? [{ document, ...judged }] : [];
      })
      .sort((a, b) => b.score - a.score || b.document - a.document);
  }

  private tellingOf({ alternatives, together }: QueryWord): number {
    const frequency = (word: number) => this.index.frequencyOf(word);
    const documents =
      alternatives.reduce((sum, { word }) => sum + frequency(word), 0) +
      together.reduce((sum, { words }) => sum + Math.min(...words.map(frequency)), 0);
    return documents === 0 ? 0 : tellingOf(documents, this.shelf.length);
  }

  private shelved({ title, body, tags }: DocumentWords): Shelved {
    const places = new Map<number, number>();
    const numbers = (words: string, place: number) =>
      words
        .split(' ')
        .filter(Boolean)
        .map((word) => {
          const number = this.index.lexicon.add(word);
          places.set(number, (places.get(number) ?? 0) | place);
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
    return { title: inTitle, words: [...places] };
  }
}

/** A word of the query, by its place there, for which another word stands. */
type Standing = ReadonlyMap<number, readonly { readonly place: number; readonly match: WordMatch }[]>;

function standingFor(words: readonly QueryWord[]): Standing {
  const standing = new Map<number, { place: number; match: WordMatch }[]>();
  words.forEach(({ alternatives }, place) => {
    for (const { word, match } of alternatives)
      standing.set(word, [...(standing.get(word) ?? []), { place, match }]);
  });
  return standing;
}

interface Query {
  readonly words: readonly QueryWord[];
  readonly standing: Standing;
  readonly telling: readonly number[];
}

function judge(
  { title, words: shelved }: Shelved,
  { words, standing, telling }: Query,
): { score: number; told: number } | undefined {
  const worths = new Map<number, number>();
  const inTitle = new Set<number>();
  const note = (place: number, match: WordMatch, where: number) => {
    worths.set(place, Math.max(worths.get(place) ?? 0, worthOf(match, where)));
    if (where & IN_TITLE) inTitle.add(place);
  };
  for (const [word, where] of shelved) {
    for (const { place, match } of standing.get(word) ?? []) note(place, match, where);
  }
  const placesOf = new Map(shelved);
  words.forEach(({ together }, place) => {
    for (const { words, match } of together) {
      const places = words.map((word) => placesOf.get(word) ?? 0);
      if (places.includes(0)) continue;
      const where = match.kind === 'part' ? (places.at(-1) ?? 0) : places.reduce((all, one) => all & one);
      if (where !== 0) note(place, match, where);
    }
  });
  if (worths.size === 0) return undefined;
  // Summed up in the engine's order, so that those alike are alike to the last bit.
  const places = [...words.keys()].sort((a, b) => (telling[b] ?? 0) - (telling[a] ?? 0));
  let [score, told] = [0, 0];
  for (const place of places) {
    if (!worths.has(place)) continue;
    told += telling[place] ?? 0;
    score += (telling[place] ?? 0) * (worths.get(place) ?? 0);
  }
  return { told, score: score + bonusOf(title, words, inTitle.size) * told };
}

/** Words of the query side by side in the title as in the query, and the share of the title that the query has. */
function bonusOf(title: readonly number[], words: readonly QueryWord[], count: number): number {
  if (count === 0) return 0;
  const placeOf = (number: number) =>
    words.findIndex(({ alternatives }) => alternatives.some(({ word }) => word === number));
  const places = title.map(placeOf);
  const neighbours = places.filter((place, at) => at > 0 && place > 0 && places[at - 1] === place - 1).length;
  return Math.min(neighbours, count - 1) / count + 2 * (count / Math.max(title.length, count));
}
