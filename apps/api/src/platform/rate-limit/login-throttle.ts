import { Injectable } from '@nestjs/common';
import { Metrics } from '../operations/metrics.js';
import { ClaimHasher } from '../personal-data/key-uses.js';
import { Pool } from 'pg';
import type { ClientKey } from '../callers/client-address.js';

/** Tries of one account from one address that cost nothing; each further one doubles the wait. */
const FREE_TRIES = 5;
/** The same from all addresses together, of those that never signed in to the account: whoever has many would have five from each. */
const FREE_STRANGE_TRIES = 50;
export const KNOWN_DAYS = 90;
const FIRST_WAIT_SECONDS = 10;
const MAX_WAIT_SECONDS = 15 * 60;

/** Counts tries before they are checked, so that a hundred at once are not a hundred free ones. */
@Injectable()
export class LoginThrottle {
  constructor(
    private readonly pool: Pool,
    private readonly hasher: ClaimHasher,
    private readonly metrics: Metrics,
  ) {}

  /** @returns false while the account has to wait; such a try is not counted */
  async begin(account: string, client: ClientKey): Promise<boolean> {
    const isFirst = await this.tryForEach(this.keysOf(account, client), FREE_TRIES);
    const isLet =
      isFirst &&
      ((await this.isKnown(account, client)) ||
        (await this.tryForEach(this.keysOf(account), FREE_STRANGE_TRIES)));
    if (!isLet) this.metrics.refusals.inc({ limit: 'login' });
    return isLet;
  }

  /** From there the account is reached from now on whatever strangers try elsewhere, so that nobody locks its owner out. */
  async succeeded(account: string, client: ClientKey): Promise<void> {
    await this.pool.query('delete from state.login_attempt where key = any($1)', [
      this.keysOf(account, client),
    ]);
    await this.pool.query(
      `insert into state.login_attempt (key, attempts, last_at, retry_at) values ($1, 0, now(), now())
       on conflict (key) do update set last_at = now()`,
      [this.hasher.hashSecret(...knownOf(account, client))],
    );
  }

  /** While the key of the hashes rotates, tries go on being counted under the former one, so that none is given anew. */
  private async tryForEach(keys: readonly Buffer[], freeTries: number): Promise<boolean> {
    for (const key of keys) if (!(await this.tryFor(key, freeTries))) return false;
    return true;
  }

  private async tryFor(key: Buffer, freeTries: number): Promise<boolean> {
    const { rowCount } = await this.pool.query({
      name: 'login-try',
      // By the clock and not by `now()`: of two at once, the one that began earlier may find what the later one has written.
      text: `insert into state.login_attempt as a (key, attempts, last_at, retry_at) values ($1, 1, now(), now())
             on conflict (key) do update set
               attempts = case when a.last_at < now() - interval '1 day' then 1 else a.attempts + 1 end,
               last_at = now(),
               retry_at = clock_timestamp() + case when a.attempts < $2 then interval '0'
                 else least($4 * power(2, least(a.attempts - $2, 20)), $3) * interval '1 second' end
             where a.retry_at <= clock_timestamp()
             returning key`,
      values: [key, freeTries, MAX_WAIT_SECONDS, FIRST_WAIT_SECONDS],
    });
    return rowCount === 1;
  }

  private async isKnown(account: string, client: ClientKey): Promise<boolean> {
    const { rowCount } = await this.pool.query(
      `select from state.login_attempt where key = any($1) and last_at > now() - $2 * interval '1 day'`,
      [this.hasher.secretHashes(...knownOf(account, client)), KNOWN_DAYS],
    );
    return rowCount !== 0;
  }

  /** The former key's first: where that one has to wait, nothing is counted under the new one. */
  private keysOf(account: string, client?: ClientKey): readonly Buffer[] {
    const whose = account.toLowerCase();
    const hashes =
      client === undefined
        ? this.hasher.secretHashes('login-account', whose)
        : this.hasher.secretHashes('login', whose, client);
    return hashes.toReversed();
  }
}

const knownOf = (account: string, client: ClientKey) =>
  ['login-known', account.toLowerCase(), client] as const;
