/** NOTIFY channel; the payload is the last position in the log. */
export const LOG_CHANNEL = 'nimo_log';

/** Key of the transaction lock that every batch of appends takes; "nimo" in ASCII. */
export const LOG_LOCK = 0x6e696d6f;

/**
 * The schema `log`. Appending is a function because taking the lock must be a statement of its own: the next statement then takes a
 * snapshot that includes everything the previous lock holder committed. Positions are therefore gapless and become visible in order, so
 * `position > $1` is all a reader needs. The caller notifies subscribers afterwards (append-notifications.ts): NOTIFY within the
 * transaction would hold a server-wide lock until the commit is flushed.
 */
export const LOG_SCHEMA_SQL = `
create schema log;

create table log.events (
  position  bigint primary key,
  stream_id text collate "C" not null,
  revision  bigint not null,
  event_id  uuid not null unique,
  type      text not null,
  data      json not null,
  metadata  json not null,
  unique (stream_id, revision)
);

create function log.refuse_change() returns trigger language plpgsql as $refuse$
begin
  raise exception 'the event log is append-only: % refused', tg_op;
end
$refuse$;

create trigger append_only before update or delete or truncate on log.events
  for each statement execute function log.refuse_change();

-- Appends a batch. Streams and event ids must be distinct within it. Expected revisions: -2 any, -1 no stream.
-- JSON texts are joined by newlines, which JSON.stringify never emits; this avoids array escaping.
create function log.append_events(
  stream_ids text[], expected_revisions bigint[],
  append_numbers int[], event_ids uuid[], types text[], data_lines text, metadata_lines text
) returns table (append_number int, outcome text, last_position bigint, last_revision bigint)
language plpgsql volatile
-- Cached plans live as long as the session and must not be based on an empty table.
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off
as $append$
declare
  head bigint;
begin
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'log.append_events must run in READ COMMITTED: an older snapshot would not see the last appends';
  end if;
  perform pg_advisory_xact_lock(${LOG_LOCK});
  select coalesce(max(e.position), 0) into head from log.events e;

  return query
  with sent as materialized (
    select s.*, k.position as known_position, k.stream_id as known_stream, k.revision as known_revision
    from unnest(append_numbers, event_ids, types,
                string_to_array(data_lines, E'\\n'), string_to_array(metadata_lines, E'\\n'))
         with ordinality as s(number, id, type, data, metadata, place)
    left join log.events k on k.event_id = s.id
  ), judged as materialized (
    select a.number::int, a.stream_id, last.revision as last_revision, known.last_position as known_position,
           known.last_revision as known_revision,
           case
             when known.events = 0 and a.expected in (-2, last.revision) then 'appended'
             when known.is_same and (a.expected = -2 or a.expected = known.first_revision - 1) then 'duplicate'
             else 'conflict'
           end as outcome
    from unnest(stream_ids, expected_revisions) with ordinality as a(stream_id, expected, number)
    cross join lateral (
      select coalesce(max(e.revision), -1) as revision from log.events e where e.stream_id = a.stream_id
    ) last
    join (
      select s.number, count(s.known_position) as events,
             min(s.known_revision) as first_revision, max(s.known_revision) as last_revision,
             max(s.known_position) as last_position,
             -- All ids known, in one stream, in the order sent and without gaps.
             count(s.known_position) = count(*)
               and bool_and(s.known_stream = stream_ids[s.number])
               and min(s.known_revision - s.place) = max(s.known_revision - s.place) as is_same
      from sent s group by s.number
    ) known on known.number = a.number
  ), inserted as (
    insert into log.events as e (position, stream_id, revision, event_id, type, data, metadata)
    select head + row_number() over (order by s.place), j.stream_id,
           j.last_revision + row_number() over (partition by s.number order by s.place),
           s.id, s.type, s.data::json, s.metadata::json
    from sent s join judged j on j.number = s.number
    where j.outcome = 'appended'
    order by s.place
    returning e.stream_id, e.position, e.revision
  ), ends as (
    select i.stream_id, max(i.position) as position, max(i.revision) as revision from inserted i group by i.stream_id
  )
  select j.number, j.outcome,
         case j.outcome when 'appended' then e.position when 'duplicate' then j.known_position end,
         case j.outcome when 'appended' then e.revision when 'duplicate' then j.known_revision else j.last_revision end
  from judged j left join ends e on e.stream_id = j.stream_id;
end
$append$;
`;
