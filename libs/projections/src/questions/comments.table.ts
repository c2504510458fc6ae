import type { Columns, Key, Projected, RowOf, Table } from '../projection.js';
import { deleted, NOT_REMOVED, REMOVAL_COLUMNS, ruledOn } from '../removal.js';

const COLUMNS = {
  comment_id: { type: 'text' },
  parent_type: { type: 'text' },
  parent_id: { type: 'text' },
  question_id: { type: 'text' },
  space_id: { type: 'text' },
  author_id: { type: 'text' },
  /** A mention is `@[<studentId>]`; the name is joined when read. */
  body: { type: 'text' },
  mentioned_student_ids: { type: 'text[]' },
  created_at: { type: 'timestamptz' },
  ...REMOVAL_COLUMNS,
} as const satisfies Columns;

/** A comment of a question or an answer; whether it is visible is decided with the rows above it, when read. */
export type CommentRow = RowOf<typeof COLUMNS>;

const ofComment = ({
  data,
}: Projected<'CommentPosted' | 'CommentDeleted' | 'CommentWordsErased'>): readonly Key[] => [
  [data.commentId],
];
const ofRuling = ({ data }: Projected<'ReportsUpheld' | 'UpholdingReversed'>): readonly Key[] =>
  data.postType === 'COMMENT' || data.postType === 'QUESTION_COMMENT' ? [[data.postId]] : [];

export const comments: Table<CommentRow> = {
  name: 'comments',
  columns: COLUMNS,
  key: ['comment_id'],
  indexes: [
    'create index comments_parent_{suffix} on {table} (parent_id, created_at, comment_id) where not is_removed',
  ],
  on: {
    CommentPosted: {
      keys: ofComment,
      fold: (_, { data, metadata }) => ({
        comment_id: data.commentId,
        parent_type: data.parentType,
        parent_id: data.parentId,
        question_id: data.questionId,
        space_id: data.spaceId,
        author_id: data.authorId,
        body: data.body,
        mentioned_student_ids: data.mentionedStudentIds,
        created_at: metadata.occurredAt,
        ...NOT_REMOVED,
      }),
    },
    CommentDeleted: { keys: ofComment, change: deleted },
    CommentWordsErased: { keys: ofComment, change: (row) => ({ ...row, body: '' }) },
    ReportsUpheld: { keys: ofRuling, change: (row) => ruledOn(row, true) },
    UpholdingReversed: { keys: ofRuling, change: (row) => ruledOn(row, false) },
  },
};
