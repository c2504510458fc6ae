import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { type VoteData, caseDecider } from '@nimo/domain';
import type { EventStore, JsonObject } from '@nimo/event-store';
import type { TestApp } from '../../../../../../../test/app.js';
import { eventually } from '@nimo/testing';
import { EVENT_STORE } from '../../../../platform/config/tokens.js';

interface Invalidations {
  readonly spaceId: string;
  readonly moderatorId: string;
  readonly cases: number;
  readonly votesEach: number;
  readonly reason?: string;
}

/** Appends cases of invalidated votes; each vote is an audit entry. The last case is the newest. */
export async function appendInvalidations(
  app: TestApp,
  { spaceId, moderatorId, cases, votesEach, reason = '=cmd|"/c calc"!A1, "quoted"' }: Invalidations,
): Promise<void> {
  const store = app.api.get<EventStore>(EVENT_STORE, { strict: false });
  const at = new Date().toISOString();
  for (let count = 0; count < cases; count += 1) {
    const [id, caseId, postId] = [randomUUID(), randomUUID(), randomUUID()];
    const votes = Array.from({ length: votesEach }, (): VoteData => ({
      ...{ postType: 'ANSWER', postId, questionId: postId, spaceId },
      ...{ postAuthorId: randomUUID(), voterId: randomUUID(), direction: 'UP', voterIsStandIn: false },
    }));
    const data = { caseId, moderatorId, reason, votes };
    const metadata = {
      ...{ occurredAt: at, recordedAt: at, actor: { kind: 'student', id: moderatorId } },
      ...{ commandId: id, correlationId: id, causationId: id, schemaVersion: 1 },
    };
    const event = { id, type: 'VotesInvalidated', data: data as unknown as JsonObject, metadata };
    await store.append([
      { streamId: caseDecider.stream(caseId), expectedRevision: 'no-stream', events: [event] },
    ]);
    // One case at a time, to stay within the projection timeout. Projections that do not know the posts stop here.
    await eventually(
      () => app.pool.query('select from read.audit_entries where case_id = $1', [caseId]),
      ({ rowCount }) => rowCount === votesEach,
    );
  }
}

/** Starts a download. @returns the unread response */
export async function startExport({ url }: TestApp, file: string, token: string): Promise<IncomingMessage> {
  const request = get(`${url}/audit/${file}`, { headers: { authorization: `Bearer ${token}` } });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return response;
}
