import type pg from 'pg';
import type { JsonObject, RecordedEvent, SnapshotStreams, StreamSnapshot } from '../port.js';
import { COLUMNS, eventOf, type EventRow } from './event-queries.js';

type SnapshotPart = [
  streamId: string,
  shape: string | null,
  revision: string | null,
  eventId: string | null,
  state: JsonObject | null,
  commands: string | null,
];
type Absent<Row extends unknown[]> = { [Index in keyof Row]: null };

/** An event, or nothing where a snapshot stands alone; and its snapshot beside the first of a stream. */
export type SnapshotRow = [...EventRow, ...SnapshotPart] | [...Absent<EventRow>, ...SnapshotPart];

const NAMES = COLUMNS.split(', ');
const EVENT = NAMES.map((column) => `e.${column}`).join(', ');

/**
 * Each stream from its snapshot's event on. The state, which may be long, is told once: beside that event, or where none is there.
 * @param shapes see `EventStore.readFromSnapshots`
 */
export function readFromSnapshotsQuery(
  shapes: ReadonlyMap<string, string | undefined>,
  table: string,
): pg.QueryConfig {
  return {
    name: 'nimo-read-from-snapshots',
    text: `SELECT ${EVENT}, wanted.stream_id, s.shape, s.revision, s.event_id, s.state, s.commands
           FROM unnest($1::text[], $2::text[]) AS wanted (stream_id, shape)
           LEFT JOIN ${table} k ON k.stream_id = wanted.stream_id AND k.shape = wanted.shape
           LEFT JOIN LATERAL (
             SELECT ${COLUMNS} FROM log.events
             WHERE stream_id = wanted.stream_id AND revision >= coalesce(k.revision, 0) ORDER BY revision
           ) e ON true
           LEFT JOIN LATERAL (SELECT k.*) s ON e.revision IS NULL OR e.revision = k.revision
           WHERE e.revision IS NOT NULL OR k.revision IS NOT NULL
           ORDER BY e.stream_id, e.revision`,
    values: [[...shapes.keys()], [...shapes.values()].map((shape) => shape ?? null)],
  };
}

export function snapshotStreamsOf(
  streamIds: readonly string[],
  rows: readonly SnapshotRow[],
): SnapshotStreams {
  const streams = new Map(streamIds.map((streamId): [string, RecordedEvent[]] => [streamId, []]));
  const kept: StreamSnapshot[] = [];
  for (const row of rows) {
    const [streamId, shape, revision, eventId, state, commands] = row.slice(NAMES.length) as SnapshotPart;
    if (row[0] !== null) streams.get(streamId)?.push(eventOf(row.slice(0, NAMES.length) as EventRow));
    if (shape !== null && eventId !== null && state !== null)
      kept.push({ streamId, shape, revision: Number(revision), eventId, state, commands: commands ?? '' });
  }
  return { streams, kept };
}
