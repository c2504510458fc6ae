import { decisionOf, type Actor, type EventOf } from '@nimo/domain';
import type { Key, ProjectedEvent, Table } from '../projection.js';

/** What moderators decided about a post: by a case, or by deleting it out of hand. */
export type ModerationDecisionRow = {
  readonly post_id: string;
  readonly ordinal: number;
  readonly decision: string;
  /** Null where no student decided (the command line). */
  readonly moderator_id: string | null;
  readonly to_moderator_id: string | null;
  readonly reason: string;
  readonly round: number | null;
  readonly decided_at: string;
  readonly post_type: string;
  readonly space_id: string;
  readonly author_id: string;
};

type Decided = Omit<ModerationDecisionRow, 'ordinal' | 'decided_at'>;
type Ruling = EventOf<'ReportsUpheld' | 'ReportsDismissed' | 'ReportsHandedOver' | 'UpholdingReversed'>;

const ofCase = ({ type, data }: Ruling): Decided => ({
  post_id: data.postId,
  decision: decisionOf(type),
  moderator_id: data.moderatorId,
  to_moderator_id: 'toModeratorId' in data ? data.toModeratorId : null,
  reason: 'note' in data ? data.note : data.reason,
  round: data.round,
  post_type: data.postType,
  space_id: data.spaceId,
  author_id: data.postAuthorId,
});

const studentOf = (actor: Actor): string | null => (actor.kind === 'student' ? actor.id : null);

/** Of an author's own deletion there is nothing to tell: only a moderator gives a reason. */
function ofDeletion(
  { metadata }: ProjectedEvent,
  postId: string,
  postType: string,
  { spaceId, authorId, reason }: { spaceId: string; authorId: string; reason: string | null },
): Decided | undefined {
  if (reason === null) return undefined;
  return {
    post_id: postId,
    decision: 'DELETED',
    moderator_id: studentOf(metadata.actor),
    to_moderator_id: null,
    reason,
    round: null,
    post_type: postType,
    space_id: spaceId,
    author_id: authorId,
  };
}

function decisionIn(event: ProjectedEvent): Decided | undefined {
  switch (event.type) {
    case 'ReportsUpheld':
    case 'ReportsDismissed':
    case 'ReportsHandedOver':
    case 'UpholdingReversed':
      return ofCase(event);
    case 'QuestionDeleted':
      return ofDeletion(event, event.data.questionId, 'QUESTION', event.data);
    case 'AnswerDeleted':
      return ofDeletion(event, event.data.answerId, 'ANSWER', event.data);
    case 'CommentDeleted': {
      const postType = event.data.parentType === 'QUESTION' ? 'QUESTION_COMMENT' : 'COMMENT';
      return ofDeletion(event, event.data.commentId, postType, event.data);
    }
    default:
      return undefined;
  }
}

export const moderationDecisions: Table<ModerationDecisionRow> = {
  name: 'moderation_decisions',
  columns: {
    post_id: { type: 'text' },
    ordinal: { type: 'bigint' },
    decision: { type: 'text' },
    moderator_id: { type: 'text', nullable: true },
    to_moderator_id: { type: 'text', nullable: true },
    reason: { type: 'text' },
    round: { type: 'integer', nullable: true },
    decided_at: { type: 'timestamptz' },
    post_type: { type: 'text' },
    space_id: { type: 'text' },
    author_id: { type: 'text' },
  },
  key: ['post_id', 'ordinal'],
  indexes: [
    'create index moderation_decisions_author_{suffix} on {table} (author_id, space_id, decided_at desc, ordinal desc)',
  ],
  keysOf(event): readonly Key[] {
    const decided = decisionIn(event);
    return decided ? [[decided.post_id, event.ordinal]] : [];
  },
  fold(row, event) {
    const decided = decisionIn(event);
    return decided ? { ...decided, ordinal: event.ordinal, decided_at: event.metadata.occurredAt } : row;
  },
};

export type Block = {
  readonly kind: 'BLOCKED' | 'UNBLOCKED';
  readonly reason: string | null;
  readonly moderatorId: string | null;
  readonly at: string;
};

/** How often a student was blocked, and why. Goes with the student. */
export type StudentBlocksRow = { readonly student_id: string; readonly blocks: readonly Block[] };

function blockIn(event: ProjectedEvent): Block | undefined {
  const told = { moderatorId: studentOf(event.metadata.actor), at: event.metadata.occurredAt };
  switch (event.type) {
    case 'StudentBlocked':
      return { kind: 'BLOCKED', reason: event.data.reason, ...told };
    case 'StudentUnblocked':
      return { kind: 'UNBLOCKED', reason: event.data.reason ?? null, ...told };
    default:
      return undefined;
  }
}

export const studentBlocks: Table<StudentBlocksRow> = {
  name: 'student_blocks',
  columns: { student_id: { type: 'text' }, blocks: { type: 'jsonb' } },
  key: ['student_id'],
  keysOf(event): readonly Key[] {
    switch (event.type) {
      case 'StudentBlocked':
      case 'StudentUnblocked':
      case 'StudentErased':
        return [[event.data.studentId]];
      default:
        return [];
    }
  },
  fold(row, event) {
    if (event.type === 'StudentErased') return undefined;
    const block = blockIn(event);
    if (!block || !('studentId' in event.data)) return row;
    return { student_id: event.data.studentId, blocks: [...(row?.blocks ?? []), block] };
  },
};

/** How votes on a post came and went, day by day (UTC). */
export type VoteDayRow = {
  readonly post_id: string;
  readonly day: string;
  readonly up: number;
  readonly down: number;
  readonly withdrawn: number;
};

const NO_VOTES = { up: 0, down: 0, withdrawn: 0 };
const counterOf = ({ type, data }: EventOf<'VoteCast' | 'VoteWithdrawn'>): keyof typeof NO_VOTES => {
  if (type === 'VoteWithdrawn') return 'withdrawn';
  return data.direction === 'UP' ? 'up' : 'down';
};
const dayOf = ({ metadata }: ProjectedEvent): string => metadata.occurredAt.slice(0, 'YYYY-MM-DD'.length);

export const voteDays: Table<VoteDayRow> = {
  name: 'vote_days',
  columns: {
    post_id: { type: 'text' },
    day: { type: 'text' },
    up: { type: 'integer' },
    down: { type: 'integer' },
    withdrawn: { type: 'integer' },
  },
  key: ['post_id', 'day'],
  keysOf: (event): readonly Key[] =>
    event.type === 'VoteCast' || event.type === 'VoteWithdrawn' ? [[event.data.postId, dayOf(event)]] : [],
  fold(row, event) {
    if (event.type !== 'VoteCast' && event.type !== 'VoteWithdrawn') return row;
    const known = row ?? { post_id: event.data.postId, day: dayOf(event), ...NO_VOTES };
    const counter = counterOf(event);
    return { ...known, [counter]: known[counter] + 1 };
  },
};
