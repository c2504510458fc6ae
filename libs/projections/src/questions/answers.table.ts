import type { Key, ProjectedEvent, Table } from '../projection.js';
import { cleanHtml } from '../rich-text/sanitise.js';
import { deleted, NOT_REMOVED, type Removal, REMOVAL_COLUMNS, ruledOn } from '../removal.js';

/** Whether an answer is visible is decided with its question's row, when read. */
export type AnswerRow = Removal & {
  readonly answer_id: string;
  readonly question_id: string;
  readonly space_id: string;
  readonly author_id: string;
  /** Sanitised HTML, by the rules of `RICH_TEXT_VERSION`. */
  readonly body: string;
  readonly image_urls: readonly string[];
  readonly created_at: string;
  readonly edited_at: string | null;
  /** Comments that are not removed. */
  readonly comments_count: number;
  /** Comments that were taken off the count. */
  readonly removed_children: readonly string[];
};

const withoutComment = (row: AnswerRow, commentId: string): AnswerRow =>
  row.removed_children.includes(commentId)
    ? row
    : {
        ...row,
        comments_count: row.comments_count - 1,
        removed_children: [...row.removed_children, commentId],
      };

function foldKnown(row: AnswerRow, event: ProjectedEvent): AnswerRow {
  switch (event.type) {
    case 'AnswerEdited':
      return {
        ...row,
        body: cleanHtml(event.data.body),
        image_urls: event.data.imageUrls,
        edited_at: event.metadata.occurredAt,
      };
    case 'AnswerDeleted':
      return deleted(row);
    case 'ReportsUpheld':
      return ruledOn(row, true);
    case 'UpholdingReversed':
      return ruledOn(row, false);
    case 'CommentPosted':
      return { ...row, comments_count: row.comments_count + 1 };
    case 'CommentDeleted':
      return withoutComment(row, event.data.commentId);
    default:
      return row;
  }
}

export const answers: Table<AnswerRow> = {
  name: 'answers',
  columns: {
    answer_id: { type: 'text' },
    question_id: { type: 'text' },
    space_id: { type: 'text' },
    author_id: { type: 'text' },
    body: { type: 'text' },
    image_urls: { type: 'text[]' },
    created_at: { type: 'timestamptz' },
    edited_at: { type: 'timestamptz', nullable: true },
    comments_count: { type: 'integer' },
    ...REMOVAL_COLUMNS,
    removed_children: { type: 'text[]' },
  },
  key: ['answer_id'],
  indexes: [
    'create index answers_question_{suffix} on {table} (question_id, created_at, answer_id) where not is_removed',
    `create index answers_author_{suffix} on {table} (author_id, space_id, created_at desc, answer_id desc)
       where not is_removed`,
  ],
  keysOf(event): readonly Key[] {
    switch (event.type) {
      case 'AnswerPosted':
      case 'AnswerEdited':
      case 'AnswerDeleted':
        return [[event.data.answerId]];
      case 'CommentPosted':
      case 'CommentDeleted':
        return event.data.parentType === 'ANSWER' ? [[event.data.parentId]] : [];
      case 'ReportsUpheld':
      case 'UpholdingReversed':
        return event.data.postType === 'ANSWER' ? [[event.data.postId]] : [];
      default:
        return [];
    }
  },
  fold(row, event) {
    if (event.type !== 'AnswerPosted') return row && foldKnown(row, event);
    const { answerId, questionId, spaceId, authorId, body, imageUrls } = event.data;
    return {
      answer_id: answerId,
      question_id: questionId,
      space_id: spaceId,
      author_id: authorId,
      body: cleanHtml(body),
      image_urls: imageUrls,
      created_at: event.metadata.occurredAt,
      edited_at: null,
      comments_count: 0,
      ...NOT_REMOVED,
      removed_children: [],
    };
  },
};
