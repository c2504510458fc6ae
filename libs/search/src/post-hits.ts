import type { TimeSlice } from '@nimo/projection-engine';
import { editsAllowed, editsBetween, type Queryable, wordsInOrder } from '@nimo/projections';
import { excerptAround, highlighted, type IsMatch, type Marks } from './highlight.js';
import { phrasesOf, queryTextWords } from './query-text.js';
import type { PostHit, PostSearch, Slice } from './search-engine.js';

/** What an engine found: the document and which of its words the query found. */
export interface FoundPost {
  readonly id: string;
  readonly isMatch: IsMatch;
}

interface TextRow {
  document_id: string;
  title: string;
  body: string;
}

/** How many of the best are read to see whether they have a quoted phrase. */
const PHRASE_CANDIDATES = 500;
/** Of the longest texts, a megabyte or so. */
export const READ_AT_ONCE = 20;

/** Which of the best an engine has to find: those asked for, or enough to look for a phrase in. */
export const candidatesOf = ({ text, skip, limit }: PostSearch): Slice =>
  phrasesOf(text).length > 0 ? { skip: 0, limit: PHRASE_CANDIDATES } : { skip, limit };

/**
 * The candidates as they are shown, without those that are gone or lack a quoted phrase; same for every engine.
 * @param slice shared with other work on this thread
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
  // Without a phrase the engine has found what was asked for and no more.
  const [first, last] = phrases.length > 0 ? [skip, skip + limit] : [0, candidates.length];
  const hits: PostHit[] = [];
  let matching = 0;
  for await (const { row, isMatch } of readInOrder(db, candidates)) {
    if (slice.isOver) await slice.yield();
    if (!hasAll(row, phrases)) continue;
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

/** Texts that have a word as it was typed need no other in its place: "bring" is no "spring" there, while "springs" is. */
function withoutNeedlessTypos(isMatch: IsMatch, typed: readonly string[], { title, body }: TextRow): IsMatch {
  const written = [...new Set([title, body].flatMap(wordsInOrder))];
  const absent = new Set(typed.filter((one) => !written.some((word) => word.startsWith(one))));
  return (word) => {
    if (!isMatch(word)) return false;
    const near = typed.filter((one) => editsBetween(word, one, editsAllowed(one)) !== undefined);
    return near.length === 0 || near.some((one) => absent.has(one)) || typed.some(isFormOf(word));
  };
}

/** Two letters begin and end too many words. */
const isFormOf = (word: string) => (typed: string) =>
  word === typed ||
  (typed.length > 2 && (word.startsWith(typed) || word.endsWith(typed) || typed.startsWith(word)));

/** Those that are still there, read as far as they are asked for. */
async function* readInOrder(
  db: Queryable,
  candidates: readonly FoundPost[],
): AsyncGenerator<{ readonly row: TextRow; readonly isMatch: IsMatch }> {
  for (let start = 0; start < candidates.length; start += READ_AT_ONCE) {
    const some = candidates.slice(start, start + READ_AT_ONCE);
    const texts = await textsOf(
      db,
      some.map(({ id }) => id),
    );
    for (const { id, isMatch } of some) {
      const row = texts.get(id);
      if (row) yield { row, isMatch };
    }
  }
}

/** With the question's title for an answer. */
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

function hasAll({ title, body }: TextRow, phrases: readonly (readonly string[])[]): boolean {
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
