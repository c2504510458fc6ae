import { randomUUID } from 'node:crypto';
import type { DomainEvent, VoteData } from '@nimo/domain';
import type { ProjectedEvent } from '../projection.js';

/** An event with the minute in which it happened, counted from the beginning of a day. */
export type Told = readonly [minute: number, event: DomainEvent];

/** What can happen to a vote and to a round of reports on one post. */
export function happenings() {
  const id = randomUUID;
  const post = {
    postType: 'QUESTION',
    postId: id(),
    questionId: id(),
    spaceId: id(),
    postAuthorId: id(),
  } as const;
  const vote: VoteData = { ...post, voterId: id(), direction: 'UP', voterIsStandIn: false };
  const decision = { moderatorId: id(), category: 'OTHER', reason: 'Because', votes: [vote, vote] } as const;
  const cases = [id(), id()];
  const reporters = [id(), id(), id()];
  const round = { ...post, moderatorId: id(), reason: 'No', round: 1 };
  return {
    vote,
    ofVote: [
      { type: 'VoteCast', data: vote },
      { type: 'VoteCast', data: vote },
      { type: 'VoteWithdrawn', data: vote },
      { type: 'VoteWithdrawn', data: vote },
      ...cases.flatMap((caseId): DomainEvent[] => [
        { type: 'VotesInvalidated', data: { caseId, ...decision } },
        { type: 'InvalidationReversed', data: { caseId, ...decision } },
      ]),
    ] as readonly DomainEvent[],
    ofReports: [
      ...reporters.map((reporterId): DomainEvent => ({
        type: 'PostReported',
        data: { ...post, reporterId, reason: 'Spam', round: 1 },
      })),
      { type: 'ReportsDismissed', data: round },
    ] as readonly DomainEvent[],
  };
}

export const momentOf = (minute: number): string => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();

/** As a fold gets them: `after` is the ordinal of the event before the first. */
export const projectedEvents = (told: readonly Told[], after = 0): ProjectedEvent[] =>
  told.map(([minute, event], index) => ({
    ...event,
    id: randomUUID(),
    streamId: 'any',
    ordinal: after + index + 1,
    metadata: {
      occurredAt: momentOf(minute),
      recordedAt: momentOf(minute),
      actor: { kind: 'system' },
      commandId: randomUUID(),
      correlationId: randomUUID(),
      causationId: randomUUID(),
      schemaVersion: 1,
    },
  }));
