import { Inject, Injectable } from '@nestjs/common';
import { DomainError } from '@nimo/domain';
import type { Settings } from '../config/load-settings.js';
import { Metrics } from '../operations/metrics.js';
import { SETTINGS } from '../runtime/tokens.js';
import type { ClientKey } from './client-key.js';
import { LIMITS, type LimitName, type RateLimit } from './limits.js';
import { Throttles } from './throttles.js';

/** A limit by address counts clients, never addresses as they came. */
type SubjectOf<Name extends LimitName> = Name extends `${string}PerAddress` ? ClientKey : string;

const MOST_LEASES = 20_000;
/** What a row and Redis count in is 32 bits; a window that large is none. */
const MOST_OF_A_WINDOW = 2_000_000_000;

interface Lease {
  left: number;
  readonly endsAt: number;
}

/**
 * Fixed windows that all processes share. Generous limits are taken in portions that a process then spends by
 * itself, so that a vote does not pay for a row each; what is allowed in total stays the same.
 */
@Injectable()
export class RateLimiter {
  private readonly leases = new Map<string, Lease>();
  private readonly taking = new Map<string, Promise<number>>();

  constructor(
    private readonly throttles: Throttles,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'rateLimitFactor'>,
    private readonly metrics: Metrics,
  ) {}

  /** @throws DomainError with the limit's code when the subject has used its window up */
  async use<Name extends LimitName>(name: Name, subject: SubjectOf<Name>): Promise<void> {
    await this.useExactly(this.scaled(name), subject);
  }

  /** A rule of the product, whatever the factor. */
  async useExactly(limit: RateLimit, subject: string): Promise<void> {
    const key = `${limit.name}:${subject}`;
    while (!this.spend(key)) {
      const granted = await (this.taking.get(key) ?? this.startTaking(limit, key));
      if (granted > 0) continue;
      this.metrics.refusals.inc({ limit: limit.name });
      throw new DomainError(limit.code);
    }
  }

  /**
   * Takes many at once, with what it takes beyond the portions that this process has for free.
   * @throws DomainError with the limit's code, the limit and the seconds to wait
   */
  async useMany(limit: RateLimit, subject: string, amount: number): Promise<void> {
    const key = `${limit.name}:${subject}`;
    this.begin(limit, key);
    while (!this.spend(key, amount)) {
      const granted = await (this.taking.get(key) ?? this.startTaking(limit, key));
      if (granted > 0) continue;
      this.metrics.refusals.inc({ limit: limit.name });
      const waitMs = (this.leases.get(key)?.endsAt ?? 0) - Date.now();
      throw new DomainError(limit.code, { most: limit.most, seconds: Math.max(1, Math.ceil(waitMs / 1000)) });
    }
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

  /** As `RATE_LIMIT_FACTOR` says. */
  scaled(name: LimitName): RateLimit {
    const limit: RateLimit = LIMITS[name];
    return { ...limit, most: Math.min(limit.most * this.settings.rateLimitFactor, MOST_OF_A_WINDOW) };
  }

  private begin({ free = 0, seconds }: RateLimit, key: string): void {
    if (free === 0 || this.leftOf(key) !== undefined) return;
    this.keep(key, { left: free, endsAt: Date.now() + seconds * 1000 });
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

  private keep(key: string, lease: Lease): void {
    if (this.leases.size >= MOST_LEASES) this.leases.clear();
    this.leases.set(key, lease);
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
    this.keep(key, { left: (this.leftOf(key) ?? 0) + granted, endsAt: Date.now() + leftMs });
    return granted;
  }
}
