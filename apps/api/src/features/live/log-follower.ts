import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { EventStore, RecordedEvent } from '@nimo/event-store';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../../platform/logging/logger.js';
import { EVENT_STORE, LOGGER } from '../../platform/config/tokens.js';

const RETRY_MS = 500;

export interface LogReader {
  read(batch: readonly RecordedEvent[]): Promise<void>;
  /** The log was away: something may have been missed. */
  missed(): void;
}

/** Follows the log's end for those who tell it on, and only while there are such: an api process without open pages reads nothing. */
@Injectable()
export class LogFollower implements OnModuleDestroy {
  private readonly readers = new Set<LogReader>();
  private following: AbortController | undefined;
  private begun: Promise<void> = Promise.resolve();

  constructor(
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** From now on, until `isUsed` is false. */
  use(reader: LogReader, isUsed: boolean): void {
    if (isUsed) this.readers.add(reader);
    else this.readers.delete(reader);
    if (this.readers.size === 0) {
      this.onModuleDestroy();
    } else if (!this.following) {
      const { signal } = (this.following = new AbortController());
      this.begun = new Promise((begun) => void this.keepReading(signal, begun));
    }
  }

  /** Settles when what is appended from now on is told, or will be made up for by `missed`. */
  hasBegun(): Promise<void> {
    return this.begun;
  }

  onModuleDestroy(): void {
    this.following?.abort();
    this.following = undefined;
  }

  /** The log may be away for a while; whoever listened through that is told, as something may have been missed. */
  private async keepReading(signal: AbortSignal, begun: () => void): Promise<void> {
    const isOver = (): boolean => signal.aborted;
    for (let isAgain = false; !isOver(); isAgain = true) {
      try {
        await this.follow(signal, isAgain, begun);
      } catch (err) {
        begun();
        if (!isOver()) this.logger.warn({ err }, 'following the log for live updates failed');
      }
      await delay(RETRY_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  private async follow(signal: AbortSignal, isAgain: boolean, begun: () => void): Promise<void> {
    const after = await this.store.head();
    begun();
    if (isAgain) this.readers.forEach((reader) => reader.missed());
    for await (const batch of this.store.subscribe({ ...(after !== undefined && { after }), signal })) {
      await Promise.all([...this.readers].map((reader) => reader.read(batch)));
    }
  }
}
