import { GrowingList } from './growing-list.js';
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
