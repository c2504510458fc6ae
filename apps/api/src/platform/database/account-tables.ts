/** Accounts and memberships: what decides who may come in and is never in the log, as secrets, hashes and work under way. */
export const ACCOUNT_TABLES_SQL = `
CREATE TABLE state.credential (
  student_id    text PRIMARY KEY,
  password_hash text NOT NULL,
  changed_at    timestamptz NOT NULL DEFAULT now()
);

-- Registrations by email that nobody has confirmed yet, so that a log-in with the right password can say so.
CREATE TABLE state.pending_registration (
  -- Hash of name and password together; one row for the address and one for the username.
  key_hash        text PRIMARY KEY,
  registration_id uuid NOT NULL,
  sealed          text NOT NULL,
  expires_at      timestamptz NOT NULL
);
CREATE INDEX pending_registration_id ON state.pending_registration (registration_id);

CREATE TABLE state.abandoned_sign_up (
  student_id text PRIMARY KEY,
  noted_at   timestamptz NOT NULL DEFAULT now()
);

-- Accounts at OpenID Connect providers.
CREATE TABLE state.identity (
  issuer     text NOT NULL,
  subject    text NOT NULL,
  student_id text NOT NULL,
  linked_at  timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (issuer, subject)
);
CREATE INDEX identity_student ON state.identity (student_id);

-- A username, phone or address that is reserved until the event that claims it is certain.
CREATE TABLE state.claim_check (
  subject    text PRIMARY KEY,
  kind       text NOT NULL,
  claim      text,
  student_id text NOT NULL,
  due_at     timestamptz NOT NULL
);
CREATE INDEX claim_check_due ON state.claim_check (due_at);

-- One change of a kind at a time: beginning another ends the one before.
CREATE TABLE state.contact_change (
  student_id    text NOT NULL,
  kind          text NOT NULL,
  id            uuid NOT NULL UNIQUE,
  -- The new value, under the master key.
  sealed        text NOT NULL,
  -- Null if the account has no confirmed contact to ask.
  own_code_hash bytea,
  new_code_hash bytea NOT NULL,
  attempts      integer NOT NULL DEFAULT 0,
  tries         integer NOT NULL,
  done_at       timestamptz,
  expires_at    timestamptz NOT NULL,
  PRIMARY KEY (student_id, kind)
);
CREATE INDEX contact_change_expiry ON state.contact_change (expires_at);

CREATE TABLE state.session (
  token_hash   text PRIMARY KEY,
  id           uuid NOT NULL DEFAULT gen_random_uuid() UNIQUE,
  student_id   text NOT NULL,
  address      text NOT NULL,
  user_agent   text NOT NULL,
  created_at   timestamptz NOT NULL DEFAULT now(),
  last_used_at timestamptz NOT NULL DEFAULT now(),
  expires_at   timestamptz NOT NULL,
  -- When the second factor was given.
  factor_at    timestamptz
);
CREATE INDEX session_student ON state.session (student_id);
CREATE INDEX session_expiry ON state.session (expires_at);

CREATE TABLE state.otp (
  phone_hash  bytea NOT NULL,
  purpose     text NOT NULL,
  -- The browser that asked for the code: only there is it good.
  holder_hash bytea NOT NULL,
  code_hash   bytea NOT NULL,
  attempts    integer NOT NULL DEFAULT 0,
  tries       integer NOT NULL,
  expires_at  timestamptz NOT NULL,
  PRIMARY KEY (phone_hash, purpose, holder_hash)
);
CREATE INDEX otp_expiry ON state.otp (expires_at);

-- A grant or a link that was used answers the same command again and does nothing.
CREATE TABLE state.phone_grant (
  grant_hash text PRIMARY KEY,
  student_id text NOT NULL,
  expires_at timestamptz NOT NULL,
  used_by    text,
  done_at    timestamptz
);
CREATE INDEX phone_grant_student ON state.phone_grant (student_id);
CREATE TABLE state.mailed_link (
  token_hash text PRIMARY KEY,
  purpose    text NOT NULL,
  student_id text NOT NULL,
  sealed     text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL,
  used_by    text,
  -- Since when a process has been working on it.
  claimed_at timestamptz,
  done_at    timestamptz
);
CREATE INDEX mailed_link_student ON state.mailed_link (student_id);

-- Sign-ins by OpenID Connect under way.
CREATE TABLE state.sign_in_attempt (
  secret_hash text PRIMARY KEY,
  state_hash  text UNIQUE,
  provider    text NOT NULL,
  sealed      text NOT NULL,
  remember    boolean NOT NULL,
  code_hash   text UNIQUE,
  student_id  text,
  expires_at  timestamptz NOT NULL
);

CREATE TABLE state.login_attempt (
  key      bytea PRIMARY KEY,
  attempts integer NOT NULL,
  last_at  timestamptz NOT NULL,
  retry_at timestamptz NOT NULL
);
CREATE INDEX login_attempt_last ON state.login_attempt (last_at);

CREATE TABLE state.security_log (
  -- No sequence: its gaps would tell how much happens to others.
  id         uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  student_id text NOT NULL,
  kind       text NOT NULL,
  -- Not the transaction's time: entries of one request keep their order.
  at         timestamptz NOT NULL DEFAULT clock_timestamp(),
  browser    text,
  system     text,
  network    text,
  -- The event behind the entry, if there is one.
  event_id   text UNIQUE
);
CREATE INDEX security_log_student ON state.security_log (student_id, at DESC, id);
CREATE INDEX security_log_at ON state.security_log (at);

CREATE TABLE state.totp_factor (
  student_id  text PRIMARY KEY,
  name        text,
  sealed      text NOT NULL,
  -- The period of the last code that was taken: neither it nor an earlier one is taken again.
  last_period bigint NOT NULL,
  created_at  timestamptz NOT NULL DEFAULT now()
);
CREATE TABLE state.passkey (
  credential_id text PRIMARY KEY,
  id            uuid NOT NULL DEFAULT gen_random_uuid() UNIQUE,
  student_id    text NOT NULL,
  name          text NOT NULL,
  public_key    bytea NOT NULL,
  counter       bigint NOT NULL,
  transports    text[] NOT NULL,
  created_at    timestamptz NOT NULL DEFAULT now(),
  last_used_at  timestamptz
);
CREATE INDEX passkey_student ON state.passkey (student_id);
CREATE TABLE state.recovery_code (
  student_id text NOT NULL,
  code_hash  bytea NOT NULL,
  key_print  text NOT NULL,
  PRIMARY KEY (student_id, code_hash)
);
-- A session or an unfinished sign-in holds one ceremony of a kind at a time.
CREATE TABLE state.factor_ceremony (
  holder_hash text NOT NULL,
  kind        text NOT NULL CHECK (kind IN ('set-up-totp', 'set-up-passkey', 'use-passkey')),
  student_id  text NOT NULL,
  sealed      text NOT NULL,
  expires_at  timestamptz NOT NULL,
  PRIMARY KEY (holder_hash, kind)
);
CREATE TABLE state.factor_ticket (
  ticket_hash text PRIMARY KEY,
  student_id  text NOT NULL,
  remember    boolean NOT NULL,
  expires_at  timestamptz NOT NULL
);
CREATE TABLE state.factor_reset (
  student_id text PRIMARY KEY,
  reason     text NOT NULL,
  at         timestamptz NOT NULL DEFAULT now()
);

-- Secrets and invited contacts are stored as hashes only, and deleted when the invitation ends.
CREATE TABLE state.invitation (
  id          uuid PRIMARY KEY,
  space_id    text NOT NULL,
  kind        text NOT NULL,
  -- Null for operators, and once its maker is erased.
  made_by     text,
  -- The api derives a link or code from the salt with its own key.
  salt        bytea,
  secret_hash bytea UNIQUE,
  rule        text,
  uses        integer,
  used        integer NOT NULL DEFAULT 0,
  created_at  timestamptz NOT NULL DEFAULT now(),
  expires_at  timestamptz,
  revoked_at  timestamptz,
  CHECK (used <= uses)
);
CREATE INDEX invitation_space ON state.invitation (space_id, created_at DESC);
CREATE INDEX invitation_rule ON state.invitation (kind) WHERE kind NOT IN ('LINK', 'CODE') AND revoked_at IS NULL;
CREATE INDEX invitation_maker ON state.invitation (made_by);
CREATE TABLE state.invitation_use (
  invitation_id uuid NOT NULL REFERENCES state.invitation ON DELETE CASCADE,
  student_id    text NOT NULL,
  used_at       timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (invitation_id, student_id)
);
CREATE INDEX invitation_use_student ON state.invitation_use (student_id);
CREATE TABLE state.invited_contact (
  invitation_id uuid NOT NULL REFERENCES state.invitation ON DELETE CASCADE,
  hash          bytea NOT NULL,
  PRIMARY KEY (invitation_id, hash)
);
CREATE INDEX invited_contact_hash ON state.invited_contact (hash);

-- Group rules that an account at a provider fulfilled. Groups that no rule asks for are not stored.
CREATE TABLE state.carried_group (
  issuer        text NOT NULL,
  subject       text NOT NULL,
  invitation_id uuid NOT NULL REFERENCES state.invitation ON DELETE CASCADE,
  seen_at       timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (issuer, subject, invitation_id),
  -- Deleted with the identity.
  FOREIGN KEY (issuer, subject) REFERENCES state.identity ON DELETE CASCADE
);
CREATE INDEX carried_group_invitation ON state.carried_group (invitation_id);

-- Links by which a guardian answers without an account.
CREATE TABLE state.guardian_link (
  id         uuid PRIMARY KEY,
  space_id   text NOT NULL,
  student_id text NOT NULL,
  token_hash text NOT NULL UNIQUE,
  -- The address, until there is an answer.
  sealed     text,
  asked_at   timestamptz NOT NULL DEFAULT now(),
  -- Null once there is an answer: the same link withdraws a consent.
  expires_at timestamptz
);
CREATE INDEX guardian_link_student ON state.guardian_link (student_id, space_id);

CREATE TABLE state.last_look (
  student_id text NOT NULL,
  space_id   text NOT NULL,
  seen_at    timestamptz NOT NULL,
  PRIMARY KEY (student_id, space_id)
);
`;
