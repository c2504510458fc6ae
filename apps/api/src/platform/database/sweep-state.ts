import type { Pool } from 'pg';
import type { Settings } from '../config/load-settings.js';
import { KNOWN_DAYS } from '../rate-limit/login-throttle.js';
import { NOBODY } from '../security-log/security-log.js';

/** Rows of `state` that mean nothing any more, by table. What was counted or sent is not kept longer than it is needed. */
const OVER: Readonly<Record<string, string>> = {
  throttle: 'window_ends < now()',
  // As long as LoginThrottle remembers: tries for a day, and whence somebody signed in (no tries) as long as that is known.
  login_attempt: `retry_at < now() and last_at < now() - interval '1 day' * case attempts when 0 then ${KNOWN_DAYS} else 1 end`,
  otp: 'expires_at < now()',
  phone_grant: 'expires_at < now()',
  mailed_link: 'expires_at < now()',
  sign_in_attempt: 'expires_at < now()',
  factor_ceremony: 'expires_at < now()',
  factor_ticket: 'expires_at < now()',
  idempotency_keys: "used_at < now() - interval '7 days'",
  outbox: "sent_at < now() - interval '1 day'",
};

/** What is kept as long as whoever runs the installation says. */
type Kept = Pick<Settings, 'securityLogDays'>;

const overBy = ({ securityLogDays }: Kept): Readonly<Record<string, string>> => ({
  ...OVER,
  // Of nobody: written so that a wrong name takes as long as a wrong password.
  security_log: `at < now() - interval '${securityLogDays} days' or (student_id = '${NOBODY}' and at < now() - interval '10 minutes')`,
});

/** Housekeeping: all of it is dead already. @returns how many rows went */
export async function sweepState(pool: Pool, kept: Kept): Promise<number> {
  let swept = 0;
  for (const [table, condition] of Object.entries(overBy(kept))) {
    const { rowCount } = await pool.query(`delete from state.${table} where ${condition}`);
    swept += rowCount ?? 0;
  }
  return swept;
}
