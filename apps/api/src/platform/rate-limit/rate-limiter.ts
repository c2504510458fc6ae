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

interface WindowUsage {
  /** Including the lease just taken; may exceed the limit. */
  readonly used: number;
  /** Milliseconds until the window ends. */
  readonly leftMs: number;
}

/** Storage of the fixed windows, shared by all processes. */
export abstract class Throttles {
  /** Takes a lease, starting a window if none is open. Concurrent calls are serialised. */
  abstract take(key: string, limit: Pick<RateLimit, 'max' | 'seconds' | 'leaseSize'>): Promise<WindowUsage>;
}

/**
 * Stores subjects (phones, addresses and ids) as keyed hashes, prefixed with the limit's name. While the key rotates, the window under the
 * previous key counts too, so that rotation resets no window.
 */
export class HashedThrottles extends Throttles {
  constructor(
    private readonly stored: Throttles,
    private readonly hasher: ClaimHasher,
  ) {
    super();
  }

  async take(...[key, limit]: Parameters<Throttles['take']>): Promise<WindowUsage> {
    const nameEnds = key.indexOf(':');
    const name = key.slice(0, nameEnds);
    const parts = ['throttle', name, key.slice(nameEnds + 1)] as const;
    const previousHash = this.hasher.hashSecretWithPreviousKey(...parts);
    const taken = await this.takeHashed(name, this.hasher.hashSecret(...parts), limit);
    if (previousHash === undefined) return taken;
    const before = await this.takeHashed(name, previousHash, limit);
    return { used: Math.max(taken.used, before.used), leftMs: Math.max(taken.leftMs, before.leftMs) };
  }

  private takeHashed(
    name: string,
    subject: Buffer,
    limit: Parameters<Throttles['take']>[1],
  ): Promise<WindowUsage> {
    return this.stored.take(`${name}:${subject.toString('base64url')}`, limit);
  }
}

/**
 * Windows in rows of `state.throttle`. Single uses commit synchronously. Leases do not: a crash may only grant one twice, and a vote would
 * otherwise wait for the disk twice.
 */
export class PostgresThrottles extends Throttles {
  constructor(private readonly pool: Pool) {
    super();
  }

  async take(...[key, limit]: Parameters<Throttles['take']>): Promise<WindowUsage> {
    const isLease = limit.leaseSize > 1;
    const { rows } = await this.pool.query<WindowUsage>({
      name: isLease ? 'throttle-take-lease' : 'throttle-take',
      text: `insert into state.throttle as t (key, window_ends, used) values ($1, now() + $2 * interval '1 second', $3)
             on conflict (key) do update set
               window_ends = case when t.window_ends <= now() then excluded.window_ends else t.window_ends end,
               used = case when t.window_ends <= now() then excluded.used else least(t.used, $4) + excluded.used end
             returning used, extract(epoch from window_ends - now())::float8 * 1000 as "leftMs"
             ${isLease ? `, set_config('synchronous_commit', 'off', true)` : ''}`,
      values: [key, limit.seconds, limit.leaseSize, limit.max],
    });
    const [row] = rows;
    if (!row) throw new Error('the throttle upsert returned no row');
    return row;
  }
}

/** Atomic script. The window ends by the server's clock, and the key expires with it. */
const TAKE = `
  local used = math.min(tonumber(redis.call('GET', KEYS[1]) or '0'), tonumber(ARGV[3])) + tonumber(ARGV[2])
  local left = redis.call('PTTL', KEYS[1])
  if left <= 0 then left = tonumber(ARGV[1]) end
  redis.call('SET', KEYS[1], used, 'PX', left)
  return { used, left }
`;

interface TakeCommand {
  nimoTake(key: string, windowMs: number, leaseSize: number, max: number): Promise<[number, number]>;
}

/**
 * Windows in Redis. While it is unavailable, falls back to windows in the database, which start empty: at most twice the limit is
 * granted.
 */
export class RedisThrottles extends Throttles {
  constructor(
    private readonly redis: Redis,
    private readonly fallback: Throttles,
  ) {
    super();
    redis.defineCommand('nimoTake', { numberOfKeys: 1, lua: TAKE });
  }

  async take(...[key, limit]: Parameters<Throttles['take']>): Promise<WindowUsage> {
    const { max, seconds, leaseSize } = limit;
    try {
      const [used, leftMs] = await (this.redis as Redis & TakeCommand).nimoTake(
        `nimo:throttle:${key}`,
        seconds * 1000,
        leaseSize,
        max,
      );
      return { used, leftMs };
    } catch {
      return this.fallback.take(key, limit);
    }
  }
}

/** Remaining budgets of the limits a request was counted against, by request context. */
const budgets = new WeakMap<object, Map<string, Budget>>();

/** @param budget undefined when this process counted nothing */
export function recordBudget(request: object, budget: Budget | undefined): void {
  if (!budget) return;
  const noted = budgets.get(request) ?? new Map<string, Budget>();
  budgets.set(request, noted.set(budget.name, budget));
}

export const budgetsOf = (request: object): readonly Budget[] => [...(budgets.get(request)?.values() ?? [])];

/** Limits per address count client keys, never raw addresses. */
type SubjectOf<Name extends LimitName> = Name extends `${string}PerAddress` ? ClientKey : string;

const MAX_LEASES = 20_000;
/** The column and Redis count in 32 bits. */
const MAX_PER_WINDOW = 2_000_000_000;

interface Lease {
  left: number;
  /** Uses not leased by any process when this lease was taken. */
  readonly unleased: number;
  readonly endsAt: number;
}

/** A subject's remaining uses in the current window. */
interface Budget {
  readonly name: string;
  readonly max: number;
  readonly seconds: number;
  /** An upper bound: other processes may have taken leases since. */
  readonly left: number;
  readonly secondsLeft: number;
}

/**
 * Rate limiting with fixed windows shared by all processes. A process leases several uses of a generous limit at a time and spends them
 * locally, so that not every vote costs a write; the total stays the same.
 */
@Injectable()
export class RateLimiter {
  private readonly leases = new LRUCache<string, Lease>({ max: MAX_LEASES });
  private readonly pendingLeases = new Map<string, Promise<number>>();

  constructor(
    private readonly throttles: Throttles,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'rateLimitFactor'>,
    private readonly metrics: Metrics,
  ) {}

  /** @throws DomainError with the limit's code and the seconds to wait when the window is used up */
  async use<Name extends LimitName>(name: Name, subject: SubjectOf<Name>): Promise<void> {
    const limit = this.scaled(name);
    const key = `${limit.name}:${subject}`;
    if (!(await this.tryUse(limit, key)))
      throw new DomainError(limit.code, { seconds: this.secondsLeft(key) });
  }

  /** Uses a product rule, unscaled. Does not reveal the wait: the subject may be someone else's phone. */
  async useExactly(limit: RateLimit, subject: string): Promise<void> {
    if (!(await this.tryUse(limit, `${limit.name}:${subject}`))) throw new DomainError(limit.code);
  }

  /**
   * Uses an amount, from the local allowance first.
   * @throws DomainError with the limit's code, the limit and the seconds to wait
   */
  async useMany(limit: RateLimit, subject: string, amount: number): Promise<void> {
    const key = `${limit.name}:${subject}`;
    this.openWindow(limit, key);
    if (!(await this.tryUse(limit, key, amount)))
      throw new DomainError(limit.code, { most: limit.max, seconds: this.secondsLeft(key) });
  }

  /** Counts an amount already used; empties the window if it exceeds the rest. */
  async recordUse(limit: RateLimit, subject: string, amount: number): Promise<void> {
    const key = `${limit.name}:${subject}`;
    this.openWindow(limit, key);
    if (await this.tryUse(limit, key, amount)) return;
    const lease = this.leases.get(key);
    if (lease) lease.left = 0;
  }

  /** Like `useExactly`, but returns false when used up. */
  async tryUseExactly(limit: RateLimit, subject: string): Promise<boolean> {
    return this.useExactly(limit, subject).then(
      () => true,
      (error: unknown) => {
        if (error instanceof DomainError) return false;
        throw error;
      },
    );
  }

  /** Whether uses are left, without taking any: for limits that count failures. */
  async hasRemaining(limit: RateLimit, subject: string): Promise<boolean> {
    const { used } = await this.throttles.take(`${limit.name}:${subject}`, { ...limit, leaseSize: 0 });
    return used < limit.max;
  }

  /** The remaining budget after a use; undefined when this process has no open window. */
  budgetOf(limit: RateLimit, subject: string): Budget | undefined {
    const key = `${limit.name}:${subject}`;
    const left = this.remaining(key);
    if (left === undefined) return undefined;
    const { name, max, seconds } = limit;
    const all = left + (this.leases.get(key)?.unleased ?? 0);
    return { name, max, seconds, left: Math.min(max, all), secondsLeft: this.secondsLeft(key) };
  }

  /** The limit multiplied by `RATE_LIMIT_FACTOR`. */
  scaled(name: LimitName): RateLimit {
    const limit: RateLimit = LIMITS[name];
    return { ...limit, max: Math.min(limit.max * this.settings.rateLimitFactor, MAX_PER_WINDOW) };
  }

  private async tryUse(limit: RateLimit, key: string, amount = 1): Promise<boolean> {
    while (!this.spend(key, amount)) {
      const granted = await (this.pendingLeases.get(key) ?? this.acquireLease(limit, key));
      if (granted > 0) continue;
      this.metrics.rejections.inc({ limit: limit.name });
      return false;
    }
    return true;
  }

  /** Seconds until the window ends, at least 1. */
  private secondsLeft(key: string): number {
    const waitMs = (this.leases.get(key)?.endsAt ?? 0) - Date.now();
    return Math.max(1, Math.ceil(waitMs / 1000));
  }

  private openWindow({ localAllowance = 0, max, seconds }: RateLimit, key: string): void {
    if (localAllowance === 0 || this.remaining(key) !== undefined) return;
    this.leases.set(key, {
      left: localAllowance,
      unleased: max - localAllowance,
      endsAt: Date.now() + seconds * 1000,
    });
  }

  /** Undefined without an open window. */
  private remaining(key: string): number | undefined {
    const lease = this.leases.get(key);
    return lease && Date.now() < lease.endsAt ? lease.left : undefined;
  }

  private spend(key: string, amount = 1): boolean {
    const lease = this.leases.get(key);
    if (!lease || lease.left < amount || Date.now() >= lease.endsAt) return false;
    lease.left -= amount;
    return true;
  }

  /** One lease request per subject at a time; concurrent callers share it. */
  private acquireLease(limit: RateLimit, key: string): Promise<number> {
    const taking = this.take(limit, key).finally(() => this.pendingLeases.delete(key));
    this.pendingLeases.set(key, taking);
    return taking;
  }

  private async take(limit: RateLimit, key: string): Promise<number> {
    const { used, leftMs } = await this.throttles.take(key, limit);
    const granted = Math.max(0, Math.min(limit.leaseSize, limit.max - (used - limit.leaseSize)));
    // An amount larger than the lease leaves a remainder.
    const left = (this.remaining(key) ?? 0) + granted;
    this.leases.set(key, { left, unleased: Math.max(0, limit.max - used), endsAt: Date.now() + leftMs });
    return granted;
  }
}
