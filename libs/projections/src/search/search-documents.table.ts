import type { EventOf } from '@nimo/domain';
import type { Key, ProjectedEvent, Table } from '../projection.js';
import { plainTextOf } from '../excerpt.js';
import { wordsOf } from './words.js';

/** A post as it is searched. Its place in the space never changes; a removed one keeps its row, so that followers hear of it. */
export type SearchDocumentRow = {
  readonly document_id: string;
  readonly kind: string;
  readonly space_id: string;
  readonly question_id: string;
  /** Null for answers: theirs are their question's. */
  readonly subject_id: string | null;
  readonly topic_id: string | null;
  readonly author_id: string;
  readonly title: string;
  /** Plain text. */
  readonly body: string;
  readonly tags: readonly string[];
  /** Folded words: of the title in their order, of body and tags each once. */
  readonly title_words: string;
  readonly body_words: string;
  readonly tag_words: string;
  readonly created_at: string;
  readonly answer_count: number;
  readonly accepted_answer_id: string | null;
  readonly removed_answers: readonly string[];
  readonly is_removed: boolean;
  /** Ordinals of the last event that changed anything, and of the last one that changed the words. */
  readonly version: number;
  readonly text_version: number;
};

/** Enough for any question; the end of a longer text is not searched. */
const SCANNED_LENGTH = 40_000;
const MOST_WORDS = 3_000;

const uniqueWords = (text: string): string => [...new Set(wordsOf(text))].slice(0, MOST_WORDS).join(' ');

const texts = (title: string, html: string) => {
  const body = plainTextOf(html, SCANNED_LENGTH);
  return { title, body, title_words: wordsOf(title).join(' '), body_words: uniqueWords(body) };
};

function asked(event: ProjectedEvent & { readonly type: 'QuestionAsked' }): SearchDocumentRow {
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
    ...texts(title, body),
    ...newcomer(event),
  };
}

function answered(event: ProjectedEvent & { readonly type: 'AnswerPosted' }): SearchDocumentRow {
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
    ...texts('', body),
    ...newcomer(event),
  };
}

const newcomer = ({ ordinal, metadata }: ProjectedEvent) => ({
  created_at: metadata.occurredAt,
  answer_count: 0,
  accepted_answer_id: null,
  removed_answers: [],
  is_removed: false,
  version: ordinal,
  text_version: ordinal,
});

const NO_TEXTS = { title: '', body: '', tags: [], title_words: '', body_words: '', tag_words: '' };

const removed = (row: SearchDocumentRow): SearchDocumentRow =>
  row.is_removed ? row : { ...row, ...NO_TEXTS, is_removed: true };

/** Takes an answer off its question once, however many ways it was removed. */
function withoutAnswer(row: SearchDocumentRow, answerId: string): SearchDocumentRow {
  if (row.removed_answers.includes(answerId)) return row;
  return {
    ...row,
    answer_count: row.answer_count - 1,
    accepted_answer_id: row.accepted_answer_id === answerId ? null : row.accepted_answer_id,
    removed_answers: [...row.removed_answers, answerId],
  };
}

function afterUpheldReports(
  row: SearchDocumentRow,
  data: EventOf<'ReportsUpheld'>['data'],
): SearchDocumentRow {
  return row.document_id === data.postId ? removed(row) : withoutAnswer(row, data.postId);
}

/** A fact about a post that does not exist is tolerated: it changes nothing. */
function foldKnown(row: SearchDocumentRow, event: ProjectedEvent): SearchDocumentRow {
  switch (event.type) {
    case 'QuestionEdited':
      return row.is_removed ? row : { ...row, ...texts(event.data.title, event.data.body) };
    case 'AnswerEdited':
      return row.is_removed ? row : { ...row, ...texts('', event.data.body) };
    case 'QuestionDeleted':
      return removed(row);
    case 'AnswerPosted':
      return { ...row, answer_count: row.answer_count + 1 };
    case 'AnswerDeleted':
      return row.kind === 'ANSWER' ? removed(row) : withoutAnswer(row, event.data.answerId);
    case 'AnswerAccepted':
      return row.removed_answers.includes(event.data.answerId)
        ? row
        : { ...row, accepted_answer_id: event.data.answerId };
    case 'ReportsUpheld':
      return afterUpheldReports(row, event.data);
    default:
      return row;
  }
}

function versioned(before: SearchDocumentRow, after: SearchDocumentRow, ordinal: number): SearchDocumentRow {
  if (after === before) return before;
  const isTextual = after.title !== before.title || after.body !== before.body || after.is_removed;
  return { ...after, version: ordinal, text_version: isTextual ? ordinal : before.text_version };
}

export const searchDocuments: Table<SearchDocumentRow> = {
  name: 'search_documents',
  columns: {
    document_id: { type: 'text' },
    kind: { type: 'text' },
    space_id: { type: 'text' },
    question_id: { type: 'text' },
    subject_id: { type: 'text', nullable: true },
    topic_id: { type: 'text', nullable: true },
    author_id: { type: 'text' },
    title: { type: 'text' },
    body: { type: 'text' },
    tags: { type: 'text[]' },
    title_words: { type: 'text' },
    body_words: { type: 'text' },
    tag_words: { type: 'text' },
    created_at: { type: 'timestamptz' },
    answer_count: { type: 'integer' },
    accepted_answer_id: { type: 'text', nullable: true },
    removed_answers: { type: 'text[]' },
    is_removed: { type: 'boolean' },
    version: { type: 'bigint' },
    text_version: { type: 'bigint' },
  },
  key: ['document_id'],
  indexes: [
    // Followers read what is newer than what they have: an index in memory that of one space, a shipper all there is.
    'create index search_documents_space_{suffix} on {table} (space_id, kind, version)',
    'create index search_documents_version_{suffix} on {table} (version)',
  ],
  keysOf(event): readonly Key[] {
    switch (event.type) {
      case 'QuestionAsked':
      case 'QuestionEdited':
      case 'QuestionDeleted':
      case 'AnswerAccepted':
        return [[event.data.questionId]];
      case 'AnswerPosted':
      case 'AnswerDeleted':
        return [[event.data.answerId], [event.data.questionId]];
      case 'AnswerEdited':
        return [[event.data.answerId]];
      case 'ReportsUpheld':
        return keysOfUpheld(event.data);
      default:
        return [];
    }
  },
  fold(row, event, [id]) {
    if (event.type === 'QuestionAsked') return asked(event);
    if (event.type === 'AnswerPosted' && event.data.answerId === id) return answered(event);
    return row && versioned(row, foldKnown(row, event), event.ordinal);
  },
};

function keysOfUpheld({ postType, postId, questionId }: EventOf<'ReportsUpheld'>['data']): readonly Key[] {
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
