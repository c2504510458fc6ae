import type { TimeSlice } from '@nimo/projection-engine';
import { editsAllowed, editsBetween, type Queryable, wordsInOrder } from '@nimo/projections';
import { excerptAround, highlighted, type IsMatch, type Marks } from './highlight.js';
import { phrasesOf, queryTextWords } from './query-text.js';
import type { PostHit, PostSearch, Slice } from './search-engine.js';

/** A candidate post from an engine. */
export interface FoundPost {
  readonly id: string;
  /** Whether the query matched this word. */
  readonly isMatch: IsMatch;
}

interface TextRow {
  document_id: string;
  title: string;
  body: string;
}

/** Maximum number of top candidates checked for a quoted phrase. */
const PHRASE_CANDIDATES = 500;
/** About a megabyte if every text has the maximum length. */
export const READ_BATCH_SIZE = 20;

/** The slice of results that an engine must return: the requested page, or enough candidates to check for phrases. */
export const candidatesOf = ({ text, skip, limit }: PostSearch): Slice =>
  phrasesOf(text).length > 0 ? { skip: 0, limit: PHRASE_CANDIDATES } : { skip, limit };

/**
 * Reads and highlights the candidates. Skips removed posts and posts without the quoted phrases.
 * @param slice time slice shared with other work on this thread
 */
export async function postHits(
  db: Queryable,
  { text, skip, limit }: PostSearch,
  candidates: readonly FoundPost[],
  slice: Pick<TimeSlice, 'isOver' | 'yield'>,
): Promise<PostHit[]> {
  const phrases = phrasesOf(text);
  const queryWords = queryTextWords(text);
  const runs = queryWords.flatMap(({ forms }) => forms);
  const typed = queryWords.filter(({ forms }) => forms.length === 0).map(({ word }) => word);
  // Without a phrase, the candidates are already the requested page.
  const [first, last] = phrases.length > 0 ? [skip, skip + limit] : [0, candidates.length];
  const hits: PostHit[] = [];
  let matching = 0;
  for await (const { row, isMatch } of readInOrder(db, candidates)) {
    if (slice.isOver) await slice.yield();
    if (!hasPhrases(row, phrases)) continue;
    matching += 1;
    if (matching > first) hits.push(hitOf(row, { isMatch: withoutNeedlessTypos(isMatch, typed, row), runs }));
    if (matching >= last) break;
  }
  return hits;
}

const hitOf = ({ document_id, title, body }: TextRow, marks: Marks): PostHit => ({
  id: document_id,
  title: highlighted(title, marks),
  excerpt: excerptAround(body, marks),
});

/** If a text contains a word exactly as typed, typo variants are not marked: with "spring", "bring" is not, but "springs" is. */
function withoutNeedlessTypos(isMatch: IsMatch, typed: readonly string[], { title, body }: TextRow): IsMatch {
  const written = [...new Set([title, body].flatMap(wordsInOrder))];
  const absent = new Set(typed.filter((one) => !written.some((word) => word.startsWith(one))));
  return (word) => {
    if (!isMatch(word)) return false;
    const near = typed.filter((one) => editsBetween(word, one, editsAllowed(one)) !== undefined);
    return near.length === 0 || near.some((one) => absent.has(one)) || typed.some(isFormOf(word));
  };
}

/** Words of one or two letters start or end too many others. */
const isFormOf = (word: string) => (typed: string) =>
  word === typed ||
  (typed.length > 2 && (word.startsWith(typed) || word.endsWith(typed) || typed.startsWith(word)));

/** Reads the candidates that still exist, in batches on demand. */
async function* readInOrder(
  db: Queryable,
  candidates: readonly FoundPost[],
): AsyncGenerator<{ readonly row: TextRow; readonly isMatch: IsMatch }> {
  for (let start = 0; start < candidates.length; start += READ_BATCH_SIZE) {
    const batch = candidates.slice(start, start + READ_BATCH_SIZE);
    const texts = await textsOf(
      db,
      batch.map(({ id }) => id),
    );
    for (const { id, isMatch } of batch) {
      const row = texts.get(id);
      if (row) yield { row, isMatch };
    }
  }
}

/** For an answer, with the title of its question. */
async function textsOf(db: Queryable, ids: readonly string[]): Promise<Map<string, TextRow>> {
  const { rows } = await db.query<TextRow>({
    name: 'search-texts',
    text: `select d.document_id, coalesce(q.title, '') as title, d.body
           from read.search_documents d left join read.search_documents q on q.document_id = d.question_id
           where d.document_id = any($1::text[]) and not d.is_removed`,
    values: [ids],
  });
  return new Map(rows.map((row) => [row.document_id, row]));
}

function hasPhrases({ title, body }: TextRow, phrases: readonly (readonly string[])[]): boolean {
  if (phrases.length === 0) return true;
  const texts = [title, body].map((text) => ` ${wordsInOrder(text).join(' ')} `);
  return phrases.every((phrase) => texts.some((text) => text.includes(` ${phrase.join(' ')} `)));
}

/** Ids of the questions in the space that the student saved. */
export async function savedQuestionsOf(
  db: Queryable,
  studentId: string,
  spaceId: string,
): Promise<ReadonlySet<string>> {
  const { rows } = await db.query<{ question_id: string }>({
    name: 'search-saved',
    text: 'select question_id from read.bookmarks where student_id = $1 and space_id = $2',
    values: [studentId, spaceId],
  });
  return new Set(rows.map(({ question_id }) => question_id));
}
