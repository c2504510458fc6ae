import { Injectable } from '@nestjs/common';
import { Metrics } from '../operations/metrics.js';
import { ClaimHasher } from '../personal-data/key-uses.js';
import { Pool } from 'pg';
import type { ClientKey } from '../callers/client-address.js';

/** Attempts without delay per account and address; each further one doubles the delay. */
const FREE_ATTEMPTS = 5;
/** Attempts without delay per account over all addresses that never signed in to it: a botnet would get five from each. */
const FREE_UNTRUSTED_ATTEMPTS = 50;
export const TRUSTED_CLIENT_DAYS = 90;
const FIRST_DELAY_SECONDS = 10;
const MAX_DELAY_SECONDS = 15 * 60;

/** Delays repeated login attempts. Counts an attempt before it is checked, so that concurrent ones are not free. */
@Injectable()
export class LoginThrottle {
  constructor(
    private readonly pool: Pool,
    private readonly hasher: ClaimHasher,
    private readonly metrics: Metrics,
  ) {}

  /** @returns false during a delay; such an attempt is not counted */
  async tryAttempt(account: string, client: ClientKey): Promise<boolean> {
    const isFirst = await this.countAttempts(this.attemptKeys(account, client), FREE_ATTEMPTS);
    const isAdmitted =
      isFirst &&
      ((await this.isTrusted(account, client)) ||
        (await this.countAttempts(this.attemptKeys(account), FREE_UNTRUSTED_ATTEMPTS)));
    if (!isAdmitted) this.metrics.rejections.inc({ limit: 'login' });
    return isAdmitted;
  }

  /** Trusts the client for this account from now on, so that strangers elsewhere cannot lock its owner out. */
  async recordSuccess(account: string, client: ClientKey): Promise<void> {
    await this.pool.query('delete from state.login_attempt where key = any($1)', [
      this.attemptKeys(account, client),
    ]);
    await this.pool.query(
      `insert into state.login_attempt (key, attempts, last_at, retry_at) values ($1, 0, now(), now())
       on conflict (key) do update set last_at = now()`,
      [this.hasher.hashSecret(...trustedClientSecret(account, client))],
    );
  }

  /** While the hash key rotates, attempts are also counted under the previous key, so that rotation resets none. */
  private async countAttempts(keys: readonly Buffer[], freeTries: number): Promise<boolean> {
    for (const key of keys) if (!(await this.countAttempt(key, freeTries))) return false;
    return true;
  }

  private async countAttempt(key: Buffer, freeTries: number): Promise<boolean> {
    const { rowCount } = await this.pool.query({
      name: 'login-try',
      // `clock_timestamp()`, not `now()`: a transaction that began earlier may see a row written by a later one.
      text: `insert into state.login_attempt as a (key, attempts, last_at, retry_at) values ($1, 1, now(), now())
             on conflict (key) do update set
               attempts = case when a.last_at < now() - interval '1 day' then 1 else a.attempts + 1 end,
               last_at = now(),
               retry_at = clock_timestamp() + case when a.attempts < $2 then interval '0'
                 else least($4 * power(2, least(a.attempts - $2, 20)), $3) * interval '1 second' end
             where a.retry_at <= clock_timestamp()
             returning key`,
      values: [key, freeTries, MAX_DELAY_SECONDS, FIRST_DELAY_SECONDS],
    });
    return rowCount === 1;
  }

  private async isTrusted(account: string, client: ClientKey): Promise<boolean> {
    const { rowCount } = await this.pool.query(
      `select from state.login_attempt where key = any($1) and last_at > now() - $2 * interval '1 day'`,
      [this.hasher.secretHashes(...trustedClientSecret(account, client)), TRUSTED_CLIENT_DAYS],
    );
    return rowCount !== 0;
  }

  /** Previous key first: while it is delayed, nothing is counted under the current one. */
  private attemptKeys(account: string, client?: ClientKey): readonly Buffer[] {
    const userName = account.toLowerCase();
    const hashes =
      client === undefined
        ? this.hasher.secretHashes('login-account', userName)
        : this.hasher.secretHashes('login', userName, client);
    return hashes.toReversed();
  }
}

const trustedClientSecret = (account: string, client: ClientKey) =>
  ['login-known', account.toLowerCase(), client] as const;
