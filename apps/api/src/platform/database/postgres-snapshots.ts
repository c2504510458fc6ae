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

/** Rows of `state.stream_snapshots`, whichever engine has the log. */
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
   * Of somebody who is erased: what they wrote, and what they did to what others wrote. It goes after their key: a snapshot that is taken from
   * then on is of a log in which what was sealed reads as nothing. In the order of `write`, so that neither waits for the other for ever.
   */
  async forget(studentId: string): Promise<void> {
    await this.pool.query('select state.forget_snapshots($1)', [studentId]);
  }

  /**
   * An older one may take the place of a newer one: then more is read once. In one order, so that two writers do not wait for each other.
   * Of somebody whose key is gone none is kept: a process may have read the stream a moment before. An erasure that is on its way is waited for,
   * and waits for this: otherwise neither would see what the other does.
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
