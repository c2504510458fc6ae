import { GUARDIAN_LINK_TTL_DAYS } from '@nimo/domain';
import type { Pool } from 'pg';
import { GROUPS_BELIEVED } from '../auth/identities.js';
import type { Settings } from '../config/load-settings.js';
import { KNOWN_DAYS } from '../rate-limit/login-throttle.js';
import { NOBODY } from '../security-log/security-log.js';

/** What is kept as long as whoever runs the installation says. */
export type Kept = Pick<Settings, 'securityLogDays'>;

export interface Retention {
  /** As docs/privacy.md tells it. */
  readonly life: string;
  /** Rows that mean nothing any more. */
  readonly over: string;
}

/** Tables of `state` that one job empties of what is over. What was counted or sent is not kept longer than it is needed. */
export const retentionOf = ({ securityLogDays }: Kept): Readonly<Record<string, Retention>> => ({
  throttle: { life: 'its window', over: 'window_ends < now()' },
  // As long as LoginThrottle remembers: tries for a day, and from where somebody signed in (no tries) as long as that is known.
  login_attempt: {
    life: `a day; ${KNOWN_DAYS} days where somebody signed in`,
    over: `retry_at < now() and last_at < now() - interval '1 day' * case attempts when 0 then ${KNOWN_DAYS} else 1 end`,
  },
  otp: { life: '10 minutes', over: 'expires_at < now()' },
  phone_grant: { life: '30 minutes', over: 'expires_at < now()' },
  contact_change: { life: '10 minutes', over: 'expires_at < now()' },
  invited_contact: {
    life: 'until the address or number joined, or its list expired or was revoked',
    over: `not exists (select from state.invitation i where i.id = invitation_id and i.revoked_at is null and i.expires_at > now())`,
  },
  carried_group: {
    life: `${GROUPS_BELIEVED} after the log-in; until its owner joined, the group or the identity is gone, or the rule was revoked`,
    over: `seen_at < now() - interval '${GROUPS_BELIEVED}'`,
  },
  invitation: {
    life: '30 days after it expired or was revoked, with who used it',
    over: "least(revoked_at, expires_at) < now() - interval '30 days'",
  },
  guardian_link: {
    life: `${GUARDIAN_LINK_TTL_DAYS} days without an answer; as long as the account once there is one, without the address`,
    over: 'expires_at < now()',
  },
  mailed_link: { life: '1 hour to reset, 24 hours to confirm', over: 'expires_at < now()' },
  pending_registration: { life: '24 hours, or until it is confirmed', over: 'expires_at < now()' },
  sign_in_attempt: { life: 'minutes', over: 'expires_at < now()' },
  factor_ceremony: { life: 'minutes', over: 'expires_at < now()' },
  factor_ticket: { life: '10 minutes', over: 'expires_at < now()' },
  idempotency_keys: { life: '7 days', over: "used_at < now() - interval '7 days'" },
  web_document: {
    life: '90 days after the last api that had it',
    over: "seen_at < now() - interval '90 days'",
  },
  outbox: { life: '1 day', over: "sent_at < now() - interval '1 day'" },
  security_log: {
    life: `${securityLogDays} days (SECURITY_LOG_DAYS)`,
    // Of nobody: written so that a wrong name takes as long as a wrong password.
    over: `at < now() - interval '${securityLogDays} days' or (student_id = '${NOBODY}' and at < now() - interval '10 minutes')`,
  },
});

/** Every other table of `state`, with what ends its rows, or why they stay. */
export const KEPT_BECAUSE: Readonly<Record<string, string>> = {
  abandoned_sign_up: 'until the sign-up is forgotten, by UnfinishedSignUps',
  back_up: 'one row a back-up: when it was made and verified',
  case_effect: 'beside the case that it tells of; numbers',
  claim_check: 'until the claim is settled, by ClaimsReactor',
  credential: 'as long as the account',
  erasure: 'as long as the tombstone: an id, how far it is, and counts',
  factor_reset: 'until its owner has read it',
  identity: 'as long as the account',
  key_use: 'one row a key that this database was filled with: its fingerprint',
  invitation_use: 'with the invitation',
  last_look: 'as long as the account',
  log_chain_place: 'one row: how far the log is chained',
  log_home: 'one row: which log this is',
  log_misfits: 'until the log fits again; positions',
  log_verification: 'one row: how far the log is verified',
  migrations: 'the schema itself',
  own_export: 'a day, by OwnExports with the file',
  passkey: 'until its owner removes it',
  reactors: 'one row a reactor: how far it is',
  recovery_code: 'until it is used or renewed',
  scoring_drafts: 'until it is published or thrown away; of no student',
  scoring_trial_rows: 'with the trial',
  scoring_trials: '15 minutes, by the next trial',
  search_collections: 'one row a collection',
  search_shipping: 'one row a collection: how far it is',
  session: 'a day, or 60 days where it is remembered; less when it is idle; by SessionStore every hour',
  stream_snapshots: 'a cache of the log, which goes with the key',
  student_language: 'as long as the account',
  student_key: 'without its key for good, so that none is made again',
  totp_factor: 'until its owner removes it',
  unfinished_restore: 'one row at most, until the restore is at its end',
  upload: 'as long as something shows the picture, by PictureSweep',
};

/** Housekeeping: all of it is dead already. @returns how many rows went */
export async function sweepState(pool: Pool, kept: Kept): Promise<number> {
  let swept = 0;
  for (const [table, { over }] of Object.entries(retentionOf(kept))) {
    const { rowCount } = await pool.query(`delete from state.${table} where ${over}`);
    swept += rowCount ?? 0;
  }
  return swept;
}
