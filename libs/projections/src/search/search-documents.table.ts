import type { EventOf } from '@nimo/domain';
import {
  type Columns,
  typedColumn,
  type Key,
  type Projected,
  type ProjectedEvent,
  type RowOf,
  type Table,
} from '../projection.js';
import { markDeleted, NOT_REMOVED, REMOVAL_COLUMNS, withRuling } from '../removal.js';
import { markedTextOf, withoutFormulaMarks } from '@nimo/rich-text';
import { wordsOf } from './words.js';

type Texts = {
  readonly title: string;
  readonly body: string;
  readonly tags: readonly string[];
  readonly title_words: string;
  readonly body_words: string;
  readonly tag_words: string;
};

const COLUMNS = {
  document_id: { type: 'text' },
  kind: { type: 'text' },
  space_id: { type: 'text' },
  question_id: { type: 'text' },
  /** Null for answers, which use those of the question. */
  subject_id: { type: 'text', nullable: true },
  topic_id: { type: 'text', nullable: true },
  author_id: { type: 'text' },
  title: { type: 'text' },
  /** Text with formula marks, see `markedTextOf`. */
  body: { type: 'text' },
  tags: { type: 'text[]' },
  /** Folded words, in order for the title, deduplicated for body and tags. */
  title_words: { type: 'text' },
  body_words: { type: 'text' },
  tag_words: { type: 'text' },
  created_at: { type: 'timestamptz' },
  answer_count: { type: 'integer' },
  accepted_answer_id: { type: 'text', nullable: true },
  chosen_answer_id: { type: 'text', nullable: true },
  deleted_answers: { type: 'text[]' },
  upheld_answers: { type: 'text[]' },
  /** Texts of a post removed after reports, kept for a reversal. Not searchable. */
  withheld: { ...typedColumn<Texts>('jsonb'), nullable: true },
  ...REMOVAL_COLUMNS,
  /** Ordinals of the last event that changed the row, and of the last event that changed its words. */
  version: { type: 'bigint' },
  text_version: { type: 'bigint' },
} as const satisfies Columns;

/** A searchable post. A removed post keeps its row, so that followers notice the removal. */
export type SearchDocumentRow = RowOf<typeof COLUMNS>;

/** Longer texts are only searchable up to this length. Enough for any question, even in scripts that index every letter. */
const SCANNED_LENGTH = 40_000;
const MAX_WORDS = 10_000;

const uniqueWords = (text: string): string => [...new Set(wordsOf(text))].slice(0, MAX_WORDS).join(' ');

const textColumns = (title: string, html: string) => {
  const body = markedTextOf(html, SCANNED_LENGTH);
  // Without marks, most texts with formulas take the fast path for ASCII.
  const words = uniqueWords(withoutFormulaMarks(body));
  return { title, body, title_words: wordsOf(title).join(' '), body_words: words };
};

function asked(event: Projected<'QuestionAsked'>): SearchDocumentRow {
  const { questionId, spaceId, subjectId, topicId, authorId, title, body, tags } = event.data;
  return {
    document_id: questionId,
    kind: 'QUESTION',
    space_id: spaceId,
    question_id: questionId,
    subject_id: subjectId,
    topic_id: topicId,
    author_id: authorId,
    tags,
    tag_words: uniqueWords(tags.join(' ')),
    ...textColumns(title, body),
    ...newDocument(event),
  };
}

function answered(event: Projected<'AnswerPosted'>): SearchDocumentRow {
  const { answerId, questionId, spaceId, authorId, body } = event.data;
  return {
    document_id: answerId,
    kind: 'ANSWER',
    space_id: spaceId,
    question_id: questionId,
    subject_id: null,
    topic_id: null,
    author_id: authorId,
    tags: [],
    tag_words: '',
    ...textColumns('', body),
    ...newDocument(event),
  };
}

const newDocument = ({ ordinal, metadata }: ProjectedEvent) => ({
  created_at: metadata.occurredAt,
  answer_count: 0,
  accepted_answer_id: null,
  chosen_answer_id: null,
  deleted_answers: [],
  upheld_answers: [],
  withheld: null,
  ...NOT_REMOVED,
  version: ordinal,
  text_version: ordinal,
});

const NO_TEXTS: Texts = { title: '', body: '', tags: [], title_words: '', body_words: '', tag_words: '' };

const textsOf = ({ title, body, tags, title_words, body_words, tag_words }: Texts): Texts => ({
  title,
  body,
  tags,
  title_words,
  body_words,
  tag_words,
});

const afterDeletion = (row: SearchDocumentRow): SearchDocumentRow =>
  row.is_deleted ? row : { ...markDeleted(row), ...NO_TEXTS, withheld: null };

function withhold(row: SearchDocumentRow): SearchDocumentRow {
  if (row.is_upheld) return row;
  const textChanges = row.is_deleted ? {} : { ...NO_TEXTS, withheld: textsOf(row) };
  return { ...withRuling(row, true), ...textChanges };
}

function restore(row: SearchDocumentRow): SearchDocumentRow {
  return row.is_upheld ? { ...withRuling(row, false), ...row.withheld, withheld: null } : row;
}

/** Applies an edit, which may race with a removal. Deleted posts keep no texts. */
function edited(row: SearchDocumentRow, changed: Partial<Texts>): SearchDocumentRow {
  if (row.is_deleted) return row;
  return row.withheld ? { ...row, withheld: { ...row.withheld, ...changed } } : { ...row, ...changed };
}

type Removals = Pick<SearchDocumentRow, 'deleted_answers' | 'upheld_answers'>;

const isAnswerRemoved = (row: Removals, answerId: string): boolean =>
  row.deleted_answers.includes(answerId) || row.upheld_answers.includes(answerId);

/** The chosen answer is the accepted answer unless removed. */
const accepted = (row: SearchDocumentRow): SearchDocumentRow => {
  const { chosen_answer_id: chosen } = row;
  return { ...row, accepted_answer_id: chosen !== null && isAnswerRemoved(row, chosen) ? null : chosen };
};

/** Counts an answer while it is neither deleted nor upheld, in whichever order that happened. */
function withRemovals(
  row: SearchDocumentRow,
  answerId: string,
  removals: Partial<Removals>,
): SearchDocumentRow {
  const after = { ...row, ...removals };
  const step = Number(isAnswerRemoved(row, answerId)) - Number(isAnswerRemoved(after, answerId));
  return accepted({ ...after, answer_count: row.answer_count + step });
}

const withoutAnswer = (row: SearchDocumentRow, answerId: string): SearchDocumentRow =>
  row.deleted_answers.includes(answerId)
    ? row
    : withRemovals(row, answerId, { deleted_answers: [...row.deleted_answers, answerId] });

function withUpheldAnswer(row: SearchDocumentRow, answerId: string, isUpheld: boolean): SearchDocumentRow {
  if (row.upheld_answers.includes(answerId) === isUpheld) return row;
  const others = row.upheld_answers.filter((id) => id !== answerId);
  return withRemovals(row, answerId, { upheld_answers: isUpheld ? [...others, answerId] : others });
}

function afterRuling(
  row: SearchDocumentRow,
  { postId }: EventOf<'ReportsUpheld'>['data'],
  isUpheld: boolean,
): SearchDocumentRow {
  if (row.document_id !== postId) return withUpheldAnswer(row, postId, isUpheld);
  return isUpheld ? withhold(row) : restore(row);
}

function versioned(before: SearchDocumentRow, after: SearchDocumentRow, ordinal: number): SearchDocumentRow {
  if (after === before) return before;
  const isTextual = after.title !== before.title || after.body !== before.body || after.is_removed;
  return { ...after, version: ordinal, text_version: isTextual ? ordinal : before.text_version };
}

type OfQuestion = { readonly data: { readonly questionId: string } };
type OfAnswer = { readonly data: { readonly answerId: string; readonly questionId: string } };
type Ruling = Projected<'ReportsUpheld' | 'UpholdingReversed'>;

const ofQuestion = ({ data }: OfQuestion): readonly Key[] => [[data.questionId]];
/** Rows of the answer and of its question. */
const ofAnswerAndQuestion = ({ data }: OfAnswer): readonly Key[] => [[data.answerId], [data.questionId]];

function ofRuling({ data: { postType, postId, questionId } }: Ruling): readonly Key[] {
  switch (postType) {
    case 'QUESTION':
      return [[questionId]];
    case 'ANSWER':
      return [[postId], [questionId]];
    case 'COMMENT':
    case 'QUESTION_COMMENT':
      return [];
  }
}

/** Always sets a new version. Earlier edits read as empty after the erasure, so a comparison would miss the change. */
const withoutWords = (row: SearchDocumentRow, { ordinal }: ProjectedEvent): SearchDocumentRow => ({
  ...row,
  ...NO_TEXTS,
  withheld: row.withheld && NO_TEXTS,
  version: ordinal,
  text_version: ordinal,
});

/** Gives a changed row a new version. */
const revised =
  <E extends ProjectedEvent>(changed: (row: SearchDocumentRow, event: E) => SearchDocumentRow) =>
  (row: SearchDocumentRow, event: E): SearchDocumentRow =>
    versioned(row, changed(row, event), event.ordinal);

export const searchDocuments: Table<SearchDocumentRow> = {
  name: 'search_documents',
  columns: COLUMNS,
  key: ['document_id'],
  indexes: [
    // Followers read newer versions: an in-memory index for one space, a shipper for all of them.
    'create index search_documents_space_{suffix} on {table} (space_id, kind, version)',
    'create index search_documents_version_{suffix} on {table} (version)',
  ],
  on: {
    QuestionAsked: { keys: ofQuestion, fold: (_, event) => asked(event) },
    QuestionEdited: {
      keys: ofQuestion,
      change: revised((row, { data }) => edited(row, textColumns(data.title, data.body))),
    },
    QuestionDeleted: { keys: ofQuestion, change: revised(afterDeletion) },
    QuestionWordsErased: { keys: ofQuestion, change: withoutWords },
    AnswerWordsErased: { keys: ({ data }) => [[data.answerId]], change: withoutWords },
    AnswerPosted: {
      keys: ofAnswerAndQuestion,
      fold(row, event, [id]) {
        if (event.data.answerId === id) return answered(event);
        return row && versioned(row, { ...row, answer_count: row.answer_count + 1 }, event.ordinal);
      },
    },
    AnswerEdited: {
      keys: ({ data }) => [[data.answerId]],
      change: revised((row, { data }) => edited(row, textColumns('', data.body))),
    },
    AnswerDeleted: {
      keys: ofAnswerAndQuestion,
      change: revised((row, { data }) =>
        row.kind === 'ANSWER' ? afterDeletion(row) : withoutAnswer(row, data.answerId),
      ),
    },
    AnswerAccepted: {
      keys: ofQuestion,
      change: revised((row, { data }) => accepted({ ...row, chosen_answer_id: data.answerId })),
    },
    ReportsUpheld: { keys: ofRuling, change: revised((row, { data }) => afterRuling(row, data, true)) },
    UpholdingReversed: { keys: ofRuling, change: revised((row, { data }) => afterRuling(row, data, false)) },
  },
};
