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

/**
 * The engine of the embedded default. PostgreSQL keeps the documents; their words are indexed in a thread of the process that answers
 * (`ThreadedSearch`), which catches up with the read side before each query.
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
    const { subject, topic, author, solved } = index.facts;
    const isIn = isAmong(index, { subjectId, topicId });
    const authored = numberOf(index, authorId);
    const savedDocuments = saved && new Set([...saved].map((id) => index.documentOf(id)));
    const found = searchDocumentsOf(index, {
      ...windowOf(search),
      accepts: (document) =>
        isIn(subject.at(document), topic.at(document)) &&
        (authored === undefined || author.at(document) === authored) &&
        (isSolved === undefined || solved.at(document) === Number(isSolved)) &&
        (savedDocuments === undefined || savedDocuments.has(document)),
    });
    return this.hits(search, found);
  }

  /** Found by their own words; where they stand is their question's. */
  async findAnswers(search: PostSearch): Promise<PostHit[]> {
    const { spaceId } = search;
    const questions = await this.indexes.current('QUESTION', spaceId);
    const index = await this.indexes.current('ANSWER', spaceId);
    const { subject, topic } = questions.facts;
    const isIn = isAmong(questions, search);
    const found = searchDocumentsOf(index, {
      ...windowOf(search),
      accepts: (document) => {
        const question = questions.documentOfNumber(index.facts.question.at(document));
        return question !== undefined && isIn(subject.at(question), topic.at(question));
      },
    });
    return this.hits(search, found);
  }

  async findTopics({ text, spaceId, subjectId, skip, limit }: TopicNameSearch): Promise<string[]> {
    const index = await this.indexes.current('TOPIC', spaceId);
    const { subject, topic } = index.facts;
    const isIn = isAmong(index, { subjectId });
    const { ids } = searchDocumentsOf(index, {
      text,
      sort: 'BEST',
      count: skip + limit,
      accepts: (document) => isIn(subject.at(document), topic.at(document)),
    });
    return ids.slice(skip);
  }

  /** Those who have the text in their names, as a mention finds them; then those who are found in spite of a typing mistake. */
  async findPeople({ text, spaceId, skip, limit }: NameSearch): Promise<string[]> {
    const wanted = skip + limit;
    const literal = await searchMembers(this.db, { spaceId, search: text, skip: 0, limit: wanted });
    const ids = literal.map(({ _id }) => _id);
    // Two letters would begin too many words; in a script without spaces they are one.
    if (ids.length < wanted && (text.trim().length > 2 || hasRun(text))) {
      const index = await this.indexes.current('PERSON', spaceId);
      const { ids: alike } = searchDocumentsOf(index, {
        text,
        sort: 'BEST',
        count: wanted,
        accepts: () => true,
      });
      const known = new Set(ids);
      ids.push(...alike.filter((id) => !known.has(id)));
    }
    return ids.slice(skip, wanted);
  }

  private hits(search: PostSearch, { ids, isMatch }: FoundDocuments): Promise<PostHit[]> {
    const { skip } = candidatesOf(search);
    const candidates = ids.slice(skip).map((id) => ({ id, isMatch }));
    return postHits(this.db, search, candidates, OWN_THREAD);
  }
}

/** On a thread of its own: other searches run while the next texts are read. */
const OWN_THREAD: Pick<TimeSlice, 'isOver' | 'yield'> = { isOver: false, yield: () => Promise.resolve() };

/** No document has it. */
const UNKNOWN = -1;

const numberOf = (index: InvertedIndex, id: string | undefined): number | undefined =>
  id === undefined ? undefined : (index.ids.numberOf(id) ?? UNKNOWN);

/** Whether something of that subject and topic is where was asked for, by the numbers of the index. */
function isAmong(
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
