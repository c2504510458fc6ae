import { GrowableArray, HashIndex, mixHash, finalizeHash } from './postings.js';
import type { Ids } from './ids.js';

/** Attributes used for ranking and filtering. */
export interface DocumentAttributes {
  readonly id: string;
  readonly questionId: string;
  readonly subjectId: string | null;
  readonly topicId: string | null;
  readonly authorId: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly answerCount: number;
  readonly isSolved: boolean;
  /** Changes whenever the words change. */
  readonly textVersion: number;
}

/** Document attributes in columns, by document number. Ids are stored as id numbers, null as zero. */
export class AttributeColumns {
  readonly id = GrowableArray.ofUint32();
  readonly question = GrowableArray.ofUint32();
  readonly subject = GrowableArray.ofUint32();
  readonly topic = GrowableArray.ofUint32();
  readonly author = GrowableArray.ofUint32();
  readonly answerCount = GrowableArray.ofUint32();
  readonly solved = new GrowableArray(new Uint8Array(2));
  readonly createdAt = new GrowableArray(new Float64Array(2));
  readonly textVersion = new GrowableArray(new Float64Array(2));

  constructor(private readonly ids: Ids) {}

  get bytes(): number {
    return this.all.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  set(document: number, attributes: DocumentAttributes): void {
    const number = (id: string | null) => (id === null || id === '' ? 0 : this.ids.add(id));
    this.id.set(document, this.ids.add(attributes.id));
    this.question.set(document, number(attributes.questionId));
    this.subject.set(document, number(attributes.subjectId));
    this.topic.set(document, number(attributes.topicId));
    this.author.set(document, number(attributes.authorId));
    this.answerCount.set(document, attributes.answerCount);
    this.solved.set(document, Number(attributes.isSolved));
    this.createdAt.set(document, attributes.createdAt);
    this.textVersion.set(document, attributes.textVersion);
  }

  /** Moves the attributes of a document to a new number. */
  move(from: number, to: number): void {
    for (const column of this.all) column.set(to, column.at(from));
  }

  truncate(length: number): void {
    for (const column of this.all) column.length = length;
  }

  private get all(): readonly GrowableArray<Uint8Array | Uint32Array | Float64Array>[] {
    const { id, question, subject, topic, author, answerCount, solved, createdAt, textVersion } = this;
    return [id, question, subject, topic, author, answerCount, solved, createdAt, textVersion] as never;
  }
}

const FNV_OFFSET_BASIS = 0x811c9dc5;

/** Numbers words and stores their letters in one flat array, so that looking up a word in a text allocates nothing. */
export class WordStore {
  private readonly letters = new GrowableArray(new Uint16Array(1 << 10));
  private readonly ends = GrowableArray.ofUint32();
  private readonly index = new HashIndex((word) => this.hashAt(word));

  get size(): number {
    return this.ends.length;
  }

  get bytes(): number {
    return this.letters.bytes + this.ends.bytes + this.index.bytes;
  }

  startOf(word: number): number {
    return word === 0 ? 0 : this.ends.at(word - 1);
  }

  lengthOf(word: number): number {
    return this.ends.at(word) - this.startOf(word);
  }

  letterAt(word: number, position: number): number {
    return this.letters.at(this.startOf(word) + position);
  }

  wordAt(word: number): string {
    return word < this.size
      ? String.fromCharCode(...this.letters.values.subarray(this.startOf(word), this.ends.at(word)))
      : '';
  }

  /** Number of the word at this range of the text. */
  numberOf(text: string, start = 0, end = text.length): number | undefined {
    return this.find(hashIn(text, start, end), text, start, end);
  }

  add(text: string, start = 0, end = text.length): number {
    const hash = hashIn(text, start, end);
    const known = this.find(hash, text, start, end);
    if (known !== undefined) return known;
    for (let position = start; position < end; position += 1) this.letters.push(text.charCodeAt(position));
    const number = this.ends.length;
    this.ends.push(this.letters.length);
    this.index.add(hash, number);
    return number;
  }

  private find(hash: number, text: string, start: number, end: number): number | undefined {
    return this.index.find(hash, (word) => this.isAt(word, text, start, end));
  }

  private isAt(word: number, text: string, start: number, end: number): boolean {
    const from = this.startOf(word);
    if (this.ends.at(word) - from !== end - start) return false;
    for (let position = start; position < end; position += 1)
      if (this.letters.at(from + position - start) !== text.charCodeAt(position)) return false;
    return true;
  }

  private hashAt(word: number): number {
    let hash = FNV_OFFSET_BASIS;
    const end = this.ends.at(word);
    for (let position = this.startOf(word); position < end; position += 1)
      hash = mixHash(hash, this.letters.at(position));
    return finalizeHash(hash);
  }
}

function hashIn(text: string, start: number, end: number): number {
  let hash = FNV_OFFSET_BASIS;
  for (let position = start; position < end; position += 1) hash = mixHash(hash, text.charCodeAt(position));
  return finalizeHash(hash);
}
