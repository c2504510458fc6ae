import type { VoteData } from '@nimo/domain';
import type {
  Columns,
  CounterTable,
  Key,
  Projected,
  ProjectedEvent,
  RowChange,
  RowOf,
  Table,
} from '../projection.js';
import { invalidatedIn, validAfter, VOTE_STANDING_COLUMNS, withdrawn } from '../vote-standing.js';

const COLUMNS = {
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
export type UpvoteReceivedRow = RowOf<typeof COLUMNS>;

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

export const upvotesReceived: Table<UpvoteReceivedRow> = {
  name: 'upvotes_received',
  columns: COLUMNS,
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
export const upvoteDays: CounterTable = {
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
