import { studentDecider } from '@nimo/domain';
import type { EventStore, RecordedEvent } from '@nimo/event-store';
import type { Logger } from '../logging/logger.js';
import type { Metrics } from '../operations/metrics.js';
import type { OnUnreadable } from './sealed-values.js';
import { isSealedText } from './sealed-value.js';

const MAX_NAMED = 1_000;

const isSealed = ({ data }: RecordedEvent): boolean => Object.values(data).some(isSealedText);

/** @param log as it is stored. Every personal event is in its student's own stream. */
export const sealedIn =
  (log: EventStore) =>
  async (studentIds: readonly string[]): Promise<readonly string[]> => {
    const streams = await log.readStreams(studentIds.map((id) => studentDecider.stream(id)));
    return studentIds.filter((id) => streams.get(studentDecider.stream(id))?.some(isSealed) === true);
  };

/** Counts each value that is read as null for the lack of a key, and names each student once. */
export function lostKeysAlarm(logger: Logger, metrics: Metrics): OnUnreadable {
  const named = new Set<string>();
  return (reason, studentId) => {
    metrics.unreadableValues.inc({ reason });
    const line = `${reason} ${studentId}`;
    if (named.has(line) || named.size >= MAX_NAMED) return;
    named.add(line);
    logger.error({ reason, studentId }, 'personal data in the log cannot be opened: restore the keys');
  };
}
