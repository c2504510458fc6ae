import { randomUUID } from 'node:crypto';
import type { NewEvent } from '@nimo/event-store';

/** Same size as the most frequent event. */
export function voteEvent(): NewEvent {
  const id = randomUUID();
  return {
    id,
    type: 'VoteCast',
    data: {
      postType: 'QUESTION',
      postId: id,
      questionId: id,
      spaceId: id,
      postAuthorId: id,
      voterId: id,
      direction: 'UP',
      voterIsStandIn: false,
    },
    metadata: {
      occurredAt: '2026-11-21T08:00:00.000Z',
      recordedAt: '2026-11-21T08:00:00.000Z',
      actor: { kind: 'student', id },
      commandId: id,
      correlationId: id,
      causationId: id,
      schemaVersion: 1,
    },
  };
}
