/** Part of a highlighted text. Prefix and typo matches count as matches. */
export interface TextPart {
  readonly text: string;
  readonly isMatch: boolean;
}

/** `BEST` sorts by relevance. */
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
  /** Only questions by this student. */
  readonly authorId?: string | undefined;
  /** Only questions saved by this student. */
  readonly savedBy?: string | undefined;
  /** Only solved or only unsolved questions; both if undefined. */
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
  /** For an answer, the title of its question. */
  readonly title: readonly TextPart[];
  /** Excerpt of the body around the first match (`highlight.ts`). */
  readonly excerpt: readonly TextPart[];
}

/**
 * Finds posts, topics and people of one space, best match first. A text without words finds nothing. Hits may include items removed a
 * moment ago, so callers read them by id before showing them.
 */
export interface SearchEngine {
  findQuestions(search: QuestionSearch): Promise<readonly PostHit[]>;
  findAnswers(search: PostSearch): Promise<readonly PostHit[]>;
  /** @returns topic ids */
  findTopics(search: TopicNameSearch): Promise<readonly string[]>;
  /** @returns ids of members */
  findPeople(search: NameSearch): Promise<readonly string[]>;
}
