import type { Pool } from 'pg';
import type { Redis } from 'ioredis';
import { Inject, Injectable } from '@nestjs/common';
import { DomainError } from '@nimo/domain';
import { LRUCache } from 'lru-cache';
import { type LimitName, LIMITS, type RateLimit } from './limits.js';
import type { ClaimHasher } from '../personal-data/key-uses.js';
import type { Settings } from '../config/load-settings.js';
import { Metrics } from '../operations/metrics.js';
import { SETTINGS } from '../config/tokens.js';
import type { ClientKey } from '../callers/client-address.js';

interface Taken {
  /** With what was just taken; more than the most of the window where that was used up. */
  readonly used: number;
  /** Until the window ends. */
  readonly leftMs: number;
}

/** The windows, in one place for all processes. */
export abstract class Throttles {
  /** Takes a portion, and begins a window where none is open. Those who ask at once are served one after the other. */
  abstract take(key: string, limit: Pick<RateLimit, 'most' | 'seconds' | 'portion'>): Promise<Taken>;
}

/**
 * Subjects are phones, addresses and ids: what is stored is their keyed hash, behind the name of the limit. While the key rotates, the window
 * under the former one is counted on: a new key gives nobody a fresh window.
 */
export class HashedThrottles extends Throttles {
  constructor(
    private readonly stored: Throttles,
    private readonly hasher: ClaimHasher,
  ) {
    super();
  }

  async take(...[key, limit]: Parameters<Throttles['take']>): Promise<Taken> {
    const nameEnds = key.indexOf(':');
    const name = key.slice(0, nameEnds);
    const given = ['throttle', name, key.slice(nameEnds + 1)] as const;
    const former = this.hasher.formerSecret(...given);
    const taken = await this.takeOf(name, this.hasher.hashSecret(...given), limit);
    if (former === undefined) return taken;
    const before = await this.takeOf(name, former, limit);
    return { used: Math.max(taken.used, before.used), leftMs: Math.max(taken.leftMs, before.leftMs) };
  }

  private takeOf(name: string, subject: Buffer, limit: Parameters<Throttles['take']>[1]): Promise<Taken> {
    return this.stored.take(`${name}:${subject.toString('base64url')}`, limit);
  }
}

/**
 * Rows of `state.throttle`. Where uses are counted one by one, a commit waits for the disk. A portion does not: after a crash of the server it may be
 * given once more, as to another process, and a vote would otherwise wait for the disk twice.
 */
export class PostgresThrottles extends Throttles {
  constructor(private readonly pool: Pool) {
    super();
  }

  async take(...[key, limit]: Parameters<Throttles['take']>): Promise<Taken> {
    const isPortion = limit.portion > 1;
    const { rows } = await this.pool.query<Taken>({
      name: isPortion ? 'throttle-take-portion' : 'throttle-take',
      text: `insert into state.throttle as t (key, window_ends, used) values ($1, now() + $2 * interval '1 second', $3)
             on conflict (key) do update set
               window_ends = case when t.window_ends <= now() then excluded.window_ends else t.window_ends end,
               used = case when t.window_ends <= now() then excluded.used else least(t.used, $4) + excluded.used end
             returning used, extract(epoch from window_ends - now())::float8 * 1000 as "leftMs"
             ${isPortion ? `, set_config('synchronous_commit', 'off', true)` : ''}`,
      values: [key, limit.seconds, limit.portion, limit.most],
    });
    const [row] = rows;
    if (!row) throw new Error('a throttle was neither made nor found');
    return row;
  }
}

/** One step for Redis, so that nobody takes in between. The window ends by the server's clock, and the key with it. */
const TAKE = `
  local used = math.min(tonumber(redis.call('GET', KEYS[1]) or '0'), tonumber(ARGV[3])) + tonumber(ARGV[2])
  local left = redis.call('PTTL', KEYS[1])
  if left <= 0 then left = tonumber(ARGV[1]) end
  redis.call('SET', KEYS[1], used, 'PX', left)
  return { used, left }
`;

interface WithScript {
  nimoTake(key: string, windowMs: number, portion: number, most: number): Promise<[number, number]>;
}

/**
 * Keys of Redis. Where it does not answer, the windows in the database are used: they begin anew, so that for the time being at most twice
 * as much is allowed, and nobody waits or goes unlimited.
 */
export class RedisThrottles extends Throttles {
  constructor(
    private readonly redis: Redis,
    private readonly fallback: Throttles,
  ) {
    super();
    redis.defineCommand('nimoTake', { numberOfKeys: 1, lua: TAKE });
  }

  async take(...[key, limit]: Parameters<Throttles['take']>): Promise<Taken> {
    const { most, seconds, portion } = limit;
    try {
      const [used, leftMs] = await (this.redis as Redis & WithScript).nimoTake(
        `nimo:throttle:${key}`,
        seconds * 1000,
        portion,
        most,
      );
      return { used, leftMs };
    } catch {
      return this.fallback.take(key, limit);
    }
  }
}

/** What is left to the caller of the limits that a request was counted against, by the request's context. */
const budgets = new WeakMap<object, Map<string, Budget>>();

/** @param budget undefined where nothing was counted here */
export function noteBudget(request: object, budget: Budget | undefined): void {
  if (!budget) return;
  const noted = budgets.get(request) ?? new Map<string, Budget>();
  budgets.set(request, noted.set(budget.name, budget));
}

export const budgetsOf = (request: object): readonly Budget[] => [...(budgets.get(request)?.values() ?? [])];

/** A limit by address counts clients, never addresses as they came. */
type SubjectOf<Name extends LimitName> = Name extends `${string}PerAddress` ? ClientKey : string;

const MAX_LEASES = 20_000;
/** What a row and Redis count in is 32 bits; a window that large is none. */
const MAX_PER_WINDOW = 2_000_000_000;

interface Lease {
  left: number;
  /** What nobody had taken when this was: others may have since. */
  readonly beyond: number;
  readonly endsAt: number;
}

/** What a subject may still do in the window at hand. */
interface Budget {
  readonly name: string;
  readonly most: number;
  readonly seconds: number;
  /** As this process knows it: less where others have taken portions since. */
  readonly left: number;
  readonly secondsLeft: number;
}

/**
 * Fixed windows that all processes share. Generous limits are taken in portions that a process then spends by
 * itself, so that a vote does not pay for a row each; what is allowed in total stays the same.
 */
@Injectable()
export class RateLimiter {
  private readonly leases = new LRUCache<string, Lease>({ max: MAX_LEASES });
  private readonly taking = new Map<string, Promise<number>>();

  constructor(
    private readonly throttles: Throttles,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'rateLimitFactor'>,
    private readonly metrics: Metrics,
  ) {}

  /** @throws DomainError with the limit's code and the seconds to wait, when the subject has used its window up */
  async use<Name extends LimitName>(name: Name, subject: SubjectOf<Name>): Promise<void> {
    const limit = this.scaled(name);
    const key = `${limit.name}:${subject}`;
    if (!(await this.took(limit, key))) throw new DomainError(limit.code, { seconds: this.secondsLeft(key) });
  }

  /** A rule of the product, whatever the factor. How long it lasts would tell of others: it may count by somebody's phone. */
  async useExactly(limit: RateLimit, subject: string): Promise<void> {
    if (!(await this.took(limit, `${limit.name}:${subject}`))) throw new DomainError(limit.code);
  }

  /**
   * Takes many at once, with what it takes beyond the portions that this process has for free.
   * @throws DomainError with the limit's code, the limit and the seconds to wait
   */
  async useMany(limit: RateLimit, subject: string, amount: number): Promise<void> {
    const key = `${limit.name}:${subject}`;
    this.begin(limit, key);
    if (!(await this.took(limit, key, amount)))
      throw new DomainError(limit.code, { most: limit.most, seconds: this.secondsLeft(key) });
  }

  /** Counts what was used already: nothing of the window is left where that is more than was. */
  async recordUse(limit: RateLimit, subject: string, amount: number): Promise<void> {
    const key = `${limit.name}:${subject}`;
    this.begin(limit, key);
    if (await this.took(limit, key, amount)) return;
    const lease = this.leases.get(key);
    if (lease) lease.left = 0;
  }

  /** As `useExactly`, for whoever has another way. */
  async tryToUse(limit: RateLimit, subject: string): Promise<boolean> {
    return this.useExactly(limit, subject).then(
      () => true,
      (error: unknown) => {
        if (error instanceof DomainError) return false;
        throw error;
      },
    );
  }

  /** Whether something is left, and takes nothing: for what is counted once it has gone wrong. */
  async isLeft(limit: RateLimit, subject: string): Promise<boolean> {
    const { used } = await this.throttles.take(`${limit.name}:${subject}`, { ...limit, portion: 0 });
    return used < limit.most;
  }

  /** What is left of a limit after a use; undefined where no window is open in this process. */
  budgetOf(limit: RateLimit, subject: string): Budget | undefined {
    const key = `${limit.name}:${subject}`;
    const left = this.leftOf(key);
    if (left === undefined) return undefined;
    const { name, most, seconds } = limit;
    const all = left + (this.leases.get(key)?.beyond ?? 0);
    return { name, most, seconds, left: Math.min(most, all), secondsLeft: this.secondsLeft(key) };
  }

  /** As `RATE_LIMIT_FACTOR` says. */
  scaled(name: LimitName): RateLimit {
    const limit: RateLimit = LIMITS[name];
    return { ...limit, most: Math.min(limit.most * this.settings.rateLimitFactor, MAX_PER_WINDOW) };
  }

  private async took(limit: RateLimit, key: string, amount = 1): Promise<boolean> {
    while (!this.spend(key, amount)) {
      const granted = await (this.taking.get(key) ?? this.startTaking(limit, key));
      if (granted > 0) continue;
      this.metrics.refusals.inc({ limit: limit.name });
      return false;
    }
    return true;
  }

  /** Of the window that is used up. */
  private secondsLeft(key: string): number {
    const waitMs = (this.leases.get(key)?.endsAt ?? 0) - Date.now();
    return Math.max(1, Math.ceil(waitMs / 1000));
  }

  private begin({ free = 0, most, seconds }: RateLimit, key: string): void {
    if (free === 0 || this.leftOf(key) !== undefined) return;
    this.leases.set(key, { left: free, beyond: most - free, endsAt: Date.now() + seconds * 1000 });
  }

  /** Undefined where no window is open here. */
  private leftOf(key: string): number | undefined {
    const lease = this.leases.get(key);
    return lease && Date.now() < lease.endsAt ? lease.left : undefined;
  }

  private spend(key: string, amount = 1): boolean {
    const lease = this.leases.get(key);
    if (!lease || lease.left < amount || Date.now() >= lease.endsAt) return false;
    lease.left -= amount;
    return true;
  }

  /** One at a time for a subject: those who come meanwhile share what it brings. */
  private startTaking(limit: RateLimit, key: string): Promise<number> {
    const taking = this.take(limit, key).finally(() => this.taking.delete(key));
    this.taking.set(key, taking);
    return taking;
  }

  private async take(limit: RateLimit, key: string): Promise<number> {
    const { used, leftMs } = await this.throttles.take(key, limit);
    const granted = Math.max(0, Math.min(limit.portion, limit.most - (used - limit.portion)));
    // Those who take many leave a rest behind.
    const left = (this.leftOf(key) ?? 0) + granted;
    this.leases.set(key, { left, beyond: Math.max(0, limit.most - used), endsAt: Date.now() + leftMs });
    return granted;
  }
}
