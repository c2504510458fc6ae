import { GUARDIAN_LINK_TTL_DAYS } from '@nimo/domain';
import type { Pool } from 'pg';
import { GROUPS_TTL } from '../auth/identities.js';
import type { Settings } from '../config/load-settings.js';
import { TRUSTED_CLIENT_DAYS } from '../rate-limit/login-throttle.js';
import { UNKNOWN_ACCOUNT } from '../security-log/security-log.js';

/** Retention periods set by the operator. */
export type RetentionSettings = Pick<Settings, 'securityLogDays'>;

export interface Retention {
  /** Retention as documented in docs/privacy.md. */
  readonly period: string;
  /** SQL condition for expired rows. */
  readonly expired: string;
}

/** Tables of `state` whose expired rows `sweepState` deletes. */
export const retentionOf = ({ securityLogDays }: RetentionSettings): Readonly<Record<string, Retention>> => ({
  throttle: { period: 'its window', expired: 'window_ends < now()' },
  // Matches LoginThrottle: attempts count for a day; trusted clients (0 attempts) are remembered longer.
  login_attempt: {
    period: `a day; ${TRUSTED_CLIENT_DAYS} days where someone signed in`,
    expired: `retry_at < now() and last_at < now() - interval '1 day' * case attempts when 0 then ${TRUSTED_CLIENT_DAYS} else 1 end`,
  },
  otp: { period: '10 minutes', expired: 'expires_at < now()' },
  phone_grant: { period: '30 minutes', expired: 'expires_at < now()' },
  contact_change: { period: '10 minutes', expired: 'expires_at < now()' },
  invited_contact: {
    period: 'until the address or number joined, or its list expired or was revoked',
    expired: `not exists (select from state.invitation i where i.id = invitation_id and i.revoked_at is null and i.expires_at > now())`,
  },
  matched_group: {
    period: `${GROUPS_TTL} after the log-in; until its owner joined, the group or the identity is gone, or the rule was revoked`,
    expired: `seen_at < now() - interval '${GROUPS_TTL}'`,
  },
  invitation: {
    period: '30 days after it expired or was revoked, with who used it',
    expired: "least(revoked_at, expires_at) < now() - interval '30 days'",
  },
  guardian_link: {
    period: `${GUARDIAN_LINK_TTL_DAYS} days without an answer; as long as the account once there is one, without the address`,
    expired: 'expires_at < now()',
  },
  mailed_link: { period: '1 hour to reset, 24 hours to confirm', expired: 'expires_at < now()' },
  pending_registration: { period: '24 hours, or until it is confirmed', expired: 'expires_at < now()' },
  sign_in_attempt: { period: 'minutes', expired: 'expires_at < now()' },
  factor_ceremony: { period: 'minutes', expired: 'expires_at < now()' },
  factor_ticket: { period: '10 minutes', expired: 'expires_at < now()' },
  idempotency_keys: { period: '7 days', expired: "used_at < now() - interval '7 days'" },
  web_document: {
    period: '90 days after the last API process that used it',
    expired: "seen_at < now() - interval '90 days'",
  },
  outbox: { period: '1 day', expired: "sent_at < now() - interval '1 day'" },
  security_log: {
    period: `${securityLogDays} days (SECURITY_LOG_DAYS)`,
    // Entries of UNKNOWN_ACCOUNT are written so that an unknown username takes as long as a wrong password.
    expired: `at < now() - interval '${securityLogDays} days' or (student_id = '${UNKNOWN_ACCOUNT}' and at < now() - interval '10 minutes')`,
  },
});

/** All other tables of `state`, with what deletes their rows or why they are kept. */
export const RETENTION_REASONS: Readonly<Record<string, string>> = {
  abandoned_sign_up: 'until the sign-up is forgotten, by UnfinishedSignUps',
  backup: 'one row per backup: when it was created and verified',
  case_effect: 'as long as the case; only numbers',
  claim_check: 'until the claim is settled, by ClaimsReactor',
  credential: 'as long as the account',
  data_export: 'a day, deleted by OwnExports with the file',
  erasure: 'as long as the tombstone: an id, its progress, and counts',
  factor_reset: 'until its owner has read it',
  identity: 'as long as the account',
  invitation_use: 'with the invitation',
  key_fingerprint: 'one row per key: its fingerprint, and until when it is used',
  log_chain_position: 'one row: position up to which the log is chained',
  log_engine: 'one row: which log this is',
  log_mismatches: 'until the log verifies again; positions',
  log_verification: 'one row: position up to which the log is verified',
  migrations: 'the schema itself',
  notifications_seen: 'as long as the account',
  passkey: 'until its owner removes it',
  reactors: 'one row per reactor: its position',
  recovery_code: 'until it is used or renewed',
  scoring_drafts: 'until it is published or discarded; concerns no student',
  scoring_trial_rows: 'with the trial',
  scoring_trials: '15 minutes, by the next trial',
  search_collections: 'one row per collection',
  search_sync: 'one row per collection: its position',
  session: 'a day, or 60 days if remembered; less when idle; deleted hourly by SessionStore',
  stream_snapshots: 'a cache of the log, deleted with the key',
  student_key: 'forever, without the key, so that none is recreated',
  student_language: 'as long as the account',
  totp_factor: 'until its owner removes it',
  unfinished_restore: 'at most one row, until the restore completes',
  upload: 'as long as the image is in use, deleted by PictureSweep',
};

/** Deletes expired rows. @returns how many */
export async function sweepState(pool: Pool, kept: RetentionSettings): Promise<number> {
  let swept = 0;
  for (const [table, { expired }] of Object.entries(retentionOf(kept))) {
    const { rowCount } = await pool.query(`delete from state.${table} where ${expired}`);
    swept += rowCount ?? 0;
  }
  return swept;
}
