/** A piece of a text that is shown; a match is what the query found there, also by a beginning or in spite of a typing mistake. */
export interface TextPart {
  readonly text: string;
  readonly isMatch: boolean;
}

/** `BEST`: the best match first. */
export type SearchSort = 'BEST' | 'NEWEST' | 'MOST_ANSWERED';

export interface Slice {
  readonly skip: number;
  readonly limit: number;
}

export interface PostSearch extends Slice {
  readonly text: string;
  readonly spaceId: string;
  readonly subjectId?: string | undefined;
  readonly topicId?: string | undefined;
  readonly sort: SearchSort;
}

export interface QuestionSearch extends PostSearch {
  /** Only this author's. */
  readonly authorId?: string | undefined;
  /** Only those that this student saved. */
  readonly savedBy?: string | undefined;
  /** Only solved or only unsolved ones; both unless given. */
  readonly isSolved?: boolean | undefined;
}

export interface NameSearch extends Slice {
  readonly text: string;
  readonly spaceId: string;
}

export interface TopicNameSearch extends NameSearch {
  readonly subjectId?: string | undefined;
}

export interface PostHit {
  readonly id: string;
  /** Of an answer: its question's. */
  readonly title: readonly TextPart[];
  /** Cut from the body around the first matches; marked text (`excerpt.ts`). */
  readonly excerpt: readonly TextPart[];
}

/**
 * Finds posts, topics and people of one space, best match first. A text without a word finds nothing. What was removed a moment
 * ago may still be among the hits: whoever shows them reads them by their ids.
 */
export interface SearchEngine {
  findQuestions(search: QuestionSearch): Promise<readonly PostHit[]>;
  findAnswers(search: PostSearch): Promise<readonly PostHit[]>;
  /** Ids. */
  findTopics(search: TopicNameSearch): Promise<readonly string[]>;
  /** Ids of members. */
  findPeople(search: NameSearch): Promise<readonly string[]>;
}
