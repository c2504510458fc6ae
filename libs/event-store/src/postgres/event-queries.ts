import type pg from 'pg';
import type { Pool } from 'pg';
import type { JsonObject, Position, RecordedEvent, SnapshotStreams, StreamSnapshot } from '../port.js';
import { formatPosition } from '../numeric-position.js';

const COLUMNS = 'position, stream_id, revision, event_id, type, data, metadata';

type EventRow = [
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
    text: `select ${COLUMNS} from log.events where position > $1 and position <= $2 order by position limit $3`,
    values: [after, until, limit],
  };
}

export function readStreamQuery(streamId: string, fromRevision: number, limit: number): pg.QueryConfig {
  return {
    name: 'nimo-read-stream',
    text: `select ${COLUMNS} from log.events where stream_id = $1 and revision >= $2 order by revision limit $3`,
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
      text: `select ${COLUMNS} from log.events where stream_id = any($1::text[]) order by stream_id, revision`,
      values: [streamIds],
    };
  }
  // One index range scan per stream, starting at its revision.
  return {
    name: 'nimo-read-streams-from',
    text: `select ${COLUMNS.split(', ')
      .map((column) => `e.${column}`)
      .join(', ')}
           from unnest($1::text[], $2::bigint[]) as wanted (stream_id, from_revision)
           cross join lateral (
             select ${COLUMNS} from log.events
             where stream_id = wanted.stream_id and revision >= wanted.from_revision order by revision
           ) e order by e.stream_id, e.revision`,
    values: [streamIds, streamIds.map((streamId) => from.get(streamId) ?? 0)],
  };
}

type SnapshotPart = [
  streamId: string,
  shape: string | null,
  revision: string | null,
  eventId: string | null,
  state: JsonObject | null,
  commands: string | null,
];
type Absent<Row extends unknown[]> = { [Index in keyof Row]: null };

/** An event (nulls if there is only a snapshot), with the snapshot in the first row of each stream. */
export type SnapshotRow = [...EventRow, ...SnapshotPart] | [...Absent<EventRow>, ...SnapshotPart];

const NAMES = COLUMNS.split(', ');
const EVENT = NAMES.map((column) => `e.${column}`).join(', ');

/**
 * Reads each stream from the event of its snapshot onwards. The state, which may be large, is returned once per stream.
 * @param shapes see `EventStore.readFromSnapshots`
 */
export function readFromSnapshotsQuery(
  shapes: ReadonlyMap<string, string | undefined>,
  table: string,
): pg.QueryConfig {
  return {
    name: 'nimo-read-from-snapshots',
    text: `select ${EVENT}, wanted.stream_id, s.shape, s.revision, s.event_id, s.state, s.commands
           from unnest($1::text[], $2::text[]) as wanted (stream_id, shape)
           left join ${table} k on k.stream_id = wanted.stream_id and k.shape = wanted.shape
           left join lateral (
             select ${COLUMNS} from log.events
             where stream_id = wanted.stream_id and revision >= coalesce(k.revision, 0) order by revision
           ) e on true
           left join lateral (select k.*) s on e.revision is null or e.revision = k.revision
           where e.revision is not null or k.revision is not null
           order by e.stream_id, e.revision`,
    values: [[...shapes.keys()], [...shapes.values()].map((shape) => shape ?? null)],
  };
}

export function snapshotStreamsOf(
  streamIds: readonly string[],
  rows: readonly SnapshotRow[],
): SnapshotStreams {
  const streams = new Map(streamIds.map((streamId): [string, RecordedEvent[]] => [streamId, []]));
  const snapshots: StreamSnapshot[] = [];
  for (const row of rows) {
    const [streamId, shape, revision, eventId, state, commands] = row.slice(NAMES.length) as SnapshotPart;
    if (row[0] !== null) streams.get(streamId)?.push(eventOf(row.slice(0, NAMES.length) as EventRow));
    if (shape !== null && eventId !== null && state !== null)
      snapshots.push({
        streamId,
        shape,
        revision: Number(revision),
        eventId,
        state,
        commands: commands ?? '',
      });
  }
  return { streams, snapshots };
}

/** Position of an ordinal, found by counting events: in a log that lost an event, positions have a gap. */
export async function positionOfOrdinal(pool: Pool, ordinal: number): Promise<Position | undefined> {
  const { rows } = await pool.query<{ position: string }>(
    'select position from log.events order by position offset $1 limit 1',
    [ordinal - 1],
  );
  return rows[0] && formatPosition(rows[0].position);
}
