import type { EventOf } from '@nimo/domain';
import type { Key, ProjectedEvent, Table } from '../projection.js';
import { excerptOf } from '../excerpt.js';
import { cleanHtml } from '../rich-text/sanitise.js';
import { deleted, NOT_REMOVED, type Removal, REMOVAL_COLUMNS, ruledOn } from '../removal.js';

export type QuestionRow = Removal & {
  readonly question_id: string;
  readonly space_id: string;
  readonly subject_id: string;
  readonly topic_id: string;
  readonly author_id: string;
  readonly title: string;
  /** Sanitised HTML, by the rules of `RICH_TEXT_VERSION`. */
  readonly body: string;
  /** Plain text cut from the body, so that lists need not ship bodies. */
  readonly excerpt: string;
  readonly image_urls: readonly string[];
  readonly tags: readonly string[];
  readonly created_at: string;
  readonly edited_at: string | null;
  /** Answers and comments that are not removed. */
  readonly answer_count: number;
  readonly comments_count: number;
  readonly accepted_answer_id: string | null;
  /** The last one accepted, whether or not it is there: one that comes back after an upholding is accepted as before. */
  readonly chosen_answer_id: string | null;
  /** Answers and comments that are off the counts: each may be deleted and upheld, in any order. */
  readonly deleted_children: readonly string[];
  readonly upheld_children: readonly string[];
};

type Counter = 'answer_count' | 'comments_count';
type Removals = Pick<QuestionRow, 'deleted_children' | 'upheld_children'>;

const isChildRemoved = (row: Removals, childId: string): boolean =>
  row.deleted_children.includes(childId) || row.upheld_children.includes(childId);

/** A child is counted as long as it is neither deleted nor upheld, however it came to that. */
function withRemovals(
  row: QuestionRow,
  childId: string,
  counter: Counter,
  removals: Partial<Removals>,
): QuestionRow {
  const after = { ...row, ...removals };
  const step = Number(isChildRemoved(row, childId)) - Number(isChildRemoved(after, childId));
  return accepted({ ...after, [counter]: row[counter] + step });
}

/** The chosen answer is the accepted one while it is there. */
const accepted = (row: QuestionRow): QuestionRow => {
  const { chosen_answer_id: chosen } = row;
  return { ...row, accepted_answer_id: chosen !== null && isChildRemoved(row, chosen) ? null : chosen };
};

const withoutChild = (row: QuestionRow, childId: string, counter: Counter): QuestionRow =>
  row.deleted_children.includes(childId)
    ? row
    : withRemovals(row, childId, counter, { deleted_children: [...row.deleted_children, childId] });

const withUpheldChild = (row: QuestionRow, childId: string, counter: Counter, isUpheld: boolean) => {
  if (row.upheld_children.includes(childId) === isUpheld) return row;
  const others = row.upheld_children.filter((id) => id !== childId);
  return withRemovals(row, childId, counter, { upheld_children: isUpheld ? [...others, childId] : others });
};

function afterRuling(
  row: QuestionRow,
  { postType, postId }: EventOf<'ReportsUpheld'>['data'],
  isUpheld: boolean,
): QuestionRow {
  switch (postType) {
    case 'QUESTION':
      return ruledOn(row, isUpheld);
    case 'ANSWER':
      return withUpheldChild(row, postId, 'answer_count', isUpheld);
    case 'QUESTION_COMMENT':
      return withUpheldChild(row, postId, 'comments_count', isUpheld);
    case 'COMMENT':
      return row;
  }
}

function described(html: string): Pick<QuestionRow, 'body' | 'excerpt'> {
  const body = cleanHtml(html);
  return { body, excerpt: excerptOf(body) };
}

const asked = (data: EventOf<'QuestionAsked'>['data'], createdAt: string): QuestionRow => ({
  question_id: data.questionId,
  space_id: data.spaceId,
  subject_id: data.subjectId,
  topic_id: data.topicId,
  author_id: data.authorId,
  title: data.title,
  ...described(data.body),
  image_urls: data.imageUrls,
  tags: data.tags,
  created_at: createdAt,
  edited_at: null,
  answer_count: 0,
  comments_count: 0,
  accepted_answer_id: null,
  chosen_answer_id: null,
  ...NOT_REMOVED,
  deleted_children: [],
  upheld_children: [],
});

const edited = (
  row: QuestionRow,
  data: EventOf<'QuestionEdited'>['data'],
  editedAt: string,
): QuestionRow => ({
  ...row,
  title: data.title,
  ...described(data.body),
  image_urls: data.imageUrls,
  edited_at: editedAt,
});

/** A fact about a question that does not exist is tolerated: it changes nothing. */
function foldKnown(row: QuestionRow, event: ProjectedEvent): QuestionRow {
  switch (event.type) {
    case 'QuestionEdited':
      return edited(row, event.data, event.metadata.occurredAt);
    case 'QuestionDeleted':
      return deleted(row);
    case 'AnswerAccepted':
      // The answer may have been removed a moment before: then the question is unsolved.
      return accepted({ ...row, chosen_answer_id: event.data.answerId });
    case 'AnswerPosted':
      return { ...row, answer_count: row.answer_count + 1 };
    case 'AnswerDeleted':
      return withoutChild(row, event.data.answerId, 'answer_count');
    case 'CommentPosted':
      return { ...row, comments_count: row.comments_count + 1 };
    case 'CommentDeleted':
      return withoutChild(row, event.data.commentId, 'comments_count');
    case 'ReportsUpheld':
      return afterRuling(row, event.data, true);
    case 'UpholdingReversed':
      return afterRuling(row, event.data, false);
    default:
      return row;
  }
}

export const questions: Table<QuestionRow> = {
  name: 'questions',
  columns: {
    question_id: { type: 'text' },
    space_id: { type: 'text' },
    subject_id: { type: 'text' },
    topic_id: { type: 'text' },
    author_id: { type: 'text' },
    title: { type: 'text' },
    body: { type: 'text' },
    excerpt: { type: 'text' },
    image_urls: { type: 'text[]' },
    tags: { type: 'text[]' },
    created_at: { type: 'timestamptz' },
    edited_at: { type: 'timestamptz', nullable: true },
    answer_count: { type: 'integer' },
    comments_count: { type: 'integer' },
    accepted_answer_id: { type: 'text', nullable: true },
    chosen_answer_id: { type: 'text', nullable: true },
    ...REMOVAL_COLUMNS,
    deleted_children: { type: 'text[]' },
    upheld_children: { type: 'text[]' },
  },
  key: ['question_id'],
  indexes: [
    `create index questions_new_{suffix} on {table} (space_id, created_at desc, question_id desc)
       where not is_removed`,
    `create index questions_subject_new_{suffix} on {table} (space_id, subject_id, created_at desc, question_id desc)
       where not is_removed`,
    `create index questions_topic_new_{suffix} on {table} (space_id, topic_id, created_at desc, question_id desc)
       where not is_removed`,
    `create index questions_unsolved_{suffix} on {table} (space_id, created_at desc, question_id desc)
       where not is_removed and accepted_answer_id is null`,
    `create index questions_solved_{suffix} on {table} (space_id, created_at desc, question_id desc)
       where not is_removed and accepted_answer_id is not null`,
    `create index questions_answered_{suffix} on {table} (space_id, answer_count desc, created_at desc, question_id desc)
       where not is_removed`,
    `create index questions_subject_answered_{suffix} on {table}
       (space_id, subject_id, answer_count desc, created_at desc, question_id desc) where not is_removed`,
    `create index questions_author_{suffix} on {table} (author_id, space_id, created_at desc, question_id desc)
       where not is_removed`,
  ],
  keysOf(event): readonly Key[] {
    switch (event.type) {
      case 'QuestionAsked':
      case 'QuestionEdited':
      case 'QuestionDeleted':
      case 'AnswerAccepted':
      case 'AnswerPosted':
      case 'AnswerDeleted':
        return [[event.data.questionId]];
      case 'CommentPosted':
      case 'CommentDeleted':
        return event.data.parentType === 'QUESTION' ? [[event.data.questionId]] : [];
      case 'ReportsUpheld':
      case 'UpholdingReversed':
        return event.data.postType === 'COMMENT' ? [] : [[event.data.questionId]];
      default:
        return [];
    }
  },
  fold(row, event) {
    if (event.type === 'QuestionAsked') return asked(event.data, event.metadata.occurredAt);
    return row && foldKnown(row, event);
  },
};
