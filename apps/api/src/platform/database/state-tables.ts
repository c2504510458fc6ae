/**
 * Tables of `state` whose rows belong to one student and are deleted by erasure. Uploads (which have files), keys and the erasure itself are
 * deleted separately.
 */
const STUDENT_TABLES = [
  'abandoned_sign_up',
  'claim_check',
  'contact_change',
  'credential',
  'factor_ceremony',
  'factor_reset',
  'factor_ticket',
  'identity',
  'invitation_use',
  'mailed_link',
  'notifications_seen',
  'passkey',
  'phone_grant',
  'recovery_code',
  'scoring_trial_rows',
  'security_log',
  'session',
  'sign_in_attempt',
  'student_language',
  'totp_factor',
  'guardian_link',
];

/** Deletes a student's rows. A migration that adds a table to the list recreates the function. */
export const FORGET_STUDENT_SQL = `
create or replace function state.forget_student(student text) returns bigint
language plpgsql security definer set search_path = pg_catalog as $forget$
  declare place text; gone bigint; total bigint := 0;
  begin
    foreach place in array array['${STUDENT_TABLES.join("', '")}'] loop
      execute format('DELETE FROM state.%I WHERE student_id = $1', place) using student;
      get diagnostics gone = row_count;
      total := total + gone;
    end loop;
    -- An invitation outlives its creator.
    update state.invitation set made_by = null where made_by = student;
    get diagnostics gone = row_count;
    total := total + gone;
    return total;
  end
$forget$;
`;

/** All other data neither in the log nor derived from it. Created after the account tables. */
export const STATE_TABLES_SQL = `
create table state.upload (
  key          text primary key,
  student_id   text not null,
  status       text not null check (status in ('waiting', 'received', 'ready', 'refused')),
  rule         text,
  -- Hash of the bytes the slot is bound to; only the same bytes may be sent again.
  digest       bytea,
  -- Number of requests processing the bytes.
  holders      integer not null default 0,
  created_at   timestamptz not null default now(),
  expires_at   timestamptz not null,
  -- When the picture was first found unused; deleted if it stays unused.
  unused_since timestamptz
);
create index upload_student on state.upload (student_id);

-- Mails and SMS of an installation without a gateway.
create table state.outbox (
  id        bigint generated always as identity primary key,
  kind      text not null,
  recipient text not null,
  subject   text,
  text      text not null,
  sent_at   timestamptz not null default now()
);

-- The process that sends search rows to Typesense.
create table state.search_sync (
  prefix         text primary key,
  owner          text not null,
  previous_owner text,
  expires_at     timestamptz not null
);
create table state.search_collections (
  name       text primary key,
  alias      text not null,
  shape      text not null,
  generation integer not null,
  version    bigint not null default 0,
  is_serving boolean not null default false
);

-- Effects of an invalidation on scores, as of its confirmation.
create table state.case_effect (
  case_id     text primary key,
  effect      jsonb not null,
  recorded_at timestamptz not null default now()
);

-- The draft shared by all maintainers; effective_from is null for the entire history.
create table state.scoring_drafts (
  is_only          boolean primary key default true check (is_only),
  revision         uuid not null,
  based_on         integer not null,
  weights          jsonb not null,
  report_threshold integer not null,
  effective_from   timestamptz,
  saved_by         text not null,
  saved_at         timestamptz not null
);
-- Trial results can be recomputed, so they need neither durability nor backups.
create unlogged table state.scoring_trials (
  trial_id       uuid primary key,
  owner          text not null unique,
  effective_from timestamptz,
  made_at        timestamptz not null,
  took_ms        integer not null,
  expires_at     timestamptz not null
);
create unlogged table state.scoring_trial_rows (
  trial_id      uuid not null,
  space_id      text not null,
  student_id    text not null,
  merit_before  bigint,
  impact_before bigint,
  score_before  bigint,
  rank_before   integer,
  merit_after   bigint,
  impact_after  bigint,
  score_after   bigint,
  rank_after    integer
);
create index scoring_trial_rows_rank on state.scoring_trial_rows (trial_id, space_id, rank_after);

-- Unlogged, so that a vote does not cost a second durable write. After a server crash every window starts empty.
create unlogged table state.throttle (
  key         text primary key,
  window_ends timestamptz not null,
  used        integer not null
) with (fillfactor = 50);
create index throttle_end on state.throttle (window_ends);

-- The request that each idempotency key was used for, so that it is rejected for any other.
create table state.idempotency_keys (
  key               bytea primary key,
  request           bytea not null,
  done_with_nothing uuid[] not null default '{}',
  used_at           timestamptz not null default now()
);
create index idempotency_keys_used on state.idempotency_keys (used_at);

-- Snapshots of long streams, so that commands need not read every event. A cache: may be emptied at any time.
create table state.stream_snapshots (
  stream_id text primary key,
  shape     text not null,
  revision  bigint not null,
  event_id  uuid not null,
  state     jsonb not null,
  commands  text not null
);

create table state.student_key (
  id          text not null,
  kind        text not null,
  wrapped_key bytea,
  -- The key of a reservation is erased with its holder.
  held_by     text,
  created_at  timestamptz not null default now(),
  erased_at   timestamptz,
  primary key (id, kind)
);
create index student_key_holder on state.student_key (held_by) where held_by is not null;

-- Keys in use; during a rotation, the former ones too.
create table state.key_fingerprint (
  key           text not null check (key in ('master', 'hmac')),
  -- Identifies a key without revealing it.
  fingerprint   text not null,
  since         timestamptz not null default now(),
  -- Position up to which the log was scanned for claims to recreate under this key.
  scan_position text,
  -- When the last value under this key expires.
  expires_at    timestamptz,
  primary key (key, fingerprint)
);

create table state.data_export (
  id           uuid primary key,
  -- Empty once the export has ended, so that the row is anonymous.
  student_id   text not null,
  language     text not null,
  status       text not null check (status in ('WAITING', 'WORKING', 'READY', 'FAILED')),
  -- Data that the worker may not read from its tables, encrypted with the master key.
  sealed       text not null,
  percent      integer not null default 0,
  -- The current run; each of the runs may have written its own file.
  run          uuid,
  runs         uuid[] not null default '{}',
  starts       integer not null default 0,
  bytes        bigint,
  requested_at timestamptz not null default now(),
  touched_at   timestamptz not null default now(),
  expires_at   timestamptz,
  ended_at     timestamptz
);
create unique index data_export_student on state.data_export (student_id) where ended_at is null;

create table state.erasure (
  student_id  text primary key,
  due_at      timestamptz not null,
  done        text[] not null default '{}',
  report      jsonb not null default '{}',
  finished_at timestamptz
);
create index erasure_due on state.erasure (due_at) where finished_at is null;

-- Run as the owner: the worker may delete secrets and the snapshots that the API decides from, but not read them.
${FORGET_STUDENT_SQL}-- Locks in the order of the writers, so that neither can deadlock the other.
create function state.forget_snapshots(student text) returns bigint
language sql security definer set search_path = pg_catalog as $forget$
  with found as (
    select stream_id from state.stream_snapshots
    where state ->> 'authorId' = student or right(stream_id, length(student) + 1) = '-' || student
    order by stream_id collate "C" for update
  ), gone as (
    delete from state.stream_snapshots s using found where s.stream_id = found.stream_id returning s.stream_id
  )
  select count(*) from gone
$forget$;

-- The engine that holds the log of this installation, so that changing a setting does not start another log.
create table state.log_engine (
  is_only boolean primary key default true check (is_only),
  engine  text not null check (engine in ('postgresql', 'eventstoredb'))
);

create table state.backup (
  -- Time of the snapshot.
  made_at      timestamptz primary key,
  verified_at  timestamptz not null,
  bytes        bigint not null,
  is_encrypted boolean not null
);
-- At most one row, from the first restored table until projections are rebuilt and erasures repeated.
create table state.unfinished_restore (
  is_only boolean primary key default true check (is_only),
  -- Creation time of the backup.
  made_at timestamptz not null,
  since   timestamptz not null default now()
);

-- GraphQL documents of the web app by version: during a rolling upgrade, an API also serves pages of another version.
create table state.web_document (
  id      text primary key,
  text    text not null,
  seen_at timestamptz not null default now()
);
`;
