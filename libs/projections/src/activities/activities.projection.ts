import type { PostType, VoteDirection } from '@nimo/domain';
import type {
  Columns,
  Handler,
  Key,
  Projected,
  ProjectedEvent,
  Projection,
  RowOf,
  Table,
} from '../projection.js';

export type ActivityType =
  | 'CREATE_QUESTION'
  | 'CREATE_ANSWER'
  | 'CREATE_COMMENT'
  | 'CREATE_QUESTION_COMMENT'
  | `${'UPVOTE' | 'DOWNVOTE'}_${PostType}`;

const COLUMNS = {
  student_id: { type: 'text' },
  type: { type: 'text' },
  post_id: { type: 'text' },
  space_id: { type: 'text' },
  question_id: { type: 'text' },
  /** The answer that the post is or stands under. */
  answer_id: { type: 'text', nullable: true },
  created_at: { type: 'timestamptz' },
} as const satisfies Columns;

/** What a student did with a post. Texts are joined when read, and with them whether the post still stands. */
export type ActivityRow = RowOf<typeof COLUMNS>;

type Done = Omit<ActivityRow, 'created_at' | 'type'> & { readonly type: ActivityType };

const VERB = { UP: 'UPVOTE', DOWN: 'DOWNVOTE' } as const satisfies Record<VoteDirection, string>;

const keyOf = ({ student_id, type, post_id }: Done): Key => [student_id, type, post_id];

/** What is done once is told once. */
const doing = <E extends ProjectedEvent>(doneIn: (event: E) => Done): Handler<ActivityRow, E> => ({
  keys: (event) => [keyOf(doneIn(event))],
  fold: (row, event) => row ?? { ...doneIn(event), created_at: event.metadata.occurredAt },
});

type VoteEvent = Projected<'VoteCast' | 'VoteWithdrawn'>;

function voted({ data }: VoteEvent): Done {
  const { postId, postType, questionId, spaceId, voterId, direction } = data;
  const answer_id = postType === 'ANSWER' ? postId : null;
  const place = { space_id: spaceId, question_id: questionId, answer_id };
  return { ...place, student_id: voterId, type: `${VERB[direction]}_${postType}`, post_id: postId };
}

/** A stand-in is nobody who could look. */
const ofVoter = (event: VoteEvent): readonly Key[] =>
  event.data.voterIsStandIn ? [] : [keyOf(voted(event))];

const activities: Table<ActivityRow> = {
  name: 'activities',
  columns: COLUMNS,
  key: ['student_id', 'type', 'post_id'],
  indexes: [
    'create index activities_student_{suffix} on {table} (student_id, space_id, created_at desc, post_id desc)',
  ],
  on: {
    QuestionAsked: doing(({ data: { questionId, spaceId, authorId } }) => {
      const place = { space_id: spaceId, question_id: questionId, answer_id: null };
      return { ...place, student_id: authorId, type: 'CREATE_QUESTION', post_id: questionId };
    }),
    AnswerPosted: doing(({ data: { answerId, questionId, spaceId, authorId } }) => {
      const place = { space_id: spaceId, question_id: questionId, answer_id: answerId };
      return { ...place, student_id: authorId, type: 'CREATE_ANSWER', post_id: answerId };
    }),
    CommentPosted: doing(({ data: { commentId, questionId, spaceId, parentType, parentId, authorId } }) => {
      const isOnAnswer = parentType === 'ANSWER';
      const place = { space_id: spaceId, question_id: questionId, answer_id: isOnAnswer ? parentId : null };
      const type = isOnAnswer ? 'CREATE_COMMENT' : 'CREATE_QUESTION_COMMENT';
      return { ...place, student_id: authorId, type, post_id: commentId };
    }),
    VoteCast: { ...doing(voted), keys: ofVoter },
    // A vote that is taken back was never cast, as far as its voter is shown.
    VoteWithdrawn: { keys: ofVoter, change: () => undefined },
  },
};

/** What each student did, the latest first. */
export const activitiesProjection = {
  name: 'activities',
  purpose: 'What students did, for their profiles',
  version: 1,
  lingers: true,
  tables: [activities],
} as const satisfies Projection;
