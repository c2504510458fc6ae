/** Account and membership data that is never in the event log: secrets, hashes and pending operations. */
export const ACCOUNT_TABLES_SQL = `
create table state.credential (
  student_id    text primary key,
  password_hash text not null,
  changed_at    timestamptz not null default now()
);

-- Unconfirmed registrations by email, so that a login with the right password can report the missing confirmation.
create table state.pending_registration (
  -- Hash of name and password together; one row each for the address and the username.
  key_hash        text primary key,
  registration_id uuid not null,
  sealed          text not null,
  expires_at      timestamptz not null
);
create index pending_registration_id on state.pending_registration (registration_id);

create table state.abandoned_sign_up (
  student_id text primary key,
  noted_at   timestamptz not null default now()
);

-- Accounts at OpenID Connect providers.
create table state.identity (
  issuer     text not null,
  subject    text not null,
  student_id text not null,
  linked_at  timestamptz not null default now(),
  primary key (issuer, subject)
);
create index identity_student on state.identity (student_id);

-- Pending checks of reservations: a username, phone or address is reserved before the event that uses it is appended.
create table state.claim_check (
  subject    text primary key,
  kind       text not null,
  claim      text,
  student_id text not null,
  due_at     timestamptz not null
);
create index claim_check_due on state.claim_check (due_at);

-- One pending change per kind: a new one replaces it.
create table state.contact_change (
  student_id    text not null,
  kind          text not null,
  id            uuid not null unique,
  -- The new value, encrypted with the master key.
  sealed        text not null,
  -- Null if the account has no confirmed contact.
  own_code_hash bytea,
  new_code_hash bytea not null,
  attempts      integer not null default 0,
  tries         integer not null,
  done_at       timestamptz,
  expires_at    timestamptz not null,
  primary key (student_id, kind)
);
create index contact_change_expiry on state.contact_change (expires_at);

create table state.session (
  token_hash   text primary key,
  id           uuid not null default gen_random_uuid() unique,
  student_id   text not null,
  address      text not null,
  user_agent   text not null,
  created_at   timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  expires_at   timestamptz not null,
  -- When the second factor was last verified.
  factor_at    timestamptz
);
create index session_student on state.session (student_id);
create index session_expiry on state.session (expires_at);

create table state.otp (
  phone_hash  bytea not null,
  purpose     text not null,
  -- The browser that requested the code; no other can use it.
  holder_hash bytea not null,
  code_hash   bytea not null,
  attempts    integer not null default 0,
  tries       integer not null,
  expires_at  timestamptz not null,
  primary key (phone_hash, purpose, holder_hash)
);
create index otp_expiry on state.otp (expires_at);

-- A used grant or link returns the stored result to the same command and does nothing else.
create table state.phone_grant (
  grant_hash text primary key,
  student_id text not null,
  expires_at timestamptz not null,
  used_by    text,
  done_at    timestamptz
);
create index phone_grant_student on state.phone_grant (student_id);
create table state.mailed_link (
  token_hash text primary key,
  purpose    text not null,
  student_id text not null,
  sealed     text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_by    text,
  -- When a process claimed it.
  claimed_at timestamptz,
  done_at    timestamptz
);
create index mailed_link_student on state.mailed_link (student_id);

-- Pending sign-ins by OpenID Connect.
create table state.sign_in_attempt (
  secret_hash text primary key,
  state_hash  text unique,
  provider    text not null,
  sealed      text not null,
  remember    boolean not null,
  code_hash   text unique,
  student_id  text,
  expires_at  timestamptz not null
);

create table state.login_attempt (
  key      bytea primary key,
  attempts integer not null,
  last_at  timestamptz not null,
  retry_at timestamptz not null
);
create index login_attempt_last on state.login_attempt (last_at);

create table state.security_log (
  -- No sequence: its gaps would reveal the activity of others.
  id         uuid primary key default gen_random_uuid(),
  student_id text not null,
  kind       text not null,
  -- Not the time of the transaction, so that entries of one request keep their order.
  at         timestamptz not null default clock_timestamp(),
  browser    text,
  system     text,
  network    text,
  -- The event that caused the entry, if any.
  event_id   text unique
);
create index security_log_student on state.security_log (student_id, at desc, id);
create index security_log_at on state.security_log (at);

create table state.totp_factor (
  student_id  text primary key,
  name        text,
  sealed      text not null,
  -- Period of the last accepted code; only later ones are accepted.
  last_period bigint not null,
  created_at  timestamptz not null default now()
);
create table state.passkey (
  credential_id text primary key,
  id            uuid not null default gen_random_uuid() unique,
  student_id    text not null,
  name          text not null,
  public_key    bytea not null,
  counter       bigint not null,
  transports    text[] not null,
  created_at    timestamptz not null default now(),
  last_used_at  timestamptz
);
create index passkey_student on state.passkey (student_id);
create table state.recovery_code (
  student_id text not null,
  code_hash  bytea not null,
  key_print  text not null,
  primary key (student_id, code_hash)
);
-- One ceremony per kind for each session or unfinished sign-in.
create table state.factor_ceremony (
  holder_hash text not null,
  kind        text not null check (kind in ('set-up-totp', 'set-up-passkey', 'use-passkey')),
  student_id  text not null,
  sealed      text not null,
  expires_at  timestamptz not null,
  primary key (holder_hash, kind)
);
create table state.factor_ticket (
  ticket_hash text primary key,
  student_id  text not null,
  remember    boolean not null,
  expires_at  timestamptz not null
);
create table state.factor_reset (
  student_id text primary key,
  reason     text not null,
  at         timestamptz not null default now()
);

-- Secrets and invited contacts are stored as hashes only, and deleted when the invitation ends.
create table state.invitation (
  id          uuid primary key,
  space_id    text not null,
  kind        text not null,
  -- Null for operators and erased creators.
  made_by     text,
  -- The API derives the link or code from the salt with the HMAC key.
  salt        bytea,
  secret_hash bytea unique,
  rule        text,
  uses        integer,
  used        integer not null default 0,
  created_at  timestamptz not null default now(),
  expires_at  timestamptz,
  revoked_at  timestamptz,
  check (used <= uses)
);
create index invitation_space on state.invitation (space_id, created_at desc);
create index invitation_rule on state.invitation (kind) where kind not in ('LINK', 'CODE') and revoked_at is null;
create index invitation_maker on state.invitation (made_by);
create table state.invitation_use (
  invitation_id uuid not null references state.invitation on delete cascade,
  student_id    text not null,
  used_at       timestamptz not null default now(),
  primary key (invitation_id, student_id)
);
create index invitation_use_student on state.invitation_use (student_id);
create table state.invited_contact (
  invitation_id uuid not null references state.invitation on delete cascade,
  hash          bytea not null,
  primary key (invitation_id, hash)
);
create index invited_contact_hash on state.invited_contact (hash);

-- Group rules that an account at a provider matched. Groups without a rule are not stored.
create table state.matched_group (
  issuer        text not null,
  subject       text not null,
  invitation_id uuid not null references state.invitation on delete cascade,
  seen_at       timestamptz not null default now(),
  primary key (issuer, subject, invitation_id),
  -- Deleted with the identity.
  foreign key (issuer, subject) references state.identity on delete cascade
);
create index matched_group_invitation on state.matched_group (invitation_id);

-- Links for guardians, who have no account.
create table state.guardian_link (
  id         uuid primary key,
  space_id   text not null,
  student_id text not null,
  token_hash text not null unique,
  -- The address; deleted once the guardian answers.
  sealed     text,
  asked_at   timestamptz not null default now(),
  -- Null once the guardian has answered: the same link withdraws consent.
  expires_at timestamptz
);
create index guardian_link_student on state.guardian_link (student_id, space_id);

create table state.notifications_seen (
  student_id text not null,
  space_id   text not null,
  seen_at    timestamptz not null,
  primary key (student_id, space_id)
);
`;
