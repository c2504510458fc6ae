import type { Queryable } from '../../queryable.js';
import { searchMembers } from '../../students/students.queries.js';
import { candidatesOf, postHits, savedQuestionsOf } from '../post-hits.js';
import type {
  NameSearch,
  PostHit,
  PostSearch,
  QuestionSearch,
  SearchEngine,
  TopicNameSearch,
} from '../search-engine.js';
import { folded } from '../words.js';
import { type FoundDocuments, searchDocumentsOf } from './document-search.js';
import { SpaceIndexes } from './space-indexes.js';
import { WarmUp } from './warm-up.js';

/**
 * The engine of the embedded default. PostgreSQL keeps the documents; their words are indexed in the process that answers, which
 * catches up with the read side before each query.
 */
export class EmbeddedSearch implements SearchEngine {
  private readonly indexes: SpaceIndexes;
  private readonly warming: WarmUp;

  constructor(private readonly db: Queryable) {
    this.indexes = new SpaceIndexes(db);
    this.warming = new WarmUp(db, this.indexes);
  }

  /** Brings what changed since the last call into memory, so that the next search does not wait for it. */
  warmUp(signal: AbortSignal): Promise<void> {
    return this.warming.round(signal);
  }

  async findQuestions(search: QuestionSearch): Promise<PostHit[]> {
    const { spaceId, subjectId, topicId, authorId, isSolved } = search;
    const saved =
      search.savedBy === undefined ? undefined : await savedQuestionsOf(this.db, search.savedBy, spaceId);
    const index = await this.indexes.current('QUESTION', spaceId);
    const found = searchDocumentsOf(index, {
      ...windowOf(search),
      accepts: (facts) =>
        (subjectId === undefined || facts.subjectId === subjectId) &&
        (topicId === undefined || facts.topicId === topicId) &&
        (authorId === undefined || facts.authorId === authorId) &&
        (isSolved === undefined || facts.isSolved === isSolved) &&
        (saved === undefined || saved.has(facts.id)),
    });
    return this.hits(search, found);
  }

  /** Found by their own words; where they stand is their question's. */
  async findAnswers(search: PostSearch): Promise<PostHit[]> {
    const { spaceId, subjectId, topicId } = search;
    const questions = await this.indexes.current('QUESTION', spaceId);
    const index = await this.indexes.current('ANSWER', spaceId);
    const found = searchDocumentsOf(index, {
      ...windowOf(search),
      accepts: ({ questionId }) => {
        const question = questions.factsOf(questionId);
        return (
          question !== undefined &&
          (subjectId === undefined || question.subjectId === subjectId) &&
          (topicId === undefined || question.topicId === topicId)
        );
      },
    });
    return this.hits(search, found);
  }

  async findTopics({ text, spaceId, subjectId, skip, limit }: TopicNameSearch): Promise<string[]> {
    const index = await this.indexes.current('TOPIC', spaceId);
    const { documents } = searchDocumentsOf(index, {
      text,
      sort: 'BEST',
      count: skip + limit,
      accepts: (facts) => subjectId === undefined || facts.subjectId === subjectId,
    });
    return documents.slice(skip).map(({ id }) => id);
  }

  /** Those who have the text in their names, as a mention finds them; then those who are found in spite of a typing mistake. */
  async findPeople({ text, spaceId, skip, limit }: NameSearch): Promise<string[]> {
    const wanted = skip + limit;
    const literal = await searchMembers(this.db, { spaceId, search: text, skip: 0, limit: wanted });
    const ids = literal.map(({ _id }) => _id);
    if (ids.length < wanted && folded(text.trim()).length > 2) {
      const index = await this.indexes.current('PERSON', spaceId);
      const { documents } = searchDocumentsOf(index, {
        text,
        sort: 'BEST',
        count: wanted,
        accepts: () => true,
      });
      const known = new Set(ids);
      ids.push(...documents.map(({ id }) => id).filter((id) => !known.has(id)));
    }
    return ids.slice(skip, wanted);
  }

  private hits(search: PostSearch, { documents, isMatch }: FoundDocuments): Promise<PostHit[]> {
    const { skip } = candidatesOf(search);
    return postHits(
      this.db,
      search,
      documents.slice(skip).map(({ id }) => ({ id, isMatch })),
    );
  }
}

function windowOf(search: PostSearch) {
  const { skip, limit } = candidatesOf(search);
  return { text: search.text, sort: search.sort, count: skip + limit };
}
