import type { JsonObject, SnapshotStore, StreamSnapshot } from '@nimo/event-store';
import type { Pool } from 'pg';

export const SNAPSHOT_TABLE = 'state.stream_snapshots';

interface Row {
  readonly stream_id: string;
  readonly shape: string;
  readonly revision: string;
  readonly event_id: string;
  readonly state: JsonObject;
  readonly commands: string;
}

/** Stream snapshots in `state.stream_snapshots`, for every log engine. */
export class PostgresSnapshots implements SnapshotStore {
  constructor(private readonly pool: Pool) {}

  async read(streamIds: readonly string[]): Promise<readonly StreamSnapshot[]> {
    const { rows } = await this.pool.query<Row>({
      name: 'stream-snapshots-read',
      text: `select stream_id, shape, revision, event_id, state, commands from state.stream_snapshots
             where stream_id = any($1::text[])`,
      values: [streamIds],
    });
    return rows.map(({ stream_id, revision, event_id, ...row }) => ({
      ...row,
      streamId: stream_id,
      revision: Number(revision),
      eventId: event_id,
    }));
  }

  /**
   * Deletes snapshots of an erased student's posts and actions. Call after destroying the key: later snapshots no longer contain the data.
   * Locks rows in the order of `write`, to avoid deadlocks.
   */
  async forget(studentId: string): Promise<void> {
    await this.pool.query('select state.forget_snapshots($1)', [studentId]);
  }

  /**
   * Upserts snapshots; replacing a newer one with an older one only costs reads. Rows are written in a fixed order, to avoid deadlocks.
   * Skips authors whose key is erased, since a process may have read the stream just before. The share lock serialises this with an erasure
   * in progress.
   */
  async write(snapshots: readonly StreamSnapshot[]): Promise<void> {
    const rows = [...snapshots].sort((left, right) => (left.streamId < right.streamId ? -1 : 1));
    await this.pool.query({
      name: 'stream-snapshots-write',
      text: `with author as (
               select id, wrapped_key from state.student_key
               where id = any($7::text[]) and kind = 'words' order by id for share)
             insert into state.stream_snapshots (stream_id, shape, revision, event_id, state, commands)
             select * from unnest($1::text[], $2::text[], $3::bigint[], $4::uuid[], $5::jsonb[], $6::text[])
               as s (stream_id, shape, revision, event_id, state, commands)
             where not exists (select from author
                               where id = s.state ->> 'authorId' and wrapped_key is null)
             order by s.stream_id collate "C"
             on conflict (stream_id) do update set shape = excluded.shape, revision = excluded.revision,
               event_id = excluded.event_id, state = excluded.state, commands = excluded.commands`,
      values: [
        rows.map(({ streamId }) => streamId),
        rows.map(({ shape }) => shape),
        rows.map(({ revision }) => revision),
        rows.map(({ eventId }) => eventId),
        rows.map(({ state }) => JSON.stringify(state)),
        rows.map(({ commands }) => commands),
        [...new Set(rows.flatMap(({ state }) => authorOf(state)))],
      ],
    });
  }
}

const authorOf = ({ authorId }: JsonObject): readonly string[] =>
  typeof authorId === 'string' ? [authorId] : [];
