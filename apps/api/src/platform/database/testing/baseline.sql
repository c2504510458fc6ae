-- The schema of the first version, as its only migration created it: the input of upgrade.int-spec.ts. Never changes.
create extension pg_trgm;
create extension unaccent;
create schema state;
create table state.migrations (id serial, "timestamp" bigint not null, name varchar not null,
  constraint "PK_8c82d7f526340ab734260ea46be" primary key (id));
insert into state.migrations ("timestamp", name) values (1700000000001, 'Baseline1700000000001');
create schema log;
create table log.events (position bigint primary key, stream_id text collate "C" not null, revision bigint not null, event_id uuid not null unique,
  type text not null, data json not null, metadata json not null, unique (stream_id, revision));
create function log.refuse_change() returns trigger language plpgsql as $refuse$
begin
  raise exception 'the event log is append-only: % refused', tg_op;
end
$refuse$;
create trigger append_only before update or delete or truncate on log.events for each statement execute function log.refuse_change();
create function log.append_events( stream_ids text[], expected_revisions bigint[], append_numbers int[], event_ids uuid[], types text[], data_lines text, metadata_lines text ) returns table (append_number int, outcome text, last_position bigint, last_revision bigint) language plpgsql volatile set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set jit = off as $append$
declare
  head bigint;
begin
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'log.append_events must run in READ COMMITTED: an older snapshot would not see the last appends';
  end if;
  perform pg_advisory_xact_lock(1852403055);
  select coalesce(max(e.position), 0) into head from log.events e;

  return query
  with sent as materialized (
    select s.*, k.position as known_position, k.stream_id as known_stream, k.revision as known_revision
    from unnest(append_numbers, event_ids, types,
                string_to_array(data_lines, E'\n'), string_to_array(metadata_lines, E'\n'))
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
create table log.chain (ordinal bigint primary key check (ordinal > 0), event_id uuid not null, leaf bytea not null check (octet_length(leaf) = 32),
  head bytea not null check (octet_length(head) = 32));
alter table log.chain alter leaf set storage plain, alter head set storage plain;
create table log.signed_heads (ordinal bigint not null, key_id text not null, head bytea not null check (octet_length(head) = 32), signed_at
  timestamptz not null, signature text not null, primary key (ordinal, key_id));
create trigger append_only before update or delete or truncate on log.chain for each statement execute function log.refuse_change();
create trigger append_only before update or delete or truncate on log.signed_heads for each statement execute function log.refuse_change();
create table state.log_chain_place (is_only boolean primary key default true check (is_only), ordinal bigint not null default 0, position text collate
  "C", owner text, epoch bigint not null default 0, expires_at timestamptz, updated_at timestamptz not null default now()) with (fillfactor = 20);
insert into state.log_chain_place default values;
create table state.log_verification (is_only boolean primary key default true check (is_only), mark jsonb, owner text, expires_at timestamptz) with
  (fillfactor = 20);
insert into state.log_verification default values;
create table state.log_misfits (detail text primary key, kind text not null, ordinal bigint not null, found_at timestamptz not null default
  clock_timestamp());
do $make$ begin if to_regnamespace('read') is null then create schema read; end if; end $make$;
create table if not exists read.projection_generations (name text not null, generation integer not null, version integer not null, shape_hash text not
  null, status text not null check (status in ('live', 'building', 'former', 'verifying')), indexed boolean not null default false, hold boolean not
  null default false, position text collate "C", ordinal bigint not null default 0, rate double precision not null default 0, asked jsonb,
  verification jsonb, error jsonb, skipped jsonb not null default '[]', owner text, epoch bigint not null default 0, started_at timestamptz not null
  default now(), switched_at timestamptz, updated_at timestamptz not null default now(), leased_at timestamptz, expires_at timestamptz, primary key
  (name, generation)) with (fillfactor = 20);
create unique index if not exists projection_generations_one_live on read.projection_generations (name) where status = 'live';
create unique index if not exists projection_generations_one_building on read.projection_generations (name) where status = 'building';
create table if not exists read.generation_tables (name text not null, generation integer not null, table_name text not null, primary key (name,
  generation, table_name));
create table if not exists read.projection_acts (name text primary key, revision bigint not null, verification jsonb);
create unlogged table if not exists read.projection_workers (worker text primary key, code text not null, joined_at timestamptz not null, expires_at
  timestamptz not null) with (fillfactor = 50);
create table state.reactors (name text primary key, position text collate "C", updated_at timestamptz not null default now(), owner text, epoch bigint
  not null default 0, expires_at timestamptz) with (fillfactor = 20);
do $make$ begin if to_regnamespace('read') is null then create schema read; end if; end $make$;
create table if not exists read.score_snapshots (snapshot_id bigint generated always as identity primary key, space_id text not null, taken_by text
  not null check (taken_by in ('ordinal', 'moment')), generation integer not null, bound_ordinal bigint not null, bound_at timestamptz not null, rules
  text not null, unique (space_id, taken_by, generation, bound_at, bound_ordinal));
create table if not exists read.score_snapshot_rows (snapshot_id bigint not null, student_id text not null, merit bigint not null, impact bigint not
  null, last_ordinal bigint not null, end_ordinal bigint not null, questions_asked integer not null, questions_answered integer not null,
  answers_accepted integer not null);
create index if not exists score_snapshot_rows_of on read.score_snapshot_rows (snapshot_id);
create table state.credential (student_id text primary key, password_hash text not null, changed_at timestamptz not null default now());
create table state.pending_registration (key_hash text primary key, registration_id uuid not null, sealed text not null, expires_at timestamptz not
  null);
create index pending_registration_id on state.pending_registration (registration_id);
create table state.abandoned_sign_up (student_id text primary key, noted_at timestamptz not null default now());
create table state.identity (issuer text not null, subject text not null, student_id text not null, linked_at timestamptz not null default now(),
  primary key (issuer, subject));
create index identity_student on state.identity (student_id);
create table state.claim_check (subject text primary key, kind text not null, claim text, student_id text not null, due_at timestamptz not null);
create index claim_check_due on state.claim_check (due_at);
create table state.contact_change (student_id text not null, kind text not null, id uuid not null unique, sealed text not null, own_code_hash bytea,
  new_code_hash bytea not null, attempts integer not null default 0, tries integer not null, done_at timestamptz, expires_at timestamptz not null,
  primary key (student_id, kind));
create index contact_change_expiry on state.contact_change (expires_at);
create table state.session (token_hash text primary key, id uuid not null default gen_random_uuid() unique, student_id text not null, address text not
  null, user_agent text not null, created_at timestamptz not null default now(), last_used_at timestamptz not null default now(), expires_at
  timestamptz not null, factor_at timestamptz);
create index session_student on state.session (student_id);
create index session_expiry on state.session (expires_at);
create table state.otp (phone_hash bytea not null, purpose text not null, holder_hash bytea not null, code_hash bytea not null, attempts integer not
  null default 0, tries integer not null, expires_at timestamptz not null, primary key (phone_hash, purpose, holder_hash));
create index otp_expiry on state.otp (expires_at);
create table state.phone_grant (grant_hash text primary key, student_id text not null, expires_at timestamptz not null, used_by text, done_at
  timestamptz);
create index phone_grant_student on state.phone_grant (student_id);
create table state.mailed_link (token_hash text primary key, purpose text not null, student_id text not null, sealed text not null, created_at
  timestamptz not null default now(), expires_at timestamptz not null, used_by text, claimed_at timestamptz, done_at timestamptz);
create index mailed_link_student on state.mailed_link (student_id);
create table state.sign_in_attempt (secret_hash text primary key, state_hash text unique, provider text not null, sealed text not null, remember
  boolean not null, code_hash text unique, student_id text, expires_at timestamptz not null);
create table state.login_attempt (key bytea primary key, attempts integer not null, last_at timestamptz not null, retry_at timestamptz not null);
create index login_attempt_last on state.login_attempt (last_at);
create table state.security_log (id uuid primary key default gen_random_uuid(), student_id text not null, kind text not null, at timestamptz not null
  default clock_timestamp(), browser text, system text, network text, event_id text unique);
create index security_log_student on state.security_log (student_id, at desc, id);
create index security_log_at on state.security_log (at);
create table state.totp_factor (student_id text primary key, name text, sealed text not null, last_period bigint not null, created_at timestamptz not
  null default now());
create table state.passkey (credential_id text primary key, id uuid not null default gen_random_uuid() unique, student_id text not null, name text not
  null, public_key bytea not null, counter bigint not null, transports text[] not null, created_at timestamptz not null default now(), last_used_at
  timestamptz);
create index passkey_student on state.passkey (student_id);
create table state.recovery_code (student_id text not null, code_hash bytea not null, key_print text not null, primary key (student_id, code_hash));
create table state.factor_ceremony (holder_hash text not null, kind text not null check (kind in ('set-up-totp', 'set-up-passkey', 'use-passkey')),
  student_id text not null, sealed text not null, expires_at timestamptz not null, primary key (holder_hash, kind));
create table state.factor_ticket (ticket_hash text primary key, student_id text not null, remember boolean not null, expires_at timestamptz not null);
create table state.factor_reset (student_id text primary key, reason text not null, at timestamptz not null default now());
create table state.invitation (id uuid primary key, space_id text not null, kind text not null, made_by text, salt bytea, secret_hash bytea unique,
  rule text, uses integer, used integer not null default 0, created_at timestamptz not null default now(), expires_at timestamptz, revoked_at
  timestamptz, check (used <= uses));
create index invitation_space on state.invitation (space_id, created_at desc);
create index invitation_rule on state.invitation (kind) where kind not in ('LINK', 'CODE') and revoked_at is null;
create index invitation_maker on state.invitation (made_by);
create table state.invitation_use (invitation_id uuid not null references state.invitation on delete cascade, student_id text not null, used_at
  timestamptz not null default now(), primary key (invitation_id, student_id));
create index invitation_use_student on state.invitation_use (student_id);
create table state.invited_contact (invitation_id uuid not null references state.invitation on delete cascade, hash bytea not null, primary key
  (invitation_id, hash));
create index invited_contact_hash on state.invited_contact (hash);
create table state.carried_group (issuer text not null, subject text not null, invitation_id uuid not null references state.invitation on delete
  cascade, seen_at timestamptz not null default now(), primary key (issuer, subject, invitation_id), foreign key (issuer, subject) references
  state.identity on delete cascade);
create index carried_group_invitation on state.carried_group (invitation_id);
create table state.guardian_link (id uuid primary key, space_id text not null, student_id text not null, token_hash text not null unique, sealed text,
  asked_at timestamptz not null default now(), expires_at timestamptz);
create index guardian_link_student on state.guardian_link (student_id, space_id);
create table state.last_look (student_id text not null, space_id text not null, seen_at timestamptz not null, primary key (student_id, space_id));
create table state.upload (key text primary key, student_id text not null, status text not null check (status in ('waiting', 'received', 'ready',
  'refused')), rule text, digest bytea, holders integer not null default 0, created_at timestamptz not null default now(), expires_at timestamptz not
  null, unused_since timestamptz);
create index upload_student on state.upload (student_id);
create table state.outbox (id bigint generated always as identity primary key, kind text not null, recipient text not null, subject text, text text
  not null, sent_at timestamptz not null default now());
create table state.search_shipping (prefix text primary key, owner text not null, former_owner text, expires_at timestamptz not null);
create table state.search_collections (name text primary key, alias text not null, shape text not null, generation integer not null, version bigint
  not null default 0, is_serving boolean not null default false);
create table state.case_effect (case_id text primary key, effect jsonb not null, recorded_at timestamptz not null default now());
create table state.scoring_drafts (is_only boolean primary key default true check (is_only), revision uuid not null, based_on integer not null,
  weights jsonb not null, report_threshold integer not null, effective_from timestamptz, saved_by text not null, saved_at timestamptz not null);
create unlogged table state.scoring_trials (trial_id uuid primary key, owner text not null unique, effective_from timestamptz, made_at timestamptz not
  null, took_ms integer not null, expires_at timestamptz not null);
create unlogged table state.scoring_trial_rows (trial_id uuid not null, space_id text not null, student_id text not null, merit_before bigint,
  impact_before bigint, score_before bigint, rank_before integer, merit_after bigint, impact_after bigint, score_after bigint, rank_after integer);
create index scoring_trial_rows_rank on state.scoring_trial_rows (trial_id, space_id, rank_after);
create unlogged table state.throttle (key text primary key, window_ends timestamptz not null, used integer not null) with (fillfactor = 50);
create index throttle_end on state.throttle (window_ends);
create table state.idempotency_keys (key bytea primary key, request bytea not null, done_with_nothing uuid[] not null default '{}', used_at
  timestamptz not null default now());
create index idempotency_keys_used on state.idempotency_keys (used_at);
create table state.stream_snapshots (stream_id text primary key, shape text not null, revision bigint not null, event_id uuid not null, state jsonb
  not null, commands text not null);
create table state.student_key (id text not null, kind text not null, wrapped_key bytea, held_by text, created_at timestamptz not null default now(),
  erased_at timestamptz, primary key (id, kind));
create index student_key_holder on state.student_key (held_by) where held_by is not null;
create table state.key_use (key text not null check (key in ('master', 'hmac')), print text not null, since timestamptz not null default now(), place
  text, free_at timestamptz, primary key (key, print));
create table state.own_export (id uuid primary key, student_id text not null, language text not null, status text not null check (status in
  ('WAITING', 'WORKING', 'READY', 'FAILED')), sealed text not null, percent integer not null default 0, run uuid, runs uuid[] not null default '{}',
  starts integer not null default 0, bytes bigint, asked_at timestamptz not null default now(), touched_at timestamptz not null default now(),
  expires_at timestamptz, ended_at timestamptz);
create unique index own_export_student on state.own_export (student_id) where ended_at is null;
create table state.erasure (student_id text primary key, due_at timestamptz not null, done text[] not null default '{}', report jsonb not null default
  '{}', finished_at timestamptz);
create index erasure_due on state.erasure (due_at) where finished_at is null;
create function state.forget_student(student text) returns bigint language plpgsql security definer set search_path = pg_catalog as $forget$
  declare place text; gone bigint; total bigint := 0;
  begin
    foreach place in array array['abandoned_sign_up', 'claim_check', 'contact_change', 'credential', 'factor_ceremony', 'factor_reset', 'factor_ticket', 'identity', 'invitation_use', 'last_look', 'mailed_link', 'passkey', 'phone_grant', 'recovery_code', 'scoring_trial_rows', 'security_log', 'session', 'sign_in_attempt', 'totp_factor', 'guardian_link'] loop
      execute format('DELETE FROM state.%I WHERE student_id = $1', place) using student;
      get diagnostics gone = row_count;
      total := total + gone;
    end loop;
    update state.invitation set made_by = null where made_by = student;
    get diagnostics gone = row_count;
    total := total + gone;
    return total;
  end
$forget$;
create function state.forget_snapshots(student text) returns bigint language sql security definer set search_path = pg_catalog as $forget$
  with found as (
    select stream_id from state.stream_snapshots
    where state ->> 'authorId' = student or right(stream_id, length(student) + 1) = '-' || student
    order by stream_id collate "C" for update
  ), gone as (
    delete from state.stream_snapshots s using found where s.stream_id = found.stream_id returning s.stream_id
  )
  select count(*) from gone
$forget$;
create table state.log_home (is_only boolean primary key default true check (is_only), engine text not null check (engine in ('postgresql',
  'eventstoredb')));
create table state.back_up (made_at timestamptz primary key, verified_at timestamptz not null, bytes bigint not null, is_encrypted boolean not null);
create table state.unfinished_restore (is_only boolean primary key default true check (is_only), made_at timestamptz not null, since timestamptz not
  null default now());
create table state.web_document (id text primary key, text text not null, seen_at timestamptz not null default now());
