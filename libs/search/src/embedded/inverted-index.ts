import { SPELLING } from '@nimo/projections';
import { DocumentColumns, type DocumentFacts } from './word-store.js';
import { GrowingList, Postings } from './postings.js';
import { Ids } from './ids.js';
import { Lexicon } from './lexicon.js';

/** As the read side has them: folded words, one space between two. */
export interface DocumentWords {
  /** In their order. */
  readonly title: string;
  readonly body: string;
  readonly tags: string;
}

/** Where in a document a word stands, as bits. */
export const IN_TITLE = 1;
export const IN_BODY = 2;
export const IN_TAGS = 4;
export const PLACE_BITS = 3;
export const PLACES = 7;

/** Numbers of documents that are gone are given anew once a quarter of all is. */
const GONE_SHARE = 0.25;
const MIN_GONE = 250;
const SPACE = 32;

/**
 * The words of documents and the documents of words, in flat arrays of numbers: some 380 bytes a question of 80 words. A changed document gets
 * a new number; what was under the old one is passed over until numbers are given anew.
 */
export class InvertedIndex {
  readonly lexicon = new Lexicon();
  readonly facts: DocumentColumns;
  private readonly postings = new Postings();
  /** By the number of its id: the number of the document and one. */
  private readonly documents = GrowingList.ofIntegers();
  /** By the document: whether it is there. */
  private readonly there = new GrowingList(new Uint8Array(2));
  private readonly titles = GrowingList.ofIntegers();
  /** Where the title after that of each document begins. */
  private readonly titleEnds = GrowingList.ofIntegers();
  private gone = 0;

  /** @param ids shared by the indexes of a space, so that an answer's question is found by a number */
  constructor(readonly ids = new Ids()) {
    this.facts = new DocumentColumns(ids);
  }

  /** Documents that are there. */
  get size(): number {
    return this.room - this.gone;
  }

  /** Numbers given so far. */
  get room(): number {
    return this.titleEnds.length;
  }

  /** Without the ids, which the indexes of a space share. */
  get bytes(): number {
    const { lexicon, facts, postings, documents, there, titles, titleEnds } = this;
    return [lexicon, facts, postings, documents, there, titles, titleEnds].reduce(
      (sum, { bytes }) => sum + bytes,
      0,
    );
  }

  isThere(document: number): boolean {
    return this.there.at(document) === 1;
  }

  idAt(document: number): string {
    return this.ids.at(this.facts.id.at(document));
  }

  documentOf(id: string): number | undefined {
    const number = this.ids.numberOf(id);
    return number === undefined ? undefined : this.documentOfNumber(number);
  }

  /** @param id the number of the id */
  documentOfNumber(id: number): number | undefined {
    const held = this.documents.at(id);
    return held === 0 ? undefined : held - 1;
  }

  titleLengthAt(number: number): number {
    return this.titleEnds.at(number) - this.titleStartOf(number);
  }

  /** The number of a word of a title. */
  titleWordAt(number: number, place: number): number {
    return this.titles.at(this.titleStartOf(number) + place);
  }

  put(facts: DocumentFacts, words: () => DocumentWords): void {
    const document = this.documentOf(facts.id);
    if (document !== undefined && this.facts.textVersion.at(document) === facts.textVersion) {
      this.facts.set(document, facts);
    } else {
      this.remove(facts.id);
      this.add(facts, words());
      if (this.postings.isDue) this.fold();
    }
  }

  remove(id: string): void {
    const document = this.documentOf(id);
    if (document === undefined) return;
    this.documents.set(this.facts.id.at(document), 0);
    this.there.set(document, 0);
    this.gone += 1;
    if (this.gone > Math.max(MIN_GONE, GONE_SHARE * this.room)) this.fold();
  }

  /** How many documents have the word, counting those that are gone. */
  frequencyOf(word: number): number {
    return this.postings.countOf(word);
  }

  /**
   * The documents with the word in the order of their numbers, each with the places in its lowest bits; those of the second list after those of
   * the first. Some may be gone.
   */
  postingsOf(word: number): readonly [Uint32Array, Uint32Array] {
    return this.postings.of(word);
  }

  /** Puts everything next to each other, and gives new numbers where documents are gone; for once a large part is new. */
  fold(): void {
    if (this.gone === 0) {
      this.postings.fold(this.lexicon.size);
      return;
    }
    const numbers = this.renumber();
    this.postings.fold(this.lexicon.size, (posting) => {
      const number = numbers[posting >>> PLACE_BITS] ?? 0;
      return number === 0 ? undefined : (((number - 1) << PLACE_BITS) | (posting & PLACES)) >>> 0;
    });
  }

  private add(facts: DocumentFacts, { title, body, tags }: DocumentWords): void {
    const document = this.room;
    this.facts.set(document, facts);
    this.documents.set(this.facts.id.at(document), document + 1);
    this.there.set(document, 1);
    this.note(document, title, IN_TITLE);
    this.titleEnds.push(this.titles.length);
    this.note(document, body, IN_BODY);
    this.note(document, tags, IN_TAGS);
  }

  private note(document: number, words: string, place: number): void {
    for (let start = 0, end = 0; start < words.length; start = end + 1) {
      for (end = start; end < words.length && words.charCodeAt(end) !== SPACE;) end += 1;
      if (end === start) continue;
      const word = this.lexicon.add(words, start, end);
      // A spelling stands for the word before it.
      if (place === IN_TITLE && words.charCodeAt(start) !== SPELLING.charCodeAt(0)) this.titles.push(word);
      const last = this.postings.lastOf(word);
      if (last !== undefined && last >>> PLACE_BITS === document)
        this.postings.changeLastOf(word, last | place);
      else this.postings.add(word, ((document << PLACE_BITS) | place) >>> 0);
    }
  }

  /** The documents that are there move together. @returns the new numbers and one, by the former ones; zero for those that are gone */
  private renumber(): Uint32Array {
    const numbers = new Uint32Array(this.room);
    let [next, titled, start] = [0, 0, 0];
    for (let document = 0; document < numbers.length; document += 1) {
      const end = this.titleEnds.at(document);
      if (this.isThere(document)) {
        this.facts.move(document, next);
        for (let place = start; place < end; place += 1, titled += 1)
          this.titles.set(titled, this.titles.at(place));
        this.titleEnds.set(next, titled);
        this.documents.set(this.facts.id.at(next), next + 1);
        numbers[document] = next + 1;
        next += 1;
      }
      start = end;
    }
    for (const list of [this.titleEnds, this.there]) list.length = next;
    this.there.filled.fill(1);
    this.titles.length = titled;
    this.facts.cut(next);
    this.gone = 0;
    return numbers;
  }

  private titleStartOf(number: number): number {
    return number === 0 ? 0 : this.titleEnds.at(number - 1);
  }
}
