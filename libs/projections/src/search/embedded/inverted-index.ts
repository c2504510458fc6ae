import { GrowingList } from './growing-list.js';
import { Lexicon } from './lexicon.js';

/** What the ranking and the filters know of a document. */
export interface DocumentFacts {
  readonly id: string;
  readonly questionId: string;
  readonly subjectId: string | null;
  readonly topicId: string | null;
  readonly authorId: string;
  /** Milliseconds. */
  readonly createdAt: number;
  readonly answerCount: number;
  readonly isSolved: boolean;
  /** Changes with the words. */
  readonly textVersion: number;
}

export interface DocumentWords {
  /** In their order. */
  readonly title: readonly string[];
  readonly body: readonly string[];
  readonly tags: readonly string[];
}

/** Where in a document a word stands, as bits. */
export const IN_TITLE = 1;
export const IN_BODY = 2;
export const IN_TAGS = 4;
export const PLACE_BITS = 3;
export const PLACES = 7;
const NO_POSTINGS = new Uint32Array();

/**
 * The words of documents and the documents of words, in flat arrays of numbers: some 350 bytes a question. A changed document gets a new
 * number; what was under the old one is passed over until the index is made anew.
 */
export class InvertedIndex {
  readonly lexicon = new Lexicon();
  private readonly documents: (DocumentFacts | undefined)[] = [];
  private readonly numbers = new Map<string, number>();
  private readonly postings: GrowingList[] = [];
  private readonly titles = new GrowingList();
  /** Where the title after that of each document begins. */
  private readonly titleEnds = new GrowingList();

  /** Documents that are there. */
  get size(): number {
    return this.numbers.size;
  }

  /** Numbers given so far. */
  get room(): number {
    return this.documents.length;
  }

  /** More gone than there: time to make it anew. */
  get isWorn(): boolean {
    return this.room > 1_000 && this.room > 2 * this.size;
  }

  factsAt(number: number): DocumentFacts | undefined {
    return this.documents[number];
  }

  factsOf(id: string): DocumentFacts | undefined {
    const number = this.numbers.get(id);
    return number === undefined ? undefined : this.factsAt(number);
  }

  titleLengthAt(number: number): number {
    return this.titleEnds.at(number) - this.titleStartOf(number);
  }

  /** The number of a word of a title. */
  titleWordAt(number: number, place: number): number {
    return this.titles.at(this.titleStartOf(number) + place);
  }

  put(facts: DocumentFacts, words: () => DocumentWords): void {
    const number = this.numbers.get(facts.id);
    if (number !== undefined && this.documents[number]?.textVersion === facts.textVersion) {
      this.documents[number] = facts;
    } else {
      this.remove(facts.id);
      this.add(facts, words());
    }
  }

  remove(id: string): void {
    const number = this.numbers.get(id);
    if (number === undefined) return;
    this.documents[number] = undefined;
    this.numbers.delete(id);
  }

  /** How many documents have the word, counting those that are gone. */
  frequencyOf(word: number): number {
    return this.postings[word]?.length ?? 0;
  }

  /** The documents with the word in the order of their numbers, each with the places in its lowest bits. Some may be gone. */
  postingsOf(word: number): Uint32Array {
    return this.postings[word]?.filled ?? NO_POSTINGS;
  }

  private add(facts: DocumentFacts, { title, body, tags }: DocumentWords): void {
    const number = this.documents.length;
    this.documents.push(facts);
    this.numbers.set(facts.id, number);
    const places = new Map<number, number>();
    const note = (word: string, place: number): number => {
      const known = this.lexicon.add(word);
      places.set(known, (places.get(known) ?? 0) | place);
      return known;
    };
    for (const word of title) this.titles.push(note(word, IN_TITLE));
    this.titleEnds.push(this.titles.length);
    for (const word of body) note(word, IN_BODY);
    for (const word of tags) note(word, IN_TAGS);
    for (const [word, place] of places) {
      (this.postings[word] ??= new GrowingList()).push(((number << PLACE_BITS) | place) >>> 0);
    }
  }

  private titleStartOf(number: number): number {
    return number === 0 ? 0 : this.titleEnds.at(number - 1);
  }
}
