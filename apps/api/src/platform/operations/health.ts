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
/** The endpoint is public: components are not checked more often than this. */
const MIN_CHECK_INTERVAL_MS = 500;
const WATCH_MS = 1_000;
/** Time for optional components to come up: projections are built, leases acquired. */
const STARTUP_MS = 60_000;
/** A result older than this is discarded: nothing was watching. */
const STALE_MS = WATCH_MS + 2 * CHECK_TIMEOUT_MS;

export interface HealthCheck {
  readonly name: string;
  /** Whether the process cannot serve without it. */
  readonly isEssential: boolean;
  /** Rejects when the component is down. */
  readonly check: () => Promise<'up' | 'degraded'>;
}

export interface ComponentHealth {
  readonly status: 'up' | 'degraded' | 'down';
  readonly ms: number;
}

export interface Health {
  /** `ready` and `degraded` accept requests. */
  readonly status: 'ready' | 'degraded' | 'unavailable' | 'stopping';
  /** Version of this process; versions differ during a rolling upgrade. */
  readonly version: string;
  readonly components: Readonly<Record<string, ComponentHealth>>;
}

type Components = Health['components'];

export const canServe = ({ status }: Health): boolean => status === 'ready' || status === 'degraded';

const STOPPING: Health = { status: 'stopping', version: PRODUCT_VERSION, components: {} };

/** Checks a group of components and caches the result. */
class CachedCheck {
  known: Components | undefined;
  private startedAt = -Infinity;
  private endedAt = -Infinity;
  private pending: Promise<Components> | undefined;

  constructor(private readonly checkAll: () => Promise<Components>) {}

  get isStale(): boolean {
    return performance.now() - this.endedAt > STALE_MS;
  }

  /** The current state: a recent result, or that of the check in progress. */
  async check(): Promise<Components> {
    if (this.known && !this.pending && performance.now() - this.startedAt <= MIN_CHECK_INTERVAL_MS)
      return this.known;
    this.pending ??= this.run();
    return this.pending;
  }

  private async run(): Promise<Components> {
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

/** Health of the components of this process. Reveals only names, states, durations and the version. */
export class HealthReport {
  private readonly last = new Map<string, ComponentHealth['status']>();
  private readonly startedAt = performance.now();
  private readonly essentials: CachedCheck;
  private readonly others: CachedCheck;
  private watchTimer: NodeJS.Timeout | undefined;
  private isStopping = false;

  constructor(
    components: readonly HealthCheck[],
    private readonly logger: Logger,
    private readonly timeoutMs = CHECK_TIMEOUT_MS,
  ) {
    const watched = (isEssential: boolean): CachedCheck => {
      const those = components.filter((component) => component.isEssential === isEssential);
      return new CachedCheck(() => this.checkComponents(those));
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

  /** For load balancers: the last known state, never waiting for optional components. */
  async ready(): Promise<Health> {
    if (this.isStopping) return STOPPING;
    const { essentials } = this;
    this.refresh();
    const known = essentials.known && !essentials.isStale ? essentials.known : await essentials.check();
    return healthOf(known, this.others.known ?? {});
  }

  /** For operators: the current state of every component. */
  async diagnosis(): Promise<Health> {
    if (this.isStopping) return STOPPING;
    return healthOf(...(await Promise.all([this.essentials.check(), this.others.check()])));
  }

  private refresh(): void {
    for (const watched of [this.essentials, this.others])
      watched.check().catch((err: unknown) => this.logger.error({ err }));
  }

  private async checkComponents(components: readonly HealthCheck[]): Promise<Components> {
    const found = await Promise.all(
      components.map(async (component) => [component.name, await this.checkComponent(component)] as const),
    );
    return Object.fromEntries(found);
  }

  private async checkComponent({ name, check }: HealthCheck): Promise<ComponentHealth> {
    const start = performance.now();
    let status: ComponentHealth['status'];
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
  private logChange(component: string, status: ComponentHealth['status'], err: unknown): void {
    const known = this.last.get(component);
    // Not up yet: logged only after the start-up period.
    if (known === undefined && status === 'degraded' && performance.now() - this.startedAt < STARTUP_MS)
      return;
    const before = known ?? 'up';
    this.last.set(component, status);
    if (before === status) return;
    if (status === 'up') this.logger.info({ component }, `${component} is up again`);
    else this.logger.warn({ component, err }, `${component} is ${status}`);
  }
}

function healthOf(essentials: Components, others: Components): Health {
  const isUp = ({ status }: ComponentHealth): boolean => status === 'up';
  const isDown = Object.values(essentials).some(({ status }) => status === 'down');
  const areAllUp = [...Object.values(essentials), ...Object.values(others)].every(isUp);
  return {
    status: isDown ? 'unavailable' : areAllUp ? 'ready' : 'degraded',
    version: PRODUCT_VERSION,
    components: { ...essentials, ...others },
  };
}
