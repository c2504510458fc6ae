/** Account and membership data that is never in the event log: secrets, hashes and pending operations. */
export const ACCOUNT_TABLES_SQL = `
create table state.credential (
  student_id    text primary key,
  password_hash text not null,
  changed_at    timestamptz not null default now()
);

-- Registrations by email that nobody has confirmed yet, so that a log-in with the right password can say so.
create table state.pending_registration (
  -- Hash of name and password together; one row for the address and one for the username.
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

-- A username, phone or address that is reserved until the event that claims it is certain.
create table state.claim_check (
  subject    text primary key,
  kind       text not null,
  claim      text,
  student_id text not null,
  due_at     timestamptz not null
);
create index claim_check_due on state.claim_check (due_at);

-- One change of a kind at a time: beginning another ends the one before.
create table state.contact_change (
  student_id    text not null,
  kind          text not null,
  id            uuid not null unique,
  -- The new value, under the master key.
  sealed        text not null,
  -- Null if the account has no confirmed contact to ask.
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
  -- When the second factor was given.
  factor_at    timestamptz
);
create index session_student on state.session (student_id);
create index session_expiry on state.session (expires_at);

create table state.otp (
  phone_hash  bytea not null,
  purpose     text not null,
  -- The browser that asked for the code: only there is it good.
  holder_hash bytea not null,
  code_hash   bytea not null,
  attempts    integer not null default 0,
  tries       integer not null,
  expires_at  timestamptz not null,
  primary key (phone_hash, purpose, holder_hash)
);
create index otp_expiry on state.otp (expires_at);

-- A grant or a link that was used answers the same command again and does nothing.
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
  -- Since when a process has been working on it.
  claimed_at timestamptz,
  done_at    timestamptz
);
create index mailed_link_student on state.mailed_link (student_id);

-- Sign-ins by OpenID Connect under way.
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
  -- No sequence: its gaps would tell how much happens to others.
  id         uuid primary key default gen_random_uuid(),
  student_id text not null,
  kind       text not null,
  -- Not the transaction's time: entries of one request keep their order.
  at         timestamptz not null default clock_timestamp(),
  browser    text,
  system     text,
  network    text,
  -- The event behind the entry, if there is one.
  event_id   text unique
);
create index security_log_student on state.security_log (student_id, at desc, id);
create index security_log_at on state.security_log (at);

create table state.totp_factor (
  student_id  text primary key,
  name        text,
  sealed      text not null,
  -- The period of the last code that was taken: neither it nor an earlier one is taken again.
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
-- A session or an unfinished sign-in holds one ceremony of a kind at a time.
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
  -- Null for operators, and once its maker is erased.
  made_by     text,
  -- The api derives a link or code from the salt with its own key.
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

-- Group rules that an account at a provider fulfilled. Groups that no rule asks for are not stored.
create table state.carried_group (
  issuer        text not null,
  subject       text not null,
  invitation_id uuid not null references state.invitation on delete cascade,
  seen_at       timestamptz not null default now(),
  primary key (issuer, subject, invitation_id),
  -- Deleted with the identity.
  foreign key (issuer, subject) references state.identity on delete cascade
);
create index carried_group_invitation on state.carried_group (invitation_id);

-- Links by which a guardian answers without an account.
create table state.guardian_link (
  id         uuid primary key,
  space_id   text not null,
  student_id text not null,
  token_hash text not null unique,
  -- The address, until there is an answer.
  sealed     text,
  asked_at   timestamptz not null default now(),
  -- Null once there is an answer: the same link withdraws a consent.
  expires_at timestamptz
);
create index guardian_link_student on state.guardian_link (student_id, space_id);

create table state.last_look (
  student_id text not null,
  space_id   text not null,
  seen_at    timestamptz not null,
  primary key (student_id, space_id)
);
`;
