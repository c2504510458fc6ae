import { randomUUID } from 'node:crypto';
import type { DomainEvent, EventMetadata } from '@nimo/domain';
import type { Append } from '@nimo/event-store';

/** An append as a command of this actor would have written it at `at` (milliseconds since 1970). */
export function pastAppend(
  at: number,
  streamId: string,
  actorId: string,
  events: readonly DomainEvent[],
): Append {
  const moment = new Date(at).toISOString();
  const commandId = randomUUID();
  const metadata: Omit<EventMetadata, 'schemaVersion'> = {
    occurredAt: moment,
    recordedAt: moment,
    actor: { kind: 'student', id: actorId },
    commandId,
    correlationId: commandId,
    causationId: commandId,
  };
  return {
    streamId,
    expectedRevision: 'any',
    events: events.map(({ type, data }) => ({ id: randomUUID(), type, data, metadata })),
  };
}
