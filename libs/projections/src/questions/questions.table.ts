import type { EventOf } from '@nimo/domain';
import type { Columns, Key, Projected, RowOf, Table } from '../projection.js';
import { cleanHtml, excerptOf } from '@nimo/rich-text';
import { markDeleted, NOT_REMOVED, REMOVAL_COLUMNS, withRuling } from '../removal.js';

const COLUMNS = {
  question_id: { type: 'text' },
  space_id: { type: 'text' },
  subject_id: { type: 'text' },
  topic_id: { type: 'text' },
  author_id: { type: 'text' },
  title: { type: 'text' },
  /** HTML, sanitised according to `RICH_TEXT_VERSION`. */
  body: { type: 'text' },
  /** Plain text cut from the body, so that lists need no bodies. */
  excerpt: { type: 'text' },
  image_urls: { type: 'text[]' },
  tags: { type: 'text[]' },
  created_at: { type: 'timestamptz' },
  edited_at: { type: 'timestamptz', nullable: true },
  /** Answers and comments that are not removed. */
  answer_count: { type: 'integer' },
  comments_count: { type: 'integer' },
  accepted_answer_id: { type: 'text', nullable: true },
  /** The last accepted answer, even if removed. It is accepted again when the removal is reversed. */
  chosen_answer_id: { type: 'text', nullable: true },
  ...REMOVAL_COLUMNS,
  /** Answers and comments no longer counted. Each may be deleted and upheld, in any order. */
  deleted_children: { type: 'text[]' },
  upheld_children: { type: 'text[]' },
} as const satisfies Columns;

export type QuestionRow = RowOf<typeof COLUMNS>;

type Counter = 'answer_count' | 'comments_count';
type Removals = Pick<QuestionRow, 'deleted_children' | 'upheld_children'>;

const isChildRemoved = (row: Removals, childId: string): boolean =>
  row.deleted_children.includes(childId) || row.upheld_children.includes(childId);

/** Counts a child while it is neither deleted nor upheld, in whichever order that happened. */
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

/** The chosen answer is the accepted answer unless removed. */
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
      return withRuling(row, isUpheld);
    case 'ANSWER':
      return withUpheldChild(row, postId, 'answer_count', isUpheld);
    case 'QUESTION_COMMENT':
      return withUpheldChild(row, postId, 'comments_count', isUpheld);
    case 'COMMENT':
      return row;
  }
}

function bodyColumns(html: string): Pick<QuestionRow, 'body' | 'excerpt'> {
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
  ...bodyColumns(data.body),
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
  ...bodyColumns(data.body),
  image_urls: data.imageUrls,
  edited_at: editedAt,
});

type OfQuestion = { readonly data: { readonly questionId: string } };
const ofQuestion = ({ data }: OfQuestion): readonly Key[] => [[data.questionId]];
const ofComment = ({ data }: Projected<'CommentPosted' | 'CommentDeleted'>): readonly Key[] =>
  data.parentType === 'QUESTION' ? [[data.questionId]] : [];
const ofRuling = ({ data }: Projected<'ReportsUpheld' | 'UpholdingReversed'>): readonly Key[] =>
  data.postType === 'COMMENT' ? [] : [[data.questionId]];

export const questions: Table<QuestionRow> = {
  name: 'questions',
  columns: COLUMNS,
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
  on: {
    QuestionAsked: { keys: ofQuestion, fold: (_, { data, metadata }) => asked(data, metadata.occurredAt) },
    QuestionEdited: {
      keys: ofQuestion,
      change: (row, { data, metadata }) => edited(row, data, metadata.occurredAt),
    },
    QuestionDeleted: { keys: ofQuestion, change: markDeleted },
    QuestionWordsErased: {
      keys: ofQuestion,
      change: (row) => ({ ...row, title: '', body: '', excerpt: '', image_urls: [], tags: [] }),
    },
    AnswerAccepted: {
      keys: ofQuestion,
      // If the answer was just removed, the question remains unsolved.
      change: (row, { data }) => accepted({ ...row, chosen_answer_id: data.answerId }),
    },
    AnswerPosted: { keys: ofQuestion, change: (row) => ({ ...row, answer_count: row.answer_count + 1 }) },
    AnswerDeleted: {
      keys: ofQuestion,
      change: (row, { data }) => withoutChild(row, data.answerId, 'answer_count'),
    },
    CommentPosted: { keys: ofComment, change: (row) => ({ ...row, comments_count: row.comments_count + 1 }) },
    CommentDeleted: {
      keys: ofComment,
      change: (row, { data }) => withoutChild(row, data.commentId, 'comments_count'),
    },
    ReportsUpheld: { keys: ofRuling, change: (row, { data }) => afterRuling(row, data, true) },
    UpholdingReversed: { keys: ofRuling, change: (row, { data }) => afterRuling(row, data, false) },
  },
};
