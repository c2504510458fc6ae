import { type Queryable, wordsOf } from '@nimo/projections';
import type { VersionedRow, RowBatch, Source } from './synced-index.js';
import type { DocumentAttributes } from './word-store.js';

interface DocumentRow extends VersionedRow {
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

interface NameRow extends VersionedRow {
  readonly name_id: string;
  readonly space_ids: readonly string[];
  readonly subject_id: string | null;
  readonly name: string;
  readonly is_findable: boolean;
}

const attributesOf = (row: DocumentRow): DocumentAttributes => ({
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
 * Reads rows and their generation in one statement. Sorts by the stored column, which is indexed; sorting by the cast value would read all
 * rows for each page.
 */
const withGeneration = (rows: string): string =>
  `select live.generation, newer.* from
     (select generation from read.projection_generations where name = 'search' and status = 'live') live
     left join lateral (${rows}) newer on true order by newer.version`;

type WithGeneration<Row> = Row & { readonly generation: number };

/** Without rows, the left join yields a single row of nulls. */
const toRowBatch = <Row extends VersionedRow>(rows: readonly WithGeneration<Row>[]): RowBatch<Row> => ({
  generation: rows[0]?.generation,
  rows: rows.length === 1 && (rows[0]?.version ?? null) === null ? [] : rows,
});

/** Versions are cast, because bigint arrives as text. A double holds every version and timestamp exactly. */
export const postSource = (kind: 'QUESTION' | 'ANSWER'): Source<DocumentRow> => ({
  async read(db: Queryable, spaceId, after, limit) {
    const { rows } = await db.query<WithGeneration<DocumentRow>>({
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
    return toRowBatch(rows);
  },
  apply(index, row) {
    if (row.is_removed) index.remove(row.document_id);
    else
      index.put(attributesOf(row), () => ({
        title: row.title_words,
        body: row.body_words,
        tags: row.tag_words,
      }));
  },
});

const NAME_ROWS =
  'select name_id, space_ids, subject_id, name, is_findable, version::float8 from read.search_names n';

/** The newer row of a person who left no longer lists the space, so newer rows of all spaces are read. The initial load covers one space. */
export const nameSource = (kind: 'TOPIC' | 'PERSON'): Required<Source<NameRow>> => ({
  async read(db: Queryable, _spaceId, after, limit) {
    const { rows } = await db.query<WithGeneration<NameRow>>({
      name: `search-names-${kind}`,
      text: withGeneration(
        `${NAME_ROWS} where kind = '${kind}' and version > $1 order by n.version limit $2`,
      ),
      values: [after, limit],
    });
    return toRowBatch(rows);
  },
  initial: {
    async head(db: Queryable) {
      const { rows } = await db.query<{ head: number | null }>({
        name: `search-names-head-${kind}`,
        text: `select max(version)::float8 as head from read.search_names where kind = '${kind}'`,
      });
      return rows[0]?.head ?? 0;
    },
    async read(db: Queryable, spaceId, after, limit) {
      const { rows } = await db.query<WithGeneration<NameRow>>({
        text: withGeneration(
          `${NAME_ROWS} where kind = '${kind}' and space_ids @> array[$1::text] and version > $2
           order by n.version limit $3`,
        ),
        values: [spaceId, after, limit],
      });
      return toRowBatch(rows);
    },
  },
  apply(index, row, spaceId) {
    if (!row.is_findable || !row.space_ids.includes(spaceId)) {
      index.remove(row.name_id);
      return;
    }
    const attributes = {
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
    index.put(attributes, () => ({ title: wordsOf(row.name).join(' '), body: '', tags: '' }));
  },
});

/** Whether there are any documents to index. */
export async function hasSearchDocuments(db: Queryable): Promise<boolean> {
  const { rows } = await db.query<{ has: boolean }>({
    name: 'search-has-documents',
    text: 'select exists (select from read.search_documents) as has',
  });
  return rows[0]?.has ?? false;
}
