import type pg from 'pg';
import type { JsonObject, RecordedEvent } from '../port.js';
import { formatPosition } from '../numeric-position.js';

export const COLUMNS = 'position, stream_id, revision, event_id, type, data, metadata';

export type EventRow = [
  position: string,
  streamId: string,
  revision: string,
  id: string,
  type: string,
  data: JsonObject,
  metadata: JsonObject,
];

export function eventOf([position, streamId, revision, id, type, data, metadata]: EventRow): RecordedEvent {
  return {
    id,
    type,
    data,
    metadata,
    streamId,
    revision: Number(revision),
    position: formatPosition(position),
  };
}

export function readAllQuery(after: number, until: number, limit: number): pg.QueryConfig {
  return {
    name: 'nimo-read-all',
    text: `SELECT ${COLUMNS} FROM log.events WHERE position > $1 AND position <= $2 ORDER BY position LIMIT $3`,
    values: [after, until, limit],
  };
}

export function readStreamQuery(streamId: string, fromRevision: number, limit: number): pg.QueryConfig {
  return {
    name: 'nimo-read-stream',
    text: `SELECT ${COLUMNS} FROM log.events WHERE stream_id = $1 AND revision >= $2 ORDER BY revision LIMIT $3`,
    values: [streamId, fromRevision, limit],
  };
}

export function readStreamsQuery(
  streamIds: readonly string[],
  from?: ReadonlyMap<string, number>,
): pg.QueryConfig {
  if (from === undefined) {
    return {
      name: 'nimo-read-streams',
      text: `SELECT ${COLUMNS} FROM log.events WHERE stream_id = ANY($1::text[]) ORDER BY stream_id, revision`,
      values: [streamIds],
    };
  }
  // Stream by stream, each from its place in the index of its revisions: what is before is not looked at.
  return {
    name: 'nimo-read-streams-from',
    text: `SELECT ${COLUMNS.split(', ')
      .map((column) => `e.${column}`)
      .join(', ')}
           FROM unnest($1::text[], $2::bigint[]) AS wanted (stream_id, from_revision)
           CROSS JOIN LATERAL (
             SELECT ${COLUMNS} FROM log.events
             WHERE stream_id = wanted.stream_id AND revision >= wanted.from_revision ORDER BY revision
           ) e ORDER BY e.stream_id, e.revision`,
    values: [streamIds, streamIds.map((streamId) => from.get(streamId) ?? 0)],
  };
}
