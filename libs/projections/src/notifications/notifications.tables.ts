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
import { invalidatedIn, validAfter, VOTE_STANDING_COLUMNS, withdrawn } from '../vote-standing.js';

/** What moderators decided about an own post. Who decided, and who had reported it, is nobody's business. */
type RulingNoticeType = 'POST_REMOVED' | 'POST_RESTORED';
export type NoticeType =
  | 'NEW_QUESTION'
  | 'NEW_ANSWER'
  | 'ANSWER_ACCEPTED'
  | 'NEW_COMMENT'
  | 'NEW_QUESTION_COMMENT'
  | 'MENTION'
  | RulingNoticeType;

/** Receives what concerns a whole space: one row, however many members there are. */
export const EVERY_MEMBER = '';

const NOTICE_COLUMNS = {
  receiver_id: { type: 'text' },
  /** The post that was written or accepted. */
  post_id: { type: 'text' },
  type: { type: 'text' },
  space_id: { type: 'text' },
  question_id: { type: 'text' },
  /** The answer that the post is or stands under. */
  answer_id: { type: 'text', nullable: true },
  /** Empty for a moderator's decision. */
  actor_id: { type: 'text' },
  /** The event in which a moderator told the author why: the words are in `staff_words`. */
  ruling_ordinal: { type: 'bigint', nullable: true },
  created_at: { type: 'timestamptz' },
} as const satisfies Columns;

/** That somebody did something which concerns a student. Texts and names are joined when read, and with them whether it still stands. */
type NoticeRow = RowOf<typeof NOTICE_COLUMNS>;

type Notice = Omit<NoticeRow, 'created_at' | 'type' | 'ruling_ordinal'> & {
  readonly type: NoticeType;
  readonly ruling_ordinal?: number;
};

function ofComment({ data }: EventOf<'CommentPosted'>): Notice[] {
  const { commentId, parentType, parentId, parentAuthorId, authorId, mentionedStudentIds } = data;
  const isOnAnswer = parentType === 'ANSWER';
  const told = {
    post_id: commentId,
    space_id: data.spaceId,
    question_id: data.questionId,
    answer_id: isOnAnswer ? parentId : null,
    actor_id: authorId,
  };
  const type = isOnAnswer ? 'NEW_COMMENT' : 'NEW_QUESTION_COMMENT';
  return [
    { ...told, receiver_id: parentAuthorId, type },
    // Whoever is told of the comment already is not told of the mention in it.
    ...mentionedStudentIds
      .filter((id) => id !== parentAuthorId)
      .map((id) => ({ ...told, receiver_id: id, type: 'MENTION' as const })),
  ];
}

function ofRuling(
  {
    data: { postId, questionId, spaceId, postAuthorId },
    ordinal,
  }: Projected<'ReportsUpheld' | 'UpholdingReversed'>,
  type: RulingNoticeType,
): Notice[] {
  const place = { space_id: spaceId, question_id: questionId, answer_id: null };
  const told = { receiver_id: postAuthorId, post_id: postId, type, actor_id: '' };
  return [{ ...place, ...told, ruling_ordinal: ordinal }];
}

/** A moderator's own deletion tells its author as an upheld report does; whoever deletes a post of their own is told nothing. */
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
  const told = { receiver_id: authorId, post_id: postId, type: 'POST_REMOVED' as const, actor_id: '' };
  return [{ ...place, ...told, ruling_ordinal: ordinal }];
}

const TOLD = {
  QuestionAsked({ data: { questionId, spaceId, authorId } }) {
    const place = { space_id: spaceId, question_id: questionId, answer_id: null, actor_id: authorId };
    return [{ ...place, receiver_id: EVERY_MEMBER, post_id: questionId, type: 'NEW_QUESTION' }];
  },
  AnswerPosted({ data: { answerId, questionId, spaceId, questionAuthorId, authorId } }) {
    const place = { space_id: spaceId, question_id: questionId, answer_id: answerId, actor_id: authorId };
    return [{ ...place, receiver_id: questionAuthorId, post_id: answerId, type: 'NEW_ANSWER' }];
  },
  AnswerAccepted({ data: { answerId, questionId, spaceId, questionAuthorId, answerAuthorId } }) {
    const place = { space_id: spaceId, question_id: questionId, answer_id: answerId };
    const type = 'ANSWER_ACCEPTED';
    return [{ ...place, actor_id: questionAuthorId, receiver_id: answerAuthorId, post_id: answerId, type }];
  },
  CommentPosted: ofComment,
  QuestionDeleted: (event) => ofDeletion(event, event.data.questionId, event.data.questionId),
  AnswerDeleted: (event) => ofDeletion(event, event.data.answerId, event.data.questionId),
  CommentDeleted: (event) => ofDeletion(event, event.data.commentId, event.data.questionId),
  ReportsUpheld: (event) => ofRuling(event, 'POST_REMOVED'),
  UpholdingReversed: (event) => ofRuling(event, 'POST_RESTORED'),
} as const satisfies { readonly [T in EventType]?: (event: Projected<T>) => Notice[] };

type ToldEvent = keyof typeof TOLD;
const isTold = (type: EventType): type is ToldEvent => Object.hasOwn(TOLD, type);

function told(event: ProjectedEvent): Notice[] {
  if (!isTold(event.type)) return [];
  // Each is for events of its own type; a union of functions cannot be called with a union.
  return (TOLD[event.type] as (event: ProjectedEvent) => Notice[])(event);
}

/**
 * Who is to be told what because of an event; nobody of what he did himself. An import brings a history that happened elsewhere:
 * it is news to nobody.
 */
export function noticesOf(event: ProjectedEvent): readonly NoticeRow[] {
  if (event.metadata.actor.kind === 'import') return [];
  return told(event)
    .filter(({ receiver_id, actor_id }) => receiver_id !== actor_id)
    .map((notice) => ({ ruling_ordinal: null, ...notice, created_at: event.metadata.occurredAt }));
}

const keyOf = ({ receiver_id, post_id, type }: NoticeRow): Key => [receiver_id, post_id, type];

const telling: Handler<NoticeRow, ProjectedEvent> = {
  keys: (event) => noticesOf(event).map(keyOf),
  fold(row, event, [receiverId, postId, type]) {
    const isOwn = (notice: NoticeRow): boolean =>
      notice.receiver_id === receiverId && notice.post_id === postId && notice.type === type;
    const notice = noticesOf(event).find(isOwn);
    // A post may be removed again after it was put back: the latest ruling is the one to read.
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
  // `Object.keys` forgets what it was given.
  on: onEach(Object.keys(TOLD) as ToldEvent[], telling),
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
  ...VOTE_STANDING_COLUMNS,
} as const satisfies Columns;

/**
 * An upvote that its receiver is told of, on the day on which it was first cast: taking it back and casting it again tells
 * nothing anew. Downvotes are told by the score's explanation alone.
 */
type UpvoteReceivedRow = RowOf<typeof UPVOTE_COLUMNS>;

/** Upvotes that are no part of an import: that history is news to nobody. */
const keysOfUpvotes = ({ metadata }: ProjectedEvent, votes: readonly VoteData[]): readonly Key[] =>
  metadata.actor.kind === 'import'
    ? []
    : votes.filter(({ direction }) => direction === 'UP').map(({ postId, voterId }) => [postId, voterId]);
const ofVote = (event: Projected<'VoteCast' | 'VoteWithdrawn'>) => keysOfUpvotes(event, [event.data]);
const ofVotes = (event: Projected<'VotesInvalidated' | 'InvalidationReversed'>) =>
  keysOfUpvotes(event, event.data.votes);

function castOn(event: Projected<'VoteCast'>): UpvoteReceivedRow {
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
        if (!row) return castOn(event);
        return row.is_held ? row : { ...row, is_held: true };
      },
    },
    VoteWithdrawn: { keys: ofVote, change: withdrawn },
    VotesInvalidated: { keys: ofVotes, change: (row, { data }) => invalidatedIn(row, data.caseId) },
    InvalidationReversed: { keys: ofVotes, change: (row, { data }) => validAfter(row, data.caseId) },
  },
};

const counted = (row: UpvoteReceivedRow | undefined): number =>
  row?.is_held && row.invalid_in.length === 0 ? 1 : 0;

/** How many a post got on a day: who voted, and when on that day, is not told. */
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

/** What students are told of: what others did, and how many upvotes a day brought. */
export const notificationsProjection = {
  name: 'notifications',
  purpose: 'What students are told',
  version: 4,
  lingers: true,
  tables: [notices, upvotesReceived],
  counters: [upvoteDays],
} as const satisfies Projection;
