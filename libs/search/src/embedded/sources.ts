import { type Queryable, wordsOf } from '@nimo/projections';
import type { FollowedRow, FollowedRows, Source } from './followed-index.js';
import type { DocumentFacts } from './word-store.js';

interface DocumentRow extends FollowedRow {
  readonly document_id: string;
  readonly question_id: string;
  readonly subject_id: string | null;
  readonly topic_id: string | null;
  readonly author_id: string;
  readonly title_words: string;
  readonly body_words: string;
  readonly tag_words: string;
  readonly created_at: number;
  readonly answer_count: number;
  readonly is_solved: boolean;
  readonly is_removed: boolean;
  readonly text_version: number;
}

interface NameRow extends FollowedRow {
  readonly name_id: string;
  readonly space_ids: readonly string[];
  readonly subject_id: string | null;
  readonly name: string;
  readonly is_findable: boolean;
}

const factsOf = (row: DocumentRow): DocumentFacts => ({
  id: row.document_id,
  questionId: row.question_id,
  subjectId: row.subject_id,
  topicId: row.topic_id,
  authorId: row.author_id,
  createdAt: row.created_at,
  answerCount: row.answer_count,
  isSolved: row.is_solved,
  textVersion: row.text_version,
});

/**
 * The rows beside their generation, which one statement sees together. They are ordered by the column as it is stored, by which the index has them: the
 * one that is told is a double, and sorting by it means reading all rows for each page.
 */
const withGeneration = (rows: string): string =>
  `select live.generation, newer.* from
     (select generation from read.projection_generations where name = 'search' and status = 'live') live
     left join lateral (${rows}) newer on true order by newer.version`;

type Beside<Row> = Row & { readonly generation: number };

/** Where there is no row, there is one of nulls beside the generation. */
const followed = <Row extends FollowedRow>(rows: readonly Beside<Row>[]): FollowedRows<Row> => ({
  generation: rows[0]?.generation,
  rows: rows.length === 1 && (rows[0]?.version ?? null) === null ? [] : rows,
});

/** bigint arrives as text; a double holds every version and every moment exactly. */
export const postSource = (kind: 'QUESTION' | 'ANSWER'): Source<DocumentRow> => ({
  async read(db: Queryable, spaceId, after, limit) {
    const { rows } = await db.query<Beside<DocumentRow>>({
      name: `search-newer-${kind}`,
      text: withGeneration(
        `select document_id, question_id, subject_id, topic_id, author_id, title_words, body_words, tag_words,
           (extract(epoch from created_at) * 1000)::float8 as created_at, answer_count,
           accepted_answer_id is not null as is_solved, is_removed, version::float8, text_version::float8
         from read.search_documents d
         where space_id = $1 and kind = '${kind}' and version > $2 order by d.version limit $3`,
      ),
      values: [spaceId, after, limit],
    });
    return followed(rows);
  },
  take(index, row) {
    if (row.is_removed) index.remove(row.document_id);
    else
      index.put(factsOf(row), () => ({
        title: row.title_words,
        body: row.body_words,
        tags: row.tag_words,
      }));
  },
});

const NAME_ROWS =
  'select name_id, space_ids, subject_id, name, is_findable, version::float8 from read.search_names n';

/** A person who left is told of by a newer row like any other, so that what is newer is read of all spaces; what was there before, of one. */
export const nameSource = (kind: 'TOPIC' | 'PERSON'): Required<Source<NameRow>> => ({
  async read(db: Queryable, _spaceId, after, limit) {
    const { rows } = await db.query<Beside<NameRow>>({
      name: `search-names-${kind}`,
      text: withGeneration(
        `${NAME_ROWS} where kind = '${kind}' and version > $1 order by n.version limit $2`,
      ),
      values: [after, limit],
    });
    return followed(rows);
  },
  first: {
    async head(db: Queryable) {
      const { rows } = await db.query<{ head: number | null }>({
        name: `search-names-head-${kind}`,
        text: `select max(version)::float8 as head from read.search_names where kind = '${kind}'`,
      });
      return rows[0]?.head ?? 0;
    },
    async read(db: Queryable, spaceId, after, limit) {
      const { rows } = await db.query<Beside<NameRow>>({
        text: withGeneration(
          `${NAME_ROWS} where kind = '${kind}' and space_ids @> array[$1::text] and version > $2
           order by n.version limit $3`,
        ),
        values: [spaceId, after, limit],
      });
      return followed(rows);
    },
  },
  take(index, row, spaceId) {
    if (!row.is_findable || !row.space_ids.includes(spaceId)) {
      index.remove(row.name_id);
      return;
    }
    const facts = {
      id: row.name_id,
      questionId: '',
      subjectId: row.subject_id,
      topicId: null,
      authorId: '',
      createdAt: 0,
      answerCount: 0,
      isSolved: false,
      textVersion: row.version,
    };
    index.put(facts, () => ({ title: wordsOf(row.name).join(' '), body: '', tags: '' }));
  },
});

/** Whether there is anything that an index would hold. */
export async function hasSearchDocuments(db: Queryable): Promise<boolean> {
  const { rows } = await db.query<{ has: boolean }>({
    name: 'search-has-documents',
    text: 'select exists (select from read.search_documents) as has',
  });
  return rows[0]?.has ?? false;
}
