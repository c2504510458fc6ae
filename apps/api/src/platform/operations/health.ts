import type { Logger } from '../logging/logger.js';
import { inTime } from './in-time.js';

/** A check that takes longer counts as failed: whoever asks has a patience of its own. */
const PATIENCE_MS = 1_500;
/** Anybody may ask; the parts are not asked more often than this. */
const KEPT_MS = 500;

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
  readonly parts: Readonly<Record<string, PartHealth>>;
}

export const canServe = ({ status }: Health): boolean => status === 'ready' || status === 'degraded';

/** How the parts of this process are. Says nothing that an attacker could use: names, states and times. */
export class HealthReport {
  private readonly last = new Map<string, PartHealth['status']>();
  private kept: { readonly at: number; readonly health: Promise<Health> } | undefined;
  private isStopping = false;

  constructor(
    private readonly parts: readonly HealthPart[],
    private readonly logger: Logger,
    private readonly patienceMs = PATIENCE_MS,
  ) {}

  /** From now on this process asks for no more work. */
  leave(): void {
    this.isStopping = true;
  }

  async ready(): Promise<Health> {
    if (this.isStopping) return { status: 'stopping', parts: {} };
    const now = performance.now();
    if (!this.kept || now - this.kept.at > KEPT_MS) this.kept = { at: now, health: this.look() };
    return this.kept.health;
  }

  private async look(): Promise<Health> {
    const found = await Promise.all(this.parts.map(async (part) => [part, await this.lookAt(part)] as const));
    const isDown = found.some(([{ isEssential }, { status }]) => isEssential && status === 'down');
    const isWhole = found.every(([, { status }]) => status === 'up');
    return {
      status: isDown ? 'unavailable' : isWhole ? 'ready' : 'degraded',
      parts: Object.fromEntries(found.map(([{ name }, health]) => [name, health])),
    };
  }

  private async lookAt({ name, check }: HealthPart): Promise<PartHealth> {
    const start = performance.now();
    let status: PartHealth['status'];
    let reason: unknown;
    try {
      status = await inTime(check(), this.patienceMs);
    } catch (error) {
      status = 'down';
      reason = error;
    }
    this.tellOfChange(name, status, reason);
    return { status, ms: Math.round(performance.now() - start) };
  }

  /** The reason is for the log alone. */
  private tellOfChange(part: string, status: PartHealth['status'], err: unknown): void {
    const before = this.last.get(part) ?? 'up';
    this.last.set(part, status);
    if (before === status) return;
    if (status === 'up') this.logger.info({ part }, `${part} is up again`);
    else this.logger.warn({ part, err }, `${part} is ${status}`);
  }
}
