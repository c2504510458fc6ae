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
  /** The answer itself, or the one a comment is on. */
  answer_id: { type: 'text', nullable: true },
  created_at: { type: 'timestamptz' },
} as const satisfies Columns;

/** A student's action on a post. Reads join the texts and leave out removed posts. */
export type ActivityRow = RowOf<typeof COLUMNS>;

type Activity = Omit<ActivityRow, 'created_at' | 'type'> & { readonly type: ActivityType };

const VERB = { UP: 'UPVOTE', DOWN: 'DOWNVOTE' } as const satisfies Record<VoteDirection, string>;

const keyOf = ({ student_id, type, post_id }: Activity): Key => [student_id, type, post_id];

/** Keeps the first of repeated actions. */
const recordActivity = <E extends ProjectedEvent>(
  activityOf: (event: E) => Activity,
): Handler<ActivityRow, E> => ({
  keys: (event) => [keyOf(activityOf(event))],
  fold: (row, event) => row ?? { ...activityOf(event), created_at: event.metadata.occurredAt },
});

type VoteEvent = Projected<'VoteCast' | 'VoteWithdrawn'>;

function voteActivity({ data }: VoteEvent): Activity {
  const { postId, postType, questionId, spaceId, voterId, direction } = data;
  const answer_id = postType === 'ANSWER' ? postId : null;
  const place = { space_id: spaceId, question_id: questionId, answer_id };
  return { ...place, student_id: voterId, type: `${VERB[direction]}_${postType}`, post_id: postId };
}

/** Leaves out stand-ins, who have no profile. */
const voterKeys = (event: VoteEvent): readonly Key[] =>
  event.data.voterIsStandIn ? [] : [keyOf(voteActivity(event))];

const activities: Table<ActivityRow> = {
  name: 'activities',
  columns: COLUMNS,
  key: ['student_id', 'type', 'post_id'],
  indexes: [
    'create index activities_student_{suffix} on {table} (student_id, space_id, created_at desc, post_id desc)',
  ],
  on: {
    QuestionAsked: recordActivity(({ data: { questionId, spaceId, authorId } }) => {
      const place = { space_id: spaceId, question_id: questionId, answer_id: null };
      return { ...place, student_id: authorId, type: 'CREATE_QUESTION', post_id: questionId };
    }),
    AnswerPosted: recordActivity(({ data: { answerId, questionId, spaceId, authorId } }) => {
      const place = { space_id: spaceId, question_id: questionId, answer_id: answerId };
      return { ...place, student_id: authorId, type: 'CREATE_ANSWER', post_id: answerId };
    }),
    CommentPosted: recordActivity(
      ({ data: { commentId, questionId, spaceId, parentType, parentId, authorId } }) => {
        const isOnAnswer = parentType === 'ANSWER';
        const place = { space_id: spaceId, question_id: questionId, answer_id: isOnAnswer ? parentId : null };
        const type = isOnAnswer ? 'CREATE_COMMENT' : 'CREATE_QUESTION_COMMENT';
        return { ...place, student_id: authorId, type, post_id: commentId };
      },
    ),
    VoteCast: { ...recordActivity(voteActivity), keys: voterKeys },
    // A withdrawn vote leaves no trace in the activities.
    VoteWithdrawn: { keys: voterKeys, change: () => undefined },
  },
};

/** Each student's activities. */
export const activitiesProjection = {
  name: 'activities',
  purpose: 'Student activity, for profiles',
  version: 1,
  lingers: true,
  tables: [activities],
} as const satisfies Projection;
