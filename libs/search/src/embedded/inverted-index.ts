import { SPELLING } from '@nimo/projections';
import { AttributeColumns, type DocumentAttributes } from './word-store.js';
import { GrowableArray, Postings } from './postings.js';
import { Ids } from './ids.js';
import { Lexicon } from './lexicon.js';

/** Folded words separated by single spaces, as stored in the read side. */
export interface DocumentWords {
  /** In order of appearance. */
  readonly title: string;
  readonly body: string;
  readonly tags: string;
}

/** Fields that contain a word, as bits. */
export const IN_TITLE = 1;
export const IN_BODY = 2;
export const IN_TAGS = 4;
export const FIELD_BITS = 3;
export const FIELD_MASK = 7;

/** Documents are renumbered once this share is removed. */
const REMOVED_SHARE = 0.25;
const MIN_REMOVED = 250;
const SPACE = 32;

/**
 * Inverted index in flat typed arrays: about 380 bytes per question of 80 words. A changed document gets a new number; the old number is
 * skipped until documents are renumbered.
 */
export class InvertedIndex {
  readonly lexicon = new Lexicon();
  readonly attributes: AttributeColumns;
  private readonly postings = new Postings();
  /** By id number: document number plus one; zero if absent. */
  private readonly documents = GrowableArray.ofUint32();
  /** By document number: 1 if the document exists. */
  private readonly present = new GrowableArray(new Uint8Array(2));
  private readonly titles = GrowableArray.ofUint32();
  /** End of each document's title in `titles`. */
  private readonly titleEnds = GrowableArray.ofUint32();
  private removed = 0;

  /** @param ids shared by the indexes of a space, so that answers refer to questions by number */
  constructor(readonly ids = new Ids()) {
    this.attributes = new AttributeColumns(ids);
  }

  /** Existing documents. */
  get size(): number {
    return this.slotCount - this.removed;
  }

  /** Document numbers in use, including those of removed documents. */
  get slotCount(): number {
    return this.titleEnds.length;
  }

  /** Memory without the ids, which the indexes of a space share. */
  get bytes(): number {
    const { lexicon, attributes, postings, documents, present, titles, titleEnds } = this;
    return [lexicon, attributes, postings, documents, present, titles, titleEnds].reduce(
      (sum, { bytes }) => sum + bytes,
      0,
    );
  }

  isPresent(document: number): boolean {
    return this.present.at(document) === 1;
  }

  idAt(document: number): string {
    return this.ids.at(this.attributes.id.at(document));
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

  /** Word number at the position in the title. */
  titleWordAt(number: number, position: number): number {
    return this.titles.at(this.titleStartOf(number) + position);
  }

  put(attributes: DocumentAttributes, words: () => DocumentWords): void {
    const document = this.documentOf(attributes.id);
    if (document !== undefined && this.attributes.textVersion.at(document) === attributes.textVersion) {
      this.attributes.set(document, attributes);
    } else {
      this.remove(attributes.id);
      this.add(attributes, words());
      if (this.postings.needsCompaction) this.compact();
    }
  }

  remove(id: string): void {
    const document = this.documentOf(id);
    if (document === undefined) return;
    this.documents.set(this.attributes.id.at(document), 0);
    this.present.set(document, 0);
    this.removed += 1;
    if (this.removed > Math.max(MIN_REMOVED, REMOVED_SHARE * this.slotCount)) this.compact();
  }

  /** Documents that contain the word, including removed ones. */
  frequencyOf(word: number): number {
    return this.postings.countOf(word);
  }

  /**
   * Postings of the word in document order, older then newer: document number with the fields in its lowest bits. Includes removed
   * documents.
   */
  postingsOf(word: number): readonly [Uint32Array, Uint32Array] {
    return this.postings.of(word);
  }

  /** Merges newer postings and renumbers documents if some are removed. */
  compact(): void {
    if (this.removed === 0) {
      this.postings.compact(this.lexicon.size);
      return;
    }
    const numbers = this.renumber();
    this.postings.compact(this.lexicon.size, (posting) => {
      const number = numbers[posting >>> FIELD_BITS] ?? 0;
      return number === 0 ? undefined : (((number - 1) << FIELD_BITS) | (posting & FIELD_MASK)) >>> 0;
    });
  }

  private add(attributes: DocumentAttributes, { title, body, tags }: DocumentWords): void {
    const document = this.slotCount;
    this.attributes.set(document, attributes);
    this.documents.set(this.attributes.id.at(document), document + 1);
    this.present.set(document, 1);
    this.indexField(document, title, IN_TITLE);
    this.titleEnds.push(this.titles.length);
    this.indexField(document, body, IN_BODY);
    this.indexField(document, tags, IN_TAGS);
  }

  private indexField(document: number, words: string, field: number): void {
    for (let start = 0, end = 0; start < words.length; start = end + 1) {
      for (end = start; end < words.length && words.charCodeAt(end) !== SPACE;) end += 1;
      if (end === start) continue;
      const word = this.lexicon.add(words, start, end);
      // A spelling token accompanies the word before it and has no position of its own.
      if (field === IN_TITLE && words.charCodeAt(start) !== SPELLING.charCodeAt(0)) this.titles.push(word);
      const last = this.postings.lastOf(word);
      if (last !== undefined && last >>> FIELD_BITS === document)
        this.postings.changeLastOf(word, last | field);
      else this.postings.add(word, ((document << FIELD_BITS) | field) >>> 0);
    }
  }

  /** Closes the gaps left by removed documents. @returns new number plus one by old number; zero for removed documents */
  private renumber(): Uint32Array {
    const numbers = new Uint32Array(this.slotCount);
    let [next, titleEnd, start] = [0, 0, 0];
    for (let document = 0; document < numbers.length; document += 1) {
      const end = this.titleEnds.at(document);
      if (this.isPresent(document)) {
        this.attributes.move(document, next);
        for (let position = start; position < end; position += 1, titleEnd += 1)
          this.titles.set(titleEnd, this.titles.at(position));
        this.titleEnds.set(next, titleEnd);
        this.documents.set(this.attributes.id.at(next), next + 1);
        numbers[document] = next + 1;
        next += 1;
      }
      start = end;
    }
    for (const list of [this.titleEnds, this.present]) list.length = next;
    this.present.values.fill(1);
    this.titles.length = titleEnd;
    this.attributes.truncate(next);
    this.removed = 0;
    return numbers;
  }

  private titleStartOf(number: number): number {
    return number === 0 ? 0 : this.titleEnds.at(number - 1);
  }
}
