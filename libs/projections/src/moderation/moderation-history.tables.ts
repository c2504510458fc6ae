import { decisionOf, type Actor, type Penalty } from '@nimo/domain';
import {
  type Columns,
  type Handler,
  typedColumn,
  type Key,
  type Projected,
  type ProjectedEvent,
  type RowOf,
  type Table,
} from '../projection.js';

const MODERATION_DECISION_COLUMNS = {
  post_id: { type: 'text' },
  ordinal: { type: 'bigint' },
  decision: { type: 'text' },
  /** Null for the command line. */
  moderator_id: { type: 'text', nullable: true },
  to_moderator_id: { type: 'text', nullable: true },
  round: { type: 'integer', nullable: true },
  decided_at: { type: 'timestamptz' },
  post_type: { type: 'text' },
  space_id: { type: 'text' },
  author_id: { type: 'text' },
} as const satisfies Columns;

/** A moderator's decision on a post, by a ruling or by deleting it directly. The reason is in `staff_words`. */
export type ModerationDecisionRow = RowOf<typeof MODERATION_DECISION_COLUMNS>;

type DecisionDetails = Omit<ModerationDecisionRow, 'ordinal' | 'decided_at'>;

const recordDecision = <E extends ProjectedEvent>(
  decisionFrom: (event: E) => DecisionDetails | undefined,
): Handler<ModerationDecisionRow, E> => ({
  keys(event) {
    const decided = decisionFrom(event);
    return decided ? [[decided.post_id, event.ordinal]] : [];
  },
  fold(row, event) {
    const decided = decisionFrom(event);
    return decided ? { ...decided, ordinal: event.ordinal, decided_at: event.metadata.occurredAt } : row;
  },
});

type Ruling = Projected<'ReportsUpheld' | 'ReportsDismissed' | 'ReportsHandedOver' | 'UpholdingReversed'>;
const ruling = recordDecision<Ruling>(({ type, data }) => ({
  post_id: data.postId,
  decision: decisionOf(type),
  moderator_id: data.moderatorId,
  to_moderator_id: 'toModeratorId' in data ? data.toModeratorId : null,
  round: data.round,
  post_type: data.postType,
  space_id: data.spaceId,
  author_id: data.postAuthorId,
}));

const studentOf = (actor: Actor): string | null => (actor.kind === 'student' ? actor.id : null);

/** Undefined for a deletion by the author. Only moderators give a reason. */
function deletionOf(
  { metadata }: ProjectedEvent,
  postId: string,
  postType: string,
  { spaceId, authorId, reason }: { spaceId: string; authorId: string; reason: string | null },
): DecisionDetails | undefined {
  if (reason === null) return undefined;
  return {
    post_id: postId,
    decision: 'DELETED',
    moderator_id: studentOf(metadata.actor),
    to_moderator_id: null,
    round: null,
    post_type: postType,
    space_id: spaceId,
    author_id: authorId,
  };
}

export const moderationDecisions: Table<ModerationDecisionRow> = {
  name: 'moderation_decisions',
  columns: MODERATION_DECISION_COLUMNS,
  key: ['post_id', 'ordinal'],
  indexes: [
    'create index moderation_decisions_author_{suffix} on {table} (author_id, space_id, decided_at desc, ordinal desc)',
  ],
  on: {
    ReportsUpheld: ruling,
    ReportsDismissed: ruling,
    ReportsHandedOver: ruling,
    UpholdingReversed: ruling,
    QuestionDeleted: recordDecision((event) =>
      deletionOf(event, event.data.questionId, 'QUESTION', event.data),
    ),
    AnswerDeleted: recordDecision((event) => deletionOf(event, event.data.answerId, 'ANSWER', event.data)),
    CommentDeleted: recordDecision((event) => {
      const postType = event.data.parentType === 'QUESTION' ? 'QUESTION_COMMENT' : 'COMMENT';
      return deletionOf(event, event.data.commentId, postType, event.data);
    }),
  },
};

const PENALTY_COLUMNS = {
  post_id: { type: 'text' },
  /** Ordinal of the decision. */
  ordinal: { type: 'bigint' },
  penalty: typedColumn<Exclude<Penalty, 'RULES'>>('text'),
} as const satisfies Columns;

/** A penalty that a moderator chose instead of that of the rules. */
type ChosenPenaltyRow = RowOf<typeof PENALTY_COLUMNS>;

export const chosenPenalties: Table<ChosenPenaltyRow> = {
  name: 'chosen_penalties',
  columns: PENALTY_COLUMNS,
  key: ['post_id', 'ordinal'],
  on: {
    ReportsUpheld: {
      keys: ({ data, ordinal }) => (data.penalty === undefined ? [] : [[data.postId, ordinal]]),
      fold: (row, { data: { postId, penalty }, ordinal }) =>
        penalty === undefined ? row : { post_id: postId, ordinal, penalty },
    },
  },
};

export type Block = {
  readonly kind: 'BLOCKED' | 'UNBLOCKED';
  readonly reason: string | null;
  readonly moderatorId: string | null;
  readonly at: string;
};

const STUDENT_BLOCKS_COLUMNS = {
  student_id: { type: 'text' },
  blocks: typedColumn<readonly Block[]>('jsonb'),
} as const satisfies Columns;

/** A student's blocks with their reasons. Deleted when the student is erased. */
export type StudentBlocksRow = RowOf<typeof STUDENT_BLOCKS_COLUMNS>;

const keyOfStudent = ({
  data,
}: Projected<'StudentBlocked' | 'StudentUnblocked' | 'StudentErased'>): readonly Key[] => [[data.studentId]];

const recordBlock = <E extends Projected<'StudentBlocked' | 'StudentUnblocked'>>(
  blockFrom: (event: E) => Pick<Block, 'kind' | 'reason'>,
): Handler<StudentBlocksRow, E> => ({
  keys: keyOfStudent,
  fold(row, event) {
    const { actor, occurredAt } = event.metadata;
    const block: Block = { ...blockFrom(event), moderatorId: studentOf(actor), at: occurredAt };
    return { student_id: event.data.studentId, blocks: [...(row?.blocks ?? []), block] };
  },
});

export const studentBlocks: Table<StudentBlocksRow> = {
  name: 'student_blocks',
  columns: STUDENT_BLOCKS_COLUMNS,
  key: ['student_id'],
  on: {
    StudentBlocked: recordBlock(({ data }) => ({ kind: 'BLOCKED', reason: data.reason })),
    StudentUnblocked: recordBlock(({ data }) => ({ kind: 'UNBLOCKED', reason: data.reason ?? null })),
    StudentErased: { keys: keyOfStudent, change: () => undefined },
  },
};

const VOTE_DAY_COLUMNS = {
  post_id: { type: 'text' },
  day: { type: 'text' },
  up: { type: 'integer' },
  down: { type: 'integer' },
  withdrawn: { type: 'integer' },
} as const satisfies Columns;

/** Votes on a post cast and withdrawn per day (UTC). */
export type VoteDayRow = RowOf<typeof VOTE_DAY_COLUMNS>;

const NO_VOTES = { up: 0, down: 0, withdrawn: 0 };
const dayOf = ({ metadata }: ProjectedEvent): string => metadata.occurredAt.slice(0, 'YYYY-MM-DD'.length);

const countVote = <E extends Projected<'VoteCast' | 'VoteWithdrawn'>>(
  counterOf: (event: E) => keyof typeof NO_VOTES,
): Handler<VoteDayRow, E> => ({
  keys: (event) => [[event.data.postId, dayOf(event)]],
  fold(row, event) {
    const known = row ?? { post_id: event.data.postId, day: dayOf(event), ...NO_VOTES };
    const counter = counterOf(event);
    return { ...known, [counter]: known[counter] + 1 };
  },
});

export const voteDays: Table<VoteDayRow> = {
  name: 'vote_days',
  columns: VOTE_DAY_COLUMNS,
  key: ['post_id', 'day'],
  on: {
    VoteCast: countVote(({ data }) => (data.direction === 'UP' ? 'up' : 'down')),
    VoteWithdrawn: countVote(() => 'withdrawn'),
  },
};
