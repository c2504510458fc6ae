import type { Queryable } from '../../queryable.js';
import { searchMembers } from '../../students/students.queries.js';
import { excerptAround, highlighted } from '../highlight.js';
import type {
  NameSearch,
  PostHit,
  PostSearch,
  QuestionSearch,
  SearchEngine,
  TopicNameSearch,
} from '../search-engine.js';
import { folded, wordsOf } from '../words.js';
import { type FoundDocuments, phrasesOf, searchDocumentsOf } from './document-search.js';
import { SpaceIndexes } from './space-indexes.js';

interface TextRow {
  document_id: string;
  title: string;
  body: string;
}

/** How many of the best are read to see whether they have a quoted phrase. */
const PHRASE_CANDIDATES = 500;

/**
 * The engine of the embedded default. PostgreSQL keeps the documents; their words are indexed in the process that answers, which
 * catches up with the read side before each query.
 */
export class EmbeddedSearch implements SearchEngine {
  private readonly indexes: SpaceIndexes;

  constructor(private readonly db: Queryable) {
    this.indexes = new SpaceIndexes(db);
  }

  async findQuestions(search: QuestionSearch): Promise<PostHit[]> {
    const { spaceId, subjectId, topicId, authorId, isSolved } = search;
    const saved = search.savedBy === undefined ? undefined : await this.savedBy(search.savedBy, spaceId);
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

  private async hits({ text, skip, limit }: PostSearch, found: FoundDocuments): Promise<PostHit[]> {
    const phrases = phrasesOf(text);
    const wanted = phrases.length > 0 ? found.documents : found.documents.slice(skip);
    const texts = await this.textsOf(wanted.map(({ id }) => id));
    const { isMatch } = found;
    const there = wanted.flatMap(({ id }) => texts.get(id) ?? []);
    const fitting =
      phrases.length > 0 ? there.filter((row) => hasAll(row, phrases)).slice(skip, skip + limit) : there;
    return fitting.map(({ document_id, title, body }) => ({
      id: document_id,
      title: highlighted(title, isMatch),
      excerpt: excerptAround(body, isMatch),
    }));
  }

  /** With the question's title for an answer. */
  private async textsOf(ids: readonly string[]): Promise<Map<string, TextRow>> {
    if (ids.length === 0) return new Map();
    const { rows } = await this.db.query<TextRow>({
      name: 'search-texts',
      text: `select d.document_id, coalesce(q.title, '') as title, d.body
             from read.search_documents d left join read.search_documents q on q.document_id = d.question_id
             where d.document_id = any($1::text[]) and not d.is_removed`,
      values: [ids],
    });
    return new Map(rows.map((row) => [row.document_id, row]));
  }

  private async savedBy(studentId: string, spaceId: string): Promise<ReadonlySet<string>> {
    const { rows } = await this.db.query<{ question_id: string }>({
      name: 'search-saved',
      text: 'select question_id from read.bookmarks where student_id = $1 and space_id = $2',
      values: [studentId, spaceId],
    });
    return new Set(rows.map(({ question_id }) => question_id));
  }
}

const windowOf = ({ text, sort, skip, limit }: PostSearch) => ({
  text,
  sort,
  count: phrasesOf(text).length > 0 ? PHRASE_CANDIDATES : skip + limit,
});

const hasAll = ({ title, body }: TextRow, phrases: readonly (readonly string[])[]): boolean => {
  const texts = [title, body].map((text) => ` ${wordsOf(text).join(' ')} `);
  return phrases.every((phrase) => texts.some((text) => text.includes(` ${phrase.join(' ')} `)));
};
