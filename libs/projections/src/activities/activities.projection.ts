import type { PostType, VoteDirection } from '@nimo/domain';
import type { Key, ProjectedEvent, Projection, Table } from '../projection.js';

export type ActivityType =
  | 'CREATE_QUESTION'
  | 'CREATE_ANSWER'
  | 'CREATE_COMMENT'
  | 'CREATE_QUESTION_COMMENT'
  | `${'UPVOTE' | 'DOWNVOTE'}_${PostType}`;

/** What a student did with a post. Texts are joined when read, and with them whether the post still stands. */
export type ActivityRow = {
  readonly student_id: string;
  readonly type: string;
  readonly post_id: string;
  readonly space_id: string;
  readonly question_id: string;
  /** The answer that the post is or stands under. */
  readonly answer_id: string | null;
  readonly created_at: string;
};

type Done = Omit<ActivityRow, 'created_at' | 'type'> & { readonly type: ActivityType };

const VERB = { UP: 'UPVOTE', DOWN: 'DOWNVOTE' } as const satisfies Record<VoteDirection, string>;

function doneIn(event: ProjectedEvent): Done | undefined {
  switch (event.type) {
    case 'QuestionAsked': {
      const { questionId, spaceId, authorId } = event.data;
      const place = { space_id: spaceId, question_id: questionId, answer_id: null };
      return { ...place, student_id: authorId, type: 'CREATE_QUESTION', post_id: questionId };
    }
    case 'AnswerPosted': {
      const { answerId, questionId, spaceId, authorId } = event.data;
      const place = { space_id: spaceId, question_id: questionId, answer_id: answerId };
      return { ...place, student_id: authorId, type: 'CREATE_ANSWER', post_id: answerId };
    }
    case 'CommentPosted': {
      const { commentId, questionId, spaceId, parentType, parentId, authorId } = event.data;
      const isOnAnswer = parentType === 'ANSWER';
      const place = { space_id: spaceId, question_id: questionId, answer_id: isOnAnswer ? parentId : null };
      const type = isOnAnswer ? 'CREATE_COMMENT' : 'CREATE_QUESTION_COMMENT';
      return { ...place, student_id: authorId, type, post_id: commentId };
    }
    case 'VoteCast':
    case 'VoteWithdrawn': {
      const { postId, postType, questionId, spaceId, voterId, voterIsStandIn, direction } = event.data;
      // A stand-in is nobody who could look.
      if (voterIsStandIn) return undefined;
      const answer_id = postType === 'ANSWER' ? postId : null;
      const place = { space_id: spaceId, question_id: questionId, answer_id };
      return { ...place, student_id: voterId, type: `${VERB[direction]}_${postType}`, post_id: postId };
    }
    default:
      return undefined;
  }
}

const activities: Table<ActivityRow> = {
  name: 'activities',
  columns: {
    student_id: { type: 'text' },
    type: { type: 'text' },
    post_id: { type: 'text' },
    space_id: { type: 'text' },
    question_id: { type: 'text' },
    answer_id: { type: 'text', nullable: true },
    created_at: { type: 'timestamptz' },
  },
  key: ['student_id', 'type', 'post_id'],
  indexes: [
    'create index activities_student_{suffix} on {table} (student_id, space_id, created_at desc, post_id desc)',
  ],
  keysOf(event): readonly Key[] {
    const done = doneIn(event);
    return done ? [[done.student_id, done.type, done.post_id]] : [];
  },
  fold(row, event) {
    // A vote that is taken back was never cast, as far as its voter is shown.
    if (event.type === 'VoteWithdrawn') return undefined;
    if (row) return row;
    const done = doneIn(event);
    return done && { ...done, created_at: event.metadata.occurredAt };
  },
};

/** What each student did, the latest first. */
export const activitiesProjection = {
  name: 'activities',
  purpose: 'What students did, for their profiles',
  version: 1,
  tables: [activities],
} as const satisfies Projection;
