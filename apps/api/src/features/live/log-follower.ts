import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { EventStore, RecordedEvent } from '@nimo/event-store';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../../platform/logging/logger.js';
import { EVENT_STORE, LOGGER } from '../../platform/config/tokens.js';

const RETRY_MS = 500;

export interface LogReader {
  read(batch: readonly RecordedEvent[]): Promise<void>;
  /** Called after a lost subscription: events may have been missed. */
  onGap(): void;
}

/** Follows the log for its readers. An API process without readers reads nothing. */
@Injectable()
export class LogFollower implements OnModuleDestroy {
  private readonly readers = new Set<LogReader>();
  private following: AbortController | undefined;
  private started: Promise<void> = Promise.resolve();

  constructor(
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  setActive(reader: LogReader, isActive: boolean): void {
    if (isActive) this.readers.add(reader);
    else this.readers.delete(reader);
    if (this.readers.size === 0) {
      this.onModuleDestroy();
    } else if (!this.following) {
      const { signal } = (this.following = new AbortController());
      this.started = new Promise((onStart) => void this.keepFollowing(signal, onStart));
    }
  }

  /** Resolves once no later event can be lost without a call of `onGap`. */
  whenStarted(): Promise<void> {
    return this.started;
  }

  onModuleDestroy(): void {
    this.following?.abort();
    this.following = undefined;
  }

  private async keepFollowing(signal: AbortSignal, onStart: () => void): Promise<void> {
    const isStopped = (): boolean => signal.aborted;
    for (let isRetry = false; !isStopped(); isRetry = true) {
      try {
        await this.follow(signal, isRetry, onStart);
      } catch (err) {
        onStart();
        if (!isStopped()) this.logger.warn({ err }, 'log subscription for live updates failed');
      }
      await delay(RETRY_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  private async follow(signal: AbortSignal, isRetry: boolean, onStart: () => void): Promise<void> {
    const after = await this.store.head();
    onStart();
    if (isRetry) this.readers.forEach((reader) => reader.onGap());
    for await (const batch of this.store.subscribe({ ...(after !== undefined && { after }), signal })) {
      await Promise.all([...this.readers].map((reader) => reader.read(batch)));
    }
  }
}
