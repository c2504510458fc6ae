import type { AllStreamRecordedEvent, RecordedEvent as StoredEvent } from '@eventstore/db-client';
import type { JsonObject, RecordedEvent } from '../port.js';
import { formatGlobalPosition } from './global-position.js';

/** The server's own streams and types start with $; `readAll` cannot leave them out, and the filter of a subscription knows either types or streams. */
export function isProductEvent(event: StoredEvent | AllStreamRecordedEvent): boolean {
  return !event.streamId.startsWith('$') && !event.type.startsWith('$') && event.isJson;
}

export function recordedEventOf(event: StoredEvent | AllStreamRecordedEvent): RecordedEvent {
  if (event.position === undefined) throw new TypeError(`event ${event.id} came without its position`);
  return {
    id: event.id,
    type: event.type,
    data: event.data as JsonObject,
    metadata: (event.metadata ?? {}) as JsonObject,
    streamId: event.streamId,
    revision: Number(event.revision),
    position: formatGlobalPosition(event.position),
  };
}
