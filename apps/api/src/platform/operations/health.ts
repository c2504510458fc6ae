import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../logging/logger.js';
import { PRODUCT_VERSION } from '../config/version.js';

/** What is asked for, or a rejection where that takes longer. */
export async function withTimeout<Value>(asked: Promise<Value>, milliseconds: number): Promise<Value> {
  const over = new AbortController();
  const late = delay(milliseconds, undefined, { signal: over.signal, ref: false }).then(() => {
    throw new Error(`no answer in ${milliseconds} ms`);
  });
  try {
    return await Promise.race([asked, late]);
  } finally {
    over.abort();
    late.catch(() => undefined);
  }
}

/** A check that takes longer counts as failed: whoever asks has a patience of its own. */
const PATIENCE_MS = 1_500;
/** Anybody may ask; the parts are not asked more often than this. */
const KEPT_MS = 500;
/** While it is watched, nothing known is older than this. */
const WATCH_MS = 1_000;
/** As long a process may take until all that others stand in for is there: a read side that is built, leases that are taken. */
const STARTING_MS = 60_000;
/** Older than this it says nothing any more: nobody watched. */
const OLD_MS = WATCH_MS + 2 * PATIENCE_MS;

export interface HealthPart {
  readonly name: string;
  /** Nothing can be served without it. */
  readonly isEssential: boolean;
  /** Rejects where the part is down. */
  readonly check: () => Promise<'up' | 'degraded'>;
}

export interface PartHealth {
  readonly status: 'up' | 'degraded' | 'down';
  readonly ms: number;
}

export interface Health {
  /** `ready` and `degraded` take requests. */
  readonly status: 'ready' | 'degraded' | 'unavailable' | 'stopping';
  /** Of the code that answers: while processes are replaced, not all have the same. */
  readonly version: string;
  readonly parts: Readonly<Record<string, PartHealth>>;
}

type Parts = Health['parts'];

export const canServe = ({ status }: Health): boolean => status === 'ready' || status === 'degraded';

const STOPPING: Health = { status: 'stopping', version: PRODUCT_VERSION, parts: {} };

/** Parts that are looked at together, and how they were when they were looked at last. */
class Watched {
  known: Parts | undefined;
  private beganAt = -Infinity;
  private endedAt = -Infinity;
  private looking: Promise<Parts> | undefined;

  constructor(private readonly lookAtAll: () => Promise<Parts>) {}

  get isOld(): boolean {
    return performance.now() - this.endedAt > OLD_MS;
  }

  /** As they are: as found just now, or by the look that is under way. */
  async look(): Promise<Parts> {
    if (this.known && !this.looking && performance.now() - this.beganAt <= KEPT_MS) return this.known;
    this.looking ??= this.lookNow();
    return this.looking;
  }

  private async lookNow(): Promise<Parts> {
    this.beganAt = performance.now();
    try {
      this.known = await this.lookAtAll();
      return this.known;
    } finally {
      this.endedAt = performance.now();
      this.looking = undefined;
    }
  }
}

/** How the parts of this process are. Says nothing that an attacker could use: names, states, times and the version. */
export class HealthReport {
  private readonly last = new Map<string, PartHealth['status']>();
  private readonly startedAt = performance.now();
  private readonly essentials: Watched;
  private readonly others: Watched;
  private watching: NodeJS.Timeout | undefined;
  private isStopping = false;

  constructor(
    parts: readonly HealthPart[],
    private readonly logger: Logger,
    private readonly patienceMs = PATIENCE_MS,
  ) {
    const watched = (isEssential: boolean): Watched => {
      const those = parts.filter((part) => part.isEssential === isEssential);
      return new Watched(() => this.lookAt(those));
    };
    this.essentials = watched(true);
    this.others = watched(false);
  }

  /** From now on the answers are there before anybody asks. */
  watch(): void {
    this.refresh();
    this.watching ??= setInterval(() => this.refresh(), WATCH_MS).unref();
  }

  end(): void {
    clearInterval(this.watching);
  }

  /** From now on this process asks for no more work. */
  leave(): void {
    this.isStopping = true;
  }

  /** For whoever balances the load and asks often, with little patience: as last seen, and never waiting for a part that others stand in for. */
  async ready(): Promise<Health> {
    if (this.isStopping) return STOPPING;
    const { essentials } = this;
    this.refresh();
    const known = essentials.known && !essentials.isOld ? essentials.known : await essentials.look();
    return healthOf(known, this.others.known ?? {});
  }

  /** For people: every part as it is now. */
  async diagnosis(): Promise<Health> {
    if (this.isStopping) return STOPPING;
    return healthOf(...(await Promise.all([this.essentials.look(), this.others.look()])));
  }

  private refresh(): void {
    for (const watched of [this.essentials, this.others])
      watched.look().catch((err: unknown) => this.logger.error({ err }));
  }

  private async lookAt(parts: readonly HealthPart[]): Promise<Parts> {
    const found = await Promise.all(
      parts.map(async (part) => [part.name, await this.lookAtOne(part)] as const),
    );
    return Object.fromEntries(found);
  }

  private async lookAtOne({ name, check }: HealthPart): Promise<PartHealth> {
    const start = performance.now();
    let status: PartHealth['status'];
    let reason: unknown;
    try {
      status = await withTimeout(check(), this.patienceMs);
    } catch (error) {
      status = 'down';
      reason = error;
    }
    this.tellOfChange(name, status, reason);
    return { status, ms: Math.round(performance.now() - start) };
  }

  /** The reason is for the log alone. */
  private tellOfChange(part: string, status: PartHealth['status'], err: unknown): void {
    const known = this.last.get(part);
    // It has not been up yet: told once it has had its time.
    if (known === undefined && status === 'degraded' && performance.now() - this.startedAt < STARTING_MS)
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
  const isWhole = [...Object.values(essentials), ...Object.values(others)].every(isUp);
  return {
    status: isDown ? 'unavailable' : isWhole ? 'ready' : 'degraded',
    version: PRODUCT_VERSION,
    parts: { ...essentials, ...others },
  };
}
