/**
 * Tables of `state` that are rows of one student, which erasure empties. Pictures (they have files), keys and the erasure itself come
 * last and are not listed.
 */
const TABLES_OF_STUDENTS = [
  'abandoned_sign_up',
  'claim_check',
  'contact_change',
  'credential',
  'factor_ceremony',
  'factor_reset',
  'factor_ticket',
  'identity',
  'invitation_use',
  'last_look',
  'mailed_link',
  'passkey',
  'phone_grant',
  'recovery_code',
  'scoring_trial_rows',
  'security_log',
  'session',
  'sign_in_attempt',
  'totp_factor',
  'guardian_link',
];

/** Everything else that is neither in the log nor computed from it. Comes after the account tables. */
export const STATE_TABLES_SQL = `
CREATE TABLE state.upload (
  key          text PRIMARY KEY,
  student_id   text NOT NULL,
  status       text NOT NULL CHECK (status IN ('waiting', 'received', 'ready', 'refused')),
  rule         text,
  -- Of the bytes that the slot was taken for: only the same ones may be sent again.
  digest       bytea,
  -- How many requests are working on the bytes.
  holders      integer NOT NULL DEFAULT 0,
  created_at   timestamptz NOT NULL DEFAULT now(),
  expires_at   timestamptz NOT NULL,
  -- Since when nothing has shown the picture: it is deleted if that lasts.
  unused_since timestamptz
);
CREATE INDEX upload_student ON state.upload (student_id);

-- Mails and SMS that an installation without a provider keeps instead of sending.
CREATE TABLE state.outbox (
  id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind      text NOT NULL,
  recipient text NOT NULL,
  subject   text,
  text      text NOT NULL,
  sent_at   timestamptz NOT NULL DEFAULT now()
);

-- How far the search rows have been shipped to Typesense, and by which process.
CREATE TABLE state.search_shipping (
  prefix       text PRIMARY KEY,
  owner        text NOT NULL,
  former_owner text,
  expires_at   timestamptz NOT NULL
);
CREATE TABLE state.search_collections (
  name       text PRIMARY KEY,
  alias      text NOT NULL,
  shape      text NOT NULL,
  generation integer NOT NULL,
  version    bigint NOT NULL DEFAULT 0,
  is_serving boolean NOT NULL DEFAULT false
);

-- Effects of an invalidation on scores at the moment it was confirmed.
CREATE TABLE state.case_effect (
  case_id     text PRIMARY KEY,
  effect      jsonb NOT NULL,
  recorded_at timestamptz NOT NULL DEFAULT now()
);

-- The one draft that maintainers share; effective_from is null for all of history.
CREATE TABLE state.scoring_drafts (
  is_only          boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  revision         uuid NOT NULL,
  based_on         integer NOT NULL,
  weights          jsonb NOT NULL,
  report_threshold integer NOT NULL,
  effective_from   timestamptz,
  saved_by         text NOT NULL,
  saved_at         timestamptz NOT NULL
);
-- Results of trials can be computed again, so neither a crash nor a back-up needs them.
CREATE UNLOGGED TABLE state.scoring_trials (
  trial_id       uuid PRIMARY KEY,
  owner          text NOT NULL UNIQUE,
  effective_from timestamptz,
  made_at        timestamptz NOT NULL,
  took_ms        integer NOT NULL,
  expires_at     timestamptz NOT NULL
);
CREATE UNLOGGED TABLE state.scoring_trial_rows (
  trial_id      uuid NOT NULL,
  space_id      text NOT NULL,
  student_id    text NOT NULL,
  merit_before  bigint,
  impact_before bigint,
  score_before  bigint,
  rank_before   integer,
  merit_after   bigint,
  impact_after  bigint,
  score_after   bigint,
  rank_after    integer
);
CREATE INDEX scoring_trial_rows_rank ON state.scoring_trial_rows (trial_id, space_id, rank_after);

-- Unlogged: a vote must not pay for a second durable write, and after a crash of the server every window starts empty.
CREATE UNLOGGED TABLE state.throttle (
  key         text PRIMARY KEY,
  window_ends timestamptz NOT NULL,
  used        integer NOT NULL
) WITH (fillfactor = 50);
CREATE INDEX throttle_end ON state.throttle (window_ends);

-- The request that each key of a client was used for, so that it is not accepted for another.
CREATE TABLE state.idempotency_keys (
  key               bytea PRIMARY KEY,
  request           bytea NOT NULL,
  done_with_nothing uuid[] NOT NULL DEFAULT '{}',
  used_at           timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX idempotency_keys_used ON state.idempotency_keys (used_at);

-- States of long streams, so that a command does not read every event of one. A cache: may be emptied at any time.
CREATE TABLE state.stream_snapshots (
  stream_id text PRIMARY KEY,
  shape     text NOT NULL,
  revision  bigint NOT NULL,
  event_id  uuid NOT NULL,
  state     jsonb NOT NULL,
  commands  text NOT NULL
);

CREATE TABLE state.student_key (
  id          text NOT NULL,
  kind        text NOT NULL,
  wrapped_key bytea,
  -- The key of a reservation goes with the student who holds it.
  held_by     text,
  created_at  timestamptz NOT NULL DEFAULT now(),
  erased_at   timestamptz,
  PRIMARY KEY (id, kind)
);
CREATE INDEX student_key_holder ON state.student_key (held_by) WHERE held_by IS NOT NULL;

-- The keys that this database was filled with, while one replaces another.
CREATE TABLE state.key_use (
  key     text NOT NULL CHECK (key IN ('master', 'hmac')),
  -- Tells keys apart and discloses nothing about them.
  print   text NOT NULL,
  since   timestamptz NOT NULL DEFAULT now(),
  -- How far the log was read for claims to be made again under this key.
  place   text,
  -- When the last value under this key expires.
  free_at timestamptz,
  PRIMARY KEY (key, print)
);

CREATE TABLE state.own_export (
  id         uuid PRIMARY KEY,
  -- Empty once it has ended: the row then names nobody.
  student_id text NOT NULL,
  language   text NOT NULL,
  status     text NOT NULL CHECK (status IN ('WAITING', 'WORKING', 'READY', 'FAILED')),
  -- Data that the worker has no right to read, under the master key.
  sealed     text NOT NULL,
  percent    integer NOT NULL DEFAULT 0,
  -- The run working on it; each of the runs may have written a file of its own.
  run        uuid,
  runs       uuid[] NOT NULL DEFAULT '{}',
  starts     integer NOT NULL DEFAULT 0,
  bytes      bigint,
  asked_at   timestamptz NOT NULL DEFAULT now(),
  touched_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz,
  ended_at   timestamptz
);
CREATE UNIQUE INDEX own_export_student ON state.own_export (student_id) WHERE ended_at IS NULL;

CREATE TABLE state.erasure (
  student_id  text PRIMARY KEY,
  due_at      timestamptz NOT NULL,
  done        text[] NOT NULL DEFAULT '{}',
  report      jsonb NOT NULL DEFAULT '{}',
  finished_at timestamptz
);
CREATE INDEX erasure_due ON state.erasure (due_at) WHERE finished_at IS NULL;

-- Run as the owner: a worker may not read secrets, nor the snapshots that the api decides from, and can only make them go.
CREATE FUNCTION state.forget_student(student text) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $forget$
  DECLARE place text; gone bigint; total bigint := 0;
  BEGIN
    FOREACH place IN ARRAY ARRAY['${TABLES_OF_STUDENTS.join("', '")}'] LOOP
      EXECUTE format('DELETE FROM state.%I WHERE student_id = $1', place) USING student;
      GET DIAGNOSTICS gone = ROW_COUNT;
      total := total + gone;
    END LOOP;
    -- An invitation outlives its maker, without the name.
    UPDATE state.invitation SET made_by = NULL WHERE made_by = student;
    GET DIAGNOSTICS gone = ROW_COUNT;
    total := total + gone;
    RETURN total;
  END
$forget$;
-- Locks in the order of the writers, so that neither can deadlock the other.
CREATE FUNCTION state.forget_snapshots(student text) RETURNS bigint
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog AS $forget$
  WITH found AS (
    SELECT stream_id FROM state.stream_snapshots
    WHERE state ->> 'authorId' = student OR right(stream_id, length(student) + 1) = '-' || student
    ORDER BY stream_id COLLATE "C" FOR UPDATE
  ), gone AS (
    DELETE FROM state.stream_snapshots s USING found WHERE s.stream_id = found.stream_id RETURNING s.stream_id
  )
  SELECT count(*) FROM gone
$forget$;

-- The engine that holds the log of this installation: a setting alone must not begin another log.
CREATE TABLE state.log_home (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  engine  text NOT NULL CHECK (engine IN ('postgresql', 'eventstoredb'))
);

CREATE TABLE state.back_up (
  -- The moment whose data it holds.
  made_at      timestamptz PRIMARY KEY,
  verified_at  timestamptz NOT NULL,
  bytes        bigint NOT NULL,
  is_encrypted boolean NOT NULL
);
-- At most one row: from the first restored table until the projections are built and erasures are repeated.
CREATE TABLE state.unfinished_restore (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  -- Of the back-up.
  made_at timestamptz NOT NULL,
  since   timestamptz NOT NULL DEFAULT now()
);

-- GraphQL documents of the web app by version: while processes are replaced, an api also answers pages of another version.
CREATE TABLE state.web_document (
  id      text PRIMARY KEY,
  text    text NOT NULL,
  seen_at timestamptz NOT NULL DEFAULT now()
);
`;
