import { LOG_CHANNEL, LOG_LOCK } from './schema.js';

/**
 * The append that tells nobody: whoever calls it rings afterwards (see doorbell.ts). The NOTIFY that was in it before took, at the commit, a
 * lock of the whole server, and held it until the disk had answered. Safe to run again; comes after LOG_SCHEMA_SQL.
 */
export const LOG_APPEND_SQL = `
-- Appends a batch. Streams and event ids must be distinct within it. Expected revisions: -2 any, -1 no stream.
-- JSON texts come joined by newlines, which JSON.stringify never writes; that spares the escaping of an array.
CREATE OR REPLACE FUNCTION log.append_events(
  stream_ids text[], expected_revisions bigint[],
  append_numbers int[], event_ids uuid[], types text[], data_lines text, metadata_lines text
) RETURNS TABLE (append_number int, outcome text, last_position bigint, last_revision bigint)
LANGUAGE plpgsql VOLATILE
-- Plans are kept for the session and must not be those of a table that was still empty.
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off SET jit = off
AS $append$
DECLARE
  head bigint;
BEGIN
  IF current_setting('transaction_isolation') <> 'read committed' THEN
    RAISE EXCEPTION 'log.append_events must run in READ COMMITTED: an older snapshot would not see the last appends';
  END IF;
  PERFORM pg_advisory_xact_lock(${LOG_LOCK});
  SELECT coalesce(max(e.position), 0) INTO head FROM log.events e;

  RETURN QUERY
  WITH sent AS MATERIALIZED (
    SELECT s.*, k.position AS known_position, k.stream_id AS known_stream, k.revision AS known_revision
    FROM unnest(append_numbers, event_ids, types,
                string_to_array(data_lines, E'\\n'), string_to_array(metadata_lines, E'\\n'))
         WITH ORDINALITY AS s(number, id, type, data, metadata, place)
    LEFT JOIN log.events k ON k.event_id = s.id
  ), judged AS MATERIALIZED (
    SELECT a.number::int, a.stream_id, last.revision AS last_revision, known.last_position AS known_position,
           known.last_revision AS known_revision,
           CASE
             WHEN known.events = 0 AND a.expected IN (-2, last.revision) THEN 'appended'
             WHEN known.is_same AND (a.expected = -2 OR a.expected = known.first_revision - 1) THEN 'duplicate'
             ELSE 'conflict'
           END AS outcome
    FROM unnest(stream_ids, expected_revisions) WITH ORDINALITY AS a(stream_id, expected, number)
    CROSS JOIN LATERAL (
      SELECT coalesce(max(e.revision), -1) AS revision FROM log.events e WHERE e.stream_id = a.stream_id
    ) last
    JOIN (
      SELECT s.number, count(s.known_position) AS events,
             min(s.known_revision) AS first_revision, max(s.known_revision) AS last_revision,
             max(s.known_position) AS last_position,
             -- Every id known, in one stream, in the order sent and without a gap.
             count(s.known_position) = count(*)
               AND bool_and(s.known_stream = stream_ids[s.number])
               AND min(s.known_revision - s.place) = max(s.known_revision - s.place) AS is_same
      FROM sent s GROUP BY s.number
    ) known ON known.number = a.number
  ), inserted AS (
    INSERT INTO log.events AS e (position, stream_id, revision, event_id, type, data, metadata)
    SELECT head + row_number() OVER (ORDER BY s.place), j.stream_id,
           j.last_revision + row_number() OVER (PARTITION BY s.number ORDER BY s.place),
           s.id, s.type, s.data::json, s.metadata::json
    FROM sent s JOIN judged j ON j.number = s.number
    WHERE j.outcome = 'appended'
    ORDER BY s.place
    RETURNING e.stream_id, e.position, e.revision
  ), ends AS (
    SELECT i.stream_id, max(i.position) AS position, max(i.revision) AS revision FROM inserted i GROUP BY i.stream_id
  )
  SELECT j.number, j.outcome,
         CASE j.outcome WHEN 'appended' THEN e.position WHEN 'duplicate' THEN j.known_position END,
         CASE j.outcome WHEN 'appended' THEN e.revision WHEN 'duplicate' THEN j.known_revision ELSE j.last_revision END
  FROM judged j LEFT JOIN ends e ON e.stream_id = j.stream_id;
END
$append$;

-- As processes of the versions before call it, which rely on being told of by it. None of this version does.
CREATE OR REPLACE FUNCTION log.append(
  stream_ids text[], expected_revisions bigint[],
  append_numbers int[], event_ids uuid[], types text[], data_lines text, metadata_lines text
) RETURNS TABLE (append_number int, outcome text, last_position bigint, last_revision bigint)
LANGUAGE plpgsql VOLATILE
AS $append$
BEGIN
  RETURN QUERY SELECT a.* FROM log.append_events(
    stream_ids, expected_revisions, append_numbers, event_ids, types, data_lines, metadata_lines) a;
  PERFORM pg_notify('${LOG_CHANNEL}', max(e.position)::text) FROM log.events e;
END
$append$;
`;
