import {
  confidentialReadDecider,
  currentSchemaVersion,
  type EventMetadata,
  type EventOf,
} from '@nimo/domain';
import { type EventStore, handleCommand } from '@nimo/event-store';
import { operatorContext } from '../cli-session.js';

/**
 * Records in a log that the operator is about to copy it. Works without an installation.
 * @param log the raw store: the event has no personal data to seal
 */
export async function recordCopy(log: EventStore, operator: string): Promise<void> {
  const { actor, commandId, correlationId, causationId } = operatorContext(operator);
  const streamId = confidentialReadDecider.stream(commandId);
  const now = new Date().toISOString();
  const data: EventOf<'ConfidentialDataRead'>['data'] = {
    readId: commandId,
    what: 'LOG_EXPORT',
    spaceIds: [],
    studentIds: [],
    post: null,
    caseId: null,
    filter: null,
    rows: null,
  };
  const metadata: EventMetadata = {
    occurredAt: now,
    recordedAt: now,
    actor,
    commandId,
    correlationId,
    causationId,
    schemaVersion: currentSchemaVersion('ConfidentialDataRead'),
  };
  await handleCommand({
    store: log,
    streamIds: [streamId],
    commandId,
    metadata,
    decide: () => ({ streamId, events: [{ type: 'ConfidentialDataRead', data }] }),
  });
}
