import type { EventOf, EventType, VoteData } from '@nimo/domain';
import {
  type Columns,
  type CounterTable,
  type Handler,
  type Key,
  onEach,
  type Projected,
  type ProjectedEvent,
  type Projection,
  type RowChange,
  type RowOf,
  type Table,
} from '../projection.js';
import { invalidateVote, restoreVote, VOTE_STATUS_COLUMNS, withdrawVote } from '../vote-status.js';

/** A moderator's decision on the receiver's post. Names neither moderator nor reporters. */
type RulingNoticeType = 'POST_REMOVED' | 'POST_RESTORED';
export type NoticeType =
  | 'NEW_QUESTION'
  | 'NEW_ANSWER'
  | 'ANSWER_ACCEPTED'
  | 'NEW_COMMENT'
  | 'NEW_QUESTION_COMMENT'
  | 'MENTION'
  | RulingNoticeType;

/** Receiver of notices to all members of a space, stored as a single row. */
export const EVERY_MEMBER = '';

const NOTICE_COLUMNS = {
  receiver_id: { type: 'text' },
  /** The written, accepted, removed or restored post. */
  post_id: { type: 'text' },
  type: { type: 'text' },
  space_id: { type: 'text' },
  question_id: { type: 'text' },
  /** The answer itself, or the one a comment is on. */
  answer_id: { type: 'text', nullable: true },
  /** Empty for a moderator's decision. */
  actor_id: { type: 'text' },
  /** Ordinal of the moderator's decision. The reason is in `staff_words`. */
  ruling_ordinal: { type: 'bigint', nullable: true },
  created_at: { type: 'timestamptz' },
} as const satisfies Columns;

/** An action that affects a student. Reads join texts and names and leave out removed posts. */
type NoticeRow = RowOf<typeof NOTICE_COLUMNS>;

type Notice = Omit<NoticeRow, 'created_at' | 'type' | 'ruling_ordinal'> & {
  readonly type: NoticeType;
  readonly ruling_ordinal?: number;
};

function ofComment({ data }: EventOf<'CommentPosted'>): Notice[] {
  const { commentId, parentType, parentId, parentAuthorId, authorId, mentionedStudentIds } = data;
  const isOnAnswer = parentType === 'ANSWER';
  const notice = {
    post_id: commentId,
    space_id: data.spaceId,
    question_id: data.questionId,
    answer_id: isOnAnswer ? parentId : null,
    actor_id: authorId,
  };
  const type = isOnAnswer ? 'NEW_COMMENT' : 'NEW_QUESTION_COMMENT';
  return [
    { ...notice, receiver_id: parentAuthorId, type },
    // The author of the parent post is already notified of the comment.
    ...mentionedStudentIds
      .filter((id) => id !== parentAuthorId)
      .map((id) => ({ ...notice, receiver_id: id, type: 'MENTION' as const })),
  ];
}

function ofRuling(
  {
    data: { postId, questionId, spaceId, postAuthorId, removalId },
    ordinal,
  }: Projected<'ReportsUpheld' | 'UpholdingReversed'>,
  type: RulingNoticeType,
): Notice[] {
  // The author gets one notification of the removal, which `removals` has.
  if (removalId !== undefined) return [];
  const place = { space_id: spaceId, question_id: questionId, answer_id: null };
  const notice = { receiver_id: postAuthorId, post_id: postId, type, actor_id: '' };
  return [{ ...place, ...notice, ruling_ordinal: ordinal }];
}

/** A deletion by a moderator notifies the author like an upheld report. Deletions by authors have no reason. */
function ofDeletion(
  {
    data: { spaceId, authorId, reason },
    ordinal,
  }: Projected<'QuestionDeleted' | 'AnswerDeleted' | 'CommentDeleted'>,
  postId: string,
  questionId: string,
): Notice[] {
  if (reason === null) return [];
  const place = { space_id: spaceId, question_id: questionId, answer_id: null };
  const notice = { receiver_id: authorId, post_id: postId, type: 'POST_REMOVED' as const, actor_id: '' };
  return [{ ...place, ...notice, ruling_ordinal: ordinal }];
}

const NOTICES_BY_TYPE = {
  QuestionAsked({ data: { questionId, spaceId, authorId } }) {
    const place = { space_id: spaceId, question_id: questionId, answer_id: null, actor_id: authorId };
    return [{ ...place, receiver_id: EVERY_MEMBER, post_id: questionId, type: 'NEW_QUESTION' }];
  },
  AnswerPosted({ data: { answerId, questionId, spaceId, questionAuthorId, authorId } }) {
    const place = { space_id: spaceId, question_id: questionId, answer_id: answerId, actor_id: authorId };
    return [{ ...place, receiver_id: questionAuthorId, post_id: answerId, type: 'NEW_ANSWER' }];
  },
  AnswerAccepted({ data: { answerId, questionId, spaceId, questionAuthorId, answerAuthorId, acceptedBy } }) {
    const place = { space_id: spaceId, question_id: questionId, answer_id: answerId };
    const type = 'ANSWER_ACCEPTED';
    const actor_id = acceptedBy ?? questionAuthorId;
    return [{ ...place, actor_id, receiver_id: answerAuthorId, post_id: answerId, type }];
  },
  CommentPosted: ofComment,
  QuestionDeleted: (event) => ofDeletion(event, event.data.questionId, event.data.questionId),
  AnswerDeleted: (event) => ofDeletion(event, event.data.answerId, event.data.questionId),
  CommentDeleted: (event) => ofDeletion(event, event.data.commentId, event.data.questionId),
  ReportsUpheld: (event) => ofRuling(event, 'POST_REMOVED'),
  UpholdingReversed: (event) => ofRuling(event, 'POST_RESTORED'),
} as const satisfies { readonly [T in EventType]?: (event: Projected<T>) => Notice[] };

type NoticeEventType = keyof typeof NOTICES_BY_TYPE;
const hasNotices = (type: EventType): type is NoticeEventType => Object.hasOwn(NOTICES_BY_TYPE, type);

function candidates(event: ProjectedEvent): Notice[] {
  if (!hasNotices(event.type)) return [];
  // Each function takes its own event type; a union of functions cannot be called with a union.
  return (NOTICES_BY_TYPE[event.type] as (event: ProjectedEvent) => Notice[])(event);
}

/** The notices caused by an event. Students are not notified of their own actions, and imports notify no one. */
export function noticesOf(event: ProjectedEvent): readonly NoticeRow[] {
  if (event.metadata.actor.kind === 'import') return [];
  return candidates(event)
    .filter(({ receiver_id, actor_id }) => receiver_id !== actor_id)
    .map((notice) => ({ ruling_ordinal: null, ...notice, created_at: event.metadata.occurredAt }));
}

const keyOf = ({ receiver_id, post_id, type }: NoticeRow): Key => [receiver_id, post_id, type];

const recordNotice: Handler<NoticeRow, ProjectedEvent> = {
  keys: (event) => noticesOf(event).map(keyOf),
  fold(row, event, [receiverId, postId, type]) {
    const isOwn = (notice: NoticeRow): boolean =>
      notice.receiver_id === receiverId && notice.post_id === postId && notice.type === type;
    const notice = noticesOf(event).find(isOwn);
    // A post can be removed again after a reversal; the latest ruling wins.
    return notice?.ruling_ordinal != null ? notice : (row ?? notice);
  },
};

const notices: Table<NoticeRow> = {
  name: 'notices',
  columns: NOTICE_COLUMNS,
  key: ['receiver_id', 'post_id', 'type'],
  indexes: [
    'create index notices_receiver_{suffix} on {table} (receiver_id, space_id, created_at desc, post_id desc)',
  ],
  // `Object.keys` loses the key types.
  on: onEach(Object.keys(NOTICES_BY_TYPE) as NoticeEventType[], recordNotice),
};

const UPVOTE_COLUMNS = {
  post_id: { type: 'text' },
  voter_id: { type: 'text' },
  post_type: { type: 'text' },
  receiver_id: { type: 'text' },
  space_id: { type: 'text' },
  question_id: { type: 'text' },
  /** UTC. */
  day: { type: 'text' },
  ...VOTE_STATUS_COLUMNS,
} as const satisfies Columns;

/**
 * An upvote on the day it was first cast. Withdrawing it and casting it again does not notify a second time. Downvotes appear only
 * in the score explanation.
 */
type UpvoteReceivedRow = RowOf<typeof UPVOTE_COLUMNS>;

/** Keys of the upvotes among the votes. Imports notify no one. */
const keysOfUpvotes = ({ metadata }: ProjectedEvent, votes: readonly VoteData[]): readonly Key[] =>
  metadata.actor.kind === 'import'
    ? []
    : votes.filter(({ direction }) => direction === 'UP').map(({ postId, voterId }) => [postId, voterId]);
const ofVote = (event: Projected<'VoteCast' | 'VoteWithdrawn'>) => keysOfUpvotes(event, [event.data]);
const ofVotes = (event: Projected<'VotesInvalidated' | 'InvalidationReversed'>) =>
  keysOfUpvotes(event, event.data.votes);

function newUpvote(event: Projected<'VoteCast'>): UpvoteReceivedRow {
  const { postId, voterId, postType, postAuthorId, spaceId, questionId } = event.data;
  return {
    post_id: postId,
    voter_id: voterId,
    post_type: postType,
    receiver_id: postAuthorId,
    space_id: spaceId,
    question_id: questionId,
    day: event.metadata.occurredAt.slice(0, 'YYYY-MM-DD'.length),
    is_held: true,
    invalid_in: [],
  };
}

const upvotesReceived: Table<UpvoteReceivedRow> = {
  name: 'upvotes_received',
  columns: UPVOTE_COLUMNS,
  key: ['post_id', 'voter_id'],
  on: {
    VoteCast: {
      keys: ofVote,
      fold(row, event) {
        if (!row) return newUpvote(event);
        return row.is_held ? row : { ...row, is_held: true };
      },
    },
    VoteWithdrawn: { keys: ofVote, change: withdrawVote },
    VotesInvalidated: { keys: ofVotes, change: (row, { data }) => invalidateVote(row, data.caseId) },
    InvalidationReversed: { keys: ofVotes, change: (row, { data }) => restoreVote(row, data.caseId) },
  },
};

const counted = (row: UpvoteReceivedRow | undefined): number =>
  row?.is_held && row.invalid_in.length === 0 ? 1 : 0;

/** Upvotes per post and day. Reveals neither the voter nor the time of day. */
const upvoteDays: CounterTable = {
  name: 'upvote_days',
  key: ['receiver_id', 'space_id', 'day', 'post_id', 'post_type', 'question_id'],
  counters: ['upvotes'],
  source: 'upvotes_received',
  increments({ before, after }: RowChange<UpvoteReceivedRow>) {
    const row = after ?? before;
    const upvotes = counted(after) - counted(before);
    if (!row || upvotes === 0) return [];
    const { receiver_id, space_id, day, post_id, post_type, question_id } = row;
    return [{ key: [receiver_id, space_id, day, post_id, post_type, question_id], by: { upvotes } }];
  },
};

/** Notices of others' actions, and upvotes per day. */
export const notificationsProjection = {
  name: 'notifications',
  purpose: 'Notifications',
  version: 5,
  lingers: true,
  tables: [notices, upvotesReceived],
  counters: [upvoteDays],
} as const satisfies Projection;
