import type { TimeSlice } from '@nimo/projection-engine';
import { hasRun, type Queryable, searchMembers } from '@nimo/projections';
import { candidatesOf, postHits, savedQuestionsOf } from '../post-hits.js';
import type {
  NameSearch,
  PostHit,
  PostSearch,
  QuestionSearch,
  SearchEngine,
  TopicNameSearch,
} from '../search-engine.js';
import { type FoundDocuments, searchDocumentsOf, SpaceIndexes, WarmUp } from './space-indexes.js';
import type { InvertedIndex } from './inverted-index.js';

/** The default search engine. Documents are in PostgreSQL; the in-memory index catches up with the read side before each query. */
export class EmbeddedSearch implements SearchEngine {
  private readonly indexes: SpaceIndexes;
  private readonly warming: WarmUp;

  constructor(private readonly db: Queryable) {
    this.indexes = new SpaceIndexes(db);
    this.warming = new WarmUp(db, this.indexes);
  }

  /** Brings the in-memory index up to date, so that the next search need not wait for it. */
  warmUp(signal: AbortSignal): Promise<void> {
    return this.warming.round(signal);
  }

  async findQuestions(search: QuestionSearch): Promise<PostHit[]> {
    const { spaceId, subjectId, topicId, authorId, isSolved } = search;
    const saved =
      search.savedBy === undefined ? undefined : await savedQuestionsOf(this.db, search.savedBy, spaceId);
    const index = await this.indexes.current('QUESTION', spaceId);
    const { subject, topic, author, solved } = index.attributes;
    const matchesFilter = filterBy(index, { subjectId, topicId });
    const authored = numberOf(index, authorId);
    const savedDocuments = saved && new Set([...saved].map((id) => index.documentOf(id)));
    const found = searchDocumentsOf(index, {
      ...windowOf(search),
      accepts: (document) =>
        matchesFilter(subject.at(document), topic.at(document)) &&
        (authored === undefined || author.at(document) === authored) &&
        (isSolved === undefined || solved.at(document) === Number(isSolved)) &&
        (savedDocuments === undefined || savedDocuments.has(document)),
    });
    return this.hits(search, found);
  }

  /** Matches the words of answers; subject and topic are those of the question. */
  async findAnswers(search: PostSearch): Promise<PostHit[]> {
    const { spaceId } = search;
    const questions = await this.indexes.current('QUESTION', spaceId);
    const index = await this.indexes.current('ANSWER', spaceId);
    const { subject, topic } = questions.attributes;
    const matchesFilter = filterBy(questions, search);
    const found = searchDocumentsOf(index, {
      ...windowOf(search),
      accepts: (document) => {
        const question = questions.documentOfNumber(index.attributes.question.at(document));
        return question !== undefined && matchesFilter(subject.at(question), topic.at(question));
      },
    });
    return this.hits(search, found);
  }

  async findTopics({ text, spaceId, subjectId, skip, limit }: TopicNameSearch): Promise<string[]> {
    const index = await this.indexes.current('TOPIC', spaceId);
    const { subject, topic } = index.attributes;
    const matchesFilter = filterBy(index, { subjectId });
    const { ids } = searchDocumentsOf(index, {
      text,
      sort: 'BEST',
      count: skip + limit,
      accepts: (document) => matchesFilter(subject.at(document), topic.at(document)),
    });
    return ids.slice(skip);
  }

  /** Members whose names contain the text, as in mentions; then matches with typos. */
  async findPeople({ text, spaceId, skip, limit }: NameSearch): Promise<string[]> {
    const count = skip + limit;
    const literal = await searchMembers(this.db, { spaceId, search: text, skip: 0, limit: count });
    const ids = literal.map(({ _id }) => _id);
    // Two letters are too short, except in scripts without spaces, where they may be a word.
    if (ids.length < count && (text.trim().length > 2 || hasRun(text))) {
      const index = await this.indexes.current('PERSON', spaceId);
      const { ids: similar } = searchDocumentsOf(index, {
        text,
        sort: 'BEST',
        count,
        accepts: () => true,
      });
      const known = new Set(ids);
      ids.push(...similar.filter((id) => !known.has(id)));
    }
    return ids.slice(skip, count);
  }

  private hits(search: PostSearch, { ids, isMatch }: FoundDocuments): Promise<PostHit[]> {
    const { skip } = candidatesOf(search);
    const candidates = ids.slice(skip).map((id) => ({ id, isMatch }));
    return postHits(this.db, search, candidates, OWN_THREAD);
  }
}

/** Never yields: the thread serves only searches, which alternate while texts are read. */
const OWN_THREAD: Pick<TimeSlice, 'isOver' | 'yield'> = { isOver: false, yield: () => Promise.resolve() };

/** Matches no document. */
const UNKNOWN = -1;

const numberOf = (index: InvertedIndex, id: string | undefined): number | undefined =>
  id === undefined ? undefined : (index.ids.numberOf(id) ?? UNKNOWN);

/** Predicate for the requested subject and topic, by id number. */
function filterBy(
  index: InvertedIndex,
  { subjectId, topicId }: { readonly subjectId?: string | undefined; readonly topicId?: string | undefined },
): (subject: number, topic: number) => boolean {
  const [inSubject, inTopic] = [numberOf(index, subjectId), numberOf(index, topicId)];
  return (subject, topic) =>
    (inSubject === undefined || subject === inSubject) && (inTopic === undefined || topic === inTopic);
}

function windowOf(search: PostSearch) {
  const { skip, limit } = candidatesOf(search);
  return { text: search.text, sort: search.sort, count: skip + limit };
}
