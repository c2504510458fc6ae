import type { VoteData } from '@nimo/domain';
import type { CounterTable, Key, ProjectedEvent, RowChange, Table } from '../projection.js';

/**
 * An upvote that its receiver is told of, on the day on which it was first cast: taking it back and casting it again tells
 * nothing anew. Downvotes are told by the score's explanation alone.
 */
export type UpvoteReceivedRow = {
  readonly post_id: string;
  readonly voter_id: string;
  readonly post_type: string;
  readonly receiver_id: string;
  readonly space_id: string;
  readonly question_id: string;
  /** UTC. */
  readonly day: string;
  readonly is_held: boolean;
  readonly invalid_in: readonly string[];
};

const keyOf = ({ postId, voterId }: VoteData): Key => [postId, voterId];
const isUpvote = ({ direction }: VoteData): boolean => direction === 'UP';

function castOn(event: ProjectedEvent & { readonly type: 'VoteCast' }): UpvoteReceivedRow {
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
  columns: {
    post_id: { type: 'text' },
    voter_id: { type: 'text' },
    post_type: { type: 'text' },
    receiver_id: { type: 'text' },
    space_id: { type: 'text' },
    question_id: { type: 'text' },
    day: { type: 'text' },
    is_held: { type: 'boolean' },
    invalid_in: { type: 'text[]' },
  },
  key: ['post_id', 'voter_id'],
  keysOf(event): readonly Key[] {
    if (event.metadata.actor.kind === 'import') return [];
    switch (event.type) {
      case 'VoteCast':
      case 'VoteWithdrawn':
        return isUpvote(event.data) ? [keyOf(event.data)] : [];
      case 'VotesInvalidated':
      case 'InvalidationReversed':
        return event.data.votes.filter(isUpvote).map(keyOf);
      default:
        return [];
    }
  },
  fold(row, event) {
    switch (event.type) {
      case 'VoteCast':
        if (!row) return castOn(event);
        return row.is_held ? row : { ...row, is_held: true };
      case 'VoteWithdrawn':
        return row?.is_held ? { ...row, is_held: false } : row;
      case 'VotesInvalidated': {
        const { caseId } = event.data;
        return row && !row.invalid_in.includes(caseId)
          ? { ...row, invalid_in: [...row.invalid_in, caseId] }
          : row;
      }
      case 'InvalidationReversed': {
        const { caseId } = event.data;
        return row?.invalid_in.includes(caseId)
          ? { ...row, invalid_in: row.invalid_in.filter((id) => id !== caseId) }
          : row;
      }
      default:
        return row;
    }
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
