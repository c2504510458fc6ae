/** NOTIFY channel; the payload is the last position in the log. */
export const LOG_CHANNEL = 'nimo_log';

/** Key of the transaction lock that every batch of appends takes; "nimo" in ASCII. */
export const LOG_LOCK = 0x6e696d6f;

/**
 * The schema `log`. The append is a function because its lock must be a statement of its own: the statement after it takes a
 * snapshot that sees everything the former holder committed. Positions are therefore gapless and become visible in order, and a reader
 * needs nothing but `position > $1`. The caller notifies followers afterwards (see doorbell.ts): a NOTIFY within the transaction holds a
 * lock of the whole server until the disk has answered.
 */
export const LOG_SCHEMA_SQL = `
CREATE SCHEMA log;

CREATE TABLE log.events (
  position  bigint PRIMARY KEY,
  stream_id text COLLATE "C" NOT NULL,
  revision  bigint NOT NULL,
  event_id  uuid NOT NULL UNIQUE,
  type      text NOT NULL,
  data      json NOT NULL,
  metadata  json NOT NULL,
  UNIQUE (stream_id, revision)
);

CREATE FUNCTION log.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $refuse$
BEGIN
  RAISE EXCEPTION 'the event log is append-only: % refused', TG_OP;
END
$refuse$;

CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON log.events
  FOR EACH STATEMENT EXECUTE FUNCTION log.refuse_change();

-- Appends a batch. Streams and event ids must be distinct within it. Expected revisions: -2 any, -1 no stream.
-- JSON texts come joined by newlines, which JSON.stringify never writes; that spares the escaping of an array.
CREATE FUNCTION log.append_events(
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
`;
