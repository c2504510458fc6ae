import { randomUUID } from 'node:crypto';
import type { DomainEvent, VoteData } from '@nimo/domain';
import type { ProjectedEvent } from '../projection.js';

/** An event and the minute of the day it occurred in. */
export type TimedEvent = readonly [minute: number, event: DomainEvent];

/** Events that can follow each other on a vote and on a round of reports, all for one post. */
export function possibleEvents() {
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
  const { spaceId, questionId } = post;
  const question = { questionId, spaceId, authorId: post.postAuthorId };
  const comment = { ...question, commentId: id(), parentType: 'QUESTION', parentId: questionId } as const;
  const [first, second] = [id(), id()].map((answerId) => ({ answerId, answerAuthorId: id() }));
  if (!first || !second) throw new Error('two answers');
  const acceptance = { questionId, spaceId, questionAuthorId: id() };
  return {
    vote,
    postEvents: [
      {
        type: 'CommentPosted',
        data: { ...comment, parentAuthorId: id(), body: '', mentionedStudentIds: [] },
      },
      { type: 'CommentDeleted', data: { ...comment, reason: null } },
      { type: 'CommentDeleted', data: { ...comment, reason: 'Rude' } },
      { type: 'AnswerAccepted', data: { ...acceptance, ...first } },
      { type: 'AnswerAccepted', data: { ...acceptance, ...second, supersedes: first } },
      { type: 'AnswerAccepted', data: { ...acceptance, ...first, supersedes: second } },
    ] as readonly DomainEvent[],
    voteEvents: [
      { type: 'VoteCast', data: vote },
      { type: 'VoteCast', data: vote },
      { type: 'VoteWithdrawn', data: vote },
      { type: 'VoteWithdrawn', data: vote },
      ...cases.flatMap((caseId): DomainEvent[] => [
        { type: 'VotesInvalidated', data: { caseId, ...decision } },
        { type: 'InvalidationReversed', data: { caseId, ...decision } },
      ]),
    ] as readonly DomainEvent[],
    reportEvents: [
      ...reporters.map((reporterId): DomainEvent => ({
        type: 'PostReported',
        data: { ...post, reporterId, reason: 'Spam', round: 1 },
      })),
      { type: 'ReportsUpheld', data: round },
      { type: 'ReportsUpheld', data: { ...round, penalty: 'NONE' } },
      { type: 'ReportsUpheld', data: { ...round, penalty: 'FULL' } },
      { type: 'ReportsDismissed', data: round },
    ] as readonly DomainEvent[],
  };
}

export const momentOf = (minute: number): string => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();

/** @param after ordinal of the event before the first */
export const projectedEvents = (events: readonly TimedEvent[], after = 0): ProjectedEvent[] =>
  events.map(([minute, event], index) => ({
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
