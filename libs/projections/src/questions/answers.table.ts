import type { Columns, Key, Projected, RowOf, Table } from '../projection.js';
import { cleanHtml } from '@nimo/rich-text';
import { deleted, NOT_REMOVED, REMOVAL_COLUMNS, ruledOn } from '../removal.js';

const COLUMNS = {
  answer_id: { type: 'text' },
  question_id: { type: 'text' },
  space_id: { type: 'text' },
  author_id: { type: 'text' },
  /** Sanitised HTML, by the rules of `RICH_TEXT_VERSION`. */
  body: { type: 'text' },
  image_urls: { type: 'text[]' },
  created_at: { type: 'timestamptz' },
  edited_at: { type: 'timestamptz', nullable: true },
  /** Comments that are not removed. */
  comments_count: { type: 'integer' },
  ...REMOVAL_COLUMNS,
  /** Comments that were taken off the count. */
  removed_children: { type: 'text[]' },
} as const satisfies Columns;

/** Whether an answer is visible is decided with its question's row, when read. */
export type AnswerRow = RowOf<typeof COLUMNS>;

const withoutComment = (row: AnswerRow, commentId: string): AnswerRow =>
  row.removed_children.includes(commentId)
    ? row
    : {
        ...row,
        comments_count: row.comments_count - 1,
        removed_children: [...row.removed_children, commentId],
      };

const ofAnswer = ({
  data,
}: Projected<'AnswerPosted' | 'AnswerEdited' | 'AnswerDeleted' | 'AnswerWordsErased'>): readonly Key[] => [
  [data.answerId],
];
const ofComment = ({ data }: Projected<'CommentPosted' | 'CommentDeleted'>): readonly Key[] =>
  data.parentType === 'ANSWER' ? [[data.parentId]] : [];
const ofRuling = ({ data }: Projected<'ReportsUpheld' | 'UpholdingReversed'>): readonly Key[] =>
  data.postType === 'ANSWER' ? [[data.postId]] : [];

export const answers: Table<AnswerRow> = {
  name: 'answers',
  columns: COLUMNS,
  key: ['answer_id'],
  indexes: [
    'create index answers_question_{suffix} on {table} (question_id, created_at, answer_id) where not is_removed',
    `create index answers_author_{suffix} on {table} (author_id, space_id, created_at desc, answer_id desc)
       where not is_removed`,
  ],
  on: {
    AnswerPosted: {
      keys: ofAnswer,
      fold: (_, { data: { answerId, questionId, spaceId, authorId, body, imageUrls }, metadata }) => ({
        answer_id: answerId,
        question_id: questionId,
        space_id: spaceId,
        author_id: authorId,
        body: cleanHtml(body),
        image_urls: imageUrls,
        created_at: metadata.occurredAt,
        edited_at: null,
        comments_count: 0,
        ...NOT_REMOVED,
        removed_children: [],
      }),
    },
    AnswerEdited: {
      keys: ofAnswer,
      change: (row, { data, metadata }) => ({
        ...row,
        body: cleanHtml(data.body),
        image_urls: data.imageUrls,
        edited_at: metadata.occurredAt,
      }),
    },
    AnswerDeleted: { keys: ofAnswer, change: deleted },
    AnswerWordsErased: { keys: ofAnswer, change: (row) => ({ ...row, body: '', image_urls: [] }) },
    CommentPosted: { keys: ofComment, change: (row) => ({ ...row, comments_count: row.comments_count + 1 }) },
    CommentDeleted: { keys: ofComment, change: (row, { data }) => withoutComment(row, data.commentId) },
    ReportsUpheld: { keys: ofRuling, change: (row) => ruledOn(row, true) },
    UpholdingReversed: { keys: ofRuling, change: (row) => ruledOn(row, false) },
  },
};
