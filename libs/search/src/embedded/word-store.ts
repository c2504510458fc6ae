import { GrowingList, HashedNumbers, mixed, spread } from './postings.js';
import type { Ids } from './ids.js';

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

/** The facts of documents by their numbers, a column each; ids by their numbers among the ids, null as zero. */
export class DocumentColumns {
  readonly id = GrowingList.ofIntegers();
  readonly question = GrowingList.ofIntegers();
  readonly subject = GrowingList.ofIntegers();
  readonly topic = GrowingList.ofIntegers();
  readonly author = GrowingList.ofIntegers();
  readonly answerCount = GrowingList.ofIntegers();
  readonly solved = new GrowingList(new Uint8Array(2));
  readonly createdAt = new GrowingList(new Float64Array(2));
  readonly textVersion = new GrowingList(new Float64Array(2));

  constructor(private readonly ids: Ids) {}

  get bytes(): number {
    return this.all.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  set(document: number, facts: DocumentFacts): void {
    const number = (id: string | null) => (id === null || id === '' ? 0 : this.ids.add(id));
    this.id.set(document, this.ids.add(facts.id));
    this.question.set(document, number(facts.questionId));
    this.subject.set(document, number(facts.subjectId));
    this.topic.set(document, number(facts.topicId));
    this.author.set(document, number(facts.authorId));
    this.answerCount.set(document, facts.answerCount);
    this.solved.set(document, Number(facts.isSolved));
    this.createdAt.set(document, facts.createdAt);
    this.textVersion.set(document, facts.textVersion);
  }

  /** As the document before it, which keeps its number no longer. */
  move(from: number, to: number): void {
    for (const column of this.all) column.set(to, column.at(from));
  }

  cut(length: number): void {
    for (const column of this.all) column.length = length;
  }

  private get all(): readonly GrowingList<Uint8Array | Uint32Array | Float64Array>[] {
    const { id, question, subject, topic, author, answerCount, solved, createdAt, textVersion } = this;
    return [id, question, subject, topic, author, answerCount, solved, createdAt, textVersion] as never;
  }
}

const FIRST = 0x811c9dc5;

/** Every word under a number, its letters one after the other in one flat array: nothing is made of a text that is only looked through. */
export class WordStore {
  private readonly letters = new GrowingList(new Uint16Array(1 << 10));
  private readonly ends = GrowingList.ofIntegers();
  private readonly hashed = new HashedNumbers((word) => this.hashAt(word));

  get size(): number {
    return this.ends.length;
  }

  get bytes(): number {
    return this.letters.bytes + this.ends.bytes + this.hashed.bytes;
  }

  startOf(word: number): number {
    return word === 0 ? 0 : this.ends.at(word - 1);
  }

  lengthOf(word: number): number {
    return this.ends.at(word) - this.startOf(word);
  }

  letterAt(word: number, place: number): number {
    return this.letters.at(this.startOf(word) + place);
  }

  wordAt(word: number): string {
    return word < this.size
      ? String.fromCharCode(...this.letters.filled.subarray(this.startOf(word), this.ends.at(word)))
      : '';
  }

  /** Of the word that stands there in the text. */
  numberOf(text: string, start = 0, end = text.length): number | undefined {
    return this.find(hashIn(text, start, end), text, start, end);
  }

  add(text: string, start = 0, end = text.length): number {
    const hash = hashIn(text, start, end);
    const known = this.find(hash, text, start, end);
    if (known !== undefined) return known;
    for (let place = start; place < end; place += 1) this.letters.push(text.charCodeAt(place));
    const number = this.ends.length;
    this.ends.push(this.letters.length);
    this.hashed.add(hash, number);
    return number;
  }

  private find(hash: number, text: string, start: number, end: number): number | undefined {
    return this.hashed.find(hash, (word) => this.isAt(word, text, start, end));
  }

  private isAt(word: number, text: string, start: number, end: number): boolean {
    const from = this.startOf(word);
    if (this.ends.at(word) - from !== end - start) return false;
    for (let place = start; place < end; place += 1)
      if (this.letters.at(from + place - start) !== text.charCodeAt(place)) return false;
    return true;
  }

  private hashAt(word: number): number {
    let hash = FIRST;
    const end = this.ends.at(word);
    for (let place = this.startOf(word); place < end; place += 1) hash = mixed(hash, this.letters.at(place));
    return spread(hash);
  }
}

function hashIn(text: string, start: number, end: number): number {
  let hash = FIRST;
  for (let place = start; place < end; place += 1) hash = mixed(hash, text.charCodeAt(place));
  return spread(hash);
}
