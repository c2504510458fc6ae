import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../logging/logger.js';
import { PRODUCT_VERSION } from '../config/version.js';

/** Rejects if the promise does not settle in time. */
export async function withTimeout<Value>(promise: Promise<Value>, milliseconds: number): Promise<Value> {
  const over = new AbortController();
  const late = delay(milliseconds, undefined, { signal: over.signal, ref: false }).then(() => {
    throw new Error(`timed out after ${milliseconds} ms`);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    over.abort();
    late.catch(() => undefined);
  }
}

/** A check that takes longer counts as failed, since load balancers have timeouts too. */
const CHECK_TIMEOUT_MS = 1_500;
/** The endpoint is public: parts are not checked more often than this. */
const MIN_CHECK_INTERVAL_MS = 500;
const WATCH_MS = 1_000;
/** Time for optional parts to come up: projections are built, leases acquired. */
const STARTUP_MS = 60_000;
/** A result older than this is discarded: nothing was watching. */
const STALE_MS = WATCH_MS + 2 * CHECK_TIMEOUT_MS;

export interface HealthPart {
  readonly name: string;
  /** Whether the process cannot serve without it. */
  readonly isEssential: boolean;
  /** Rejects when the part is down. */
  readonly check: () => Promise<'up' | 'degraded'>;
}

export interface PartHealth {
  readonly status: 'up' | 'degraded' | 'down';
  readonly ms: number;
}

export interface Health {
  /** `ready` and `degraded` accept requests. */
  readonly status: 'ready' | 'degraded' | 'unavailable' | 'stopping';
  /** Version of this process; versions differ during a rolling upgrade. */
  readonly version: string;
  readonly parts: Readonly<Record<string, PartHealth>>;
}

type Parts = Health['parts'];

export const canServe = ({ status }: Health): boolean => status === 'ready' || status === 'degraded';

const STOPPING: Health = { status: 'stopping', version: PRODUCT_VERSION, parts: {} };

/** Checks a group of parts and caches the result. */
class CachedCheck {
  known: Parts | undefined;
  private startedAt = -Infinity;
  private endedAt = -Infinity;
  private pending: Promise<Parts> | undefined;

  constructor(private readonly checkAll: () => Promise<Parts>) {}

  get isStale(): boolean {
    return performance.now() - this.endedAt > STALE_MS;
  }

  /** The current state: a recent result, or that of the check in progress. */
  async check(): Promise<Parts> {
    if (this.known && !this.pending && performance.now() - this.startedAt <= MIN_CHECK_INTERVAL_MS)
      return this.known;
    this.pending ??= this.run();
    return this.pending;
  }

  private async run(): Promise<Parts> {
    this.startedAt = performance.now();
    try {
      this.known = await this.checkAll();
      return this.known;
    } finally {
      this.endedAt = performance.now();
      this.pending = undefined;
    }
  }
}

/** Health of the parts of this process. Reveals only names, states, durations and the version. */
export class HealthReport {
  private readonly last = new Map<string, PartHealth['status']>();
  private readonly startedAt = performance.now();
  private readonly essentials: CachedCheck;
  private readonly others: CachedCheck;
  private watchTimer: NodeJS.Timeout | undefined;
  private isStopping = false;

  constructor(
    parts: readonly HealthPart[],
    private readonly logger: Logger,
    private readonly timeoutMs = CHECK_TIMEOUT_MS,
  ) {
    const watched = (isEssential: boolean): CachedCheck => {
      const those = parts.filter((part) => part.isEssential === isEssential);
      return new CachedCheck(() => this.checkParts(those));
    };
    this.essentials = watched(true);
    this.others = watched(false);
  }

  /** Starts checking in the background. */
  watch(): void {
    this.refresh();
    this.watchTimer ??= setInterval(() => this.refresh(), WATCH_MS).unref();
  }

  stop(): void {
    clearInterval(this.watchTimer);
  }

  /** Reports `stopping` from now on, so that the load balancer sends no more requests. */
  markStopping(): void {
    this.isStopping = true;
  }

  /** For load balancers: the last known state, never waiting for optional parts. */
  async ready(): Promise<Health> {
    if (this.isStopping) return STOPPING;
    const { essentials } = this;
    this.refresh();
    const known = essentials.known && !essentials.isStale ? essentials.known : await essentials.check();
    return healthOf(known, this.others.known ?? {});
  }

  /** For operators: the current state of every part. */
  async diagnosis(): Promise<Health> {
    if (this.isStopping) return STOPPING;
    return healthOf(...(await Promise.all([this.essentials.check(), this.others.check()])));
  }

  private refresh(): void {
    for (const watched of [this.essentials, this.others])
      watched.check().catch((err: unknown) => this.logger.error({ err }));
  }

  private async checkParts(parts: readonly HealthPart[]): Promise<Parts> {
    const found = await Promise.all(
      parts.map(async (part) => [part.name, await this.checkPart(part)] as const),
    );
    return Object.fromEntries(found);
  }

  private async checkPart({ name, check }: HealthPart): Promise<PartHealth> {
    const start = performance.now();
    let status: PartHealth['status'];
    let reason: unknown;
    try {
      status = await withTimeout(check(), this.timeoutMs);
    } catch (error) {
      status = 'down';
      reason = error;
    }
    this.logChange(name, status, reason);
    return { status, ms: Math.round(performance.now() - start) };
  }

  /** The cause appears only in the log. */
  private logChange(part: string, status: PartHealth['status'], err: unknown): void {
    const known = this.last.get(part);
    // Not up yet: logged only after the start-up period.
    if (known === undefined && status === 'degraded' && performance.now() - this.startedAt < STARTUP_MS)
      return;
    const before = known ?? 'up';
    this.last.set(part, status);
    if (before === status) return;
    if (status === 'up') this.logger.info({ part }, `${part} is up again`);
    else this.logger.warn({ part, err }, `${part} is ${status}`);
  }
}

function healthOf(essentials: Parts, others: Parts): Health {
  const isUp = ({ status }: PartHealth): boolean => status === 'up';
  const isDown = Object.values(essentials).some(({ status }) => status === 'down');
  const areAllUp = [...Object.values(essentials), ...Object.values(others)].every(isUp);
  return {
    status: isDown ? 'unavailable' : areAllUp ? 'ready' : 'degraded',
    version: PRODUCT_VERSION,
    parts: { ...essentials, ...others },
  };
}
