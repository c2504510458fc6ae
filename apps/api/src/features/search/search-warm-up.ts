import {
  Inject,
  Injectable,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '../../platform/logging/logger.js';
import { LOGGER } from '../../platform/runtime/tokens.js';
import { Search } from './search.js';

const EVERY_MS = 10_000;

/** From the start of the api until its end, beside its requests: no reader waits for a large space's words to be read. */
@Injectable()
export class SearchWarmUp implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly ending = new AbortController();

  constructor(
    private readonly search: Search,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    void this.keepWarm(this.ending.signal);
  }

  beforeApplicationShutdown(): void {
    this.ending.abort();
  }

  /** A round that fails is made up for by the next one, or by a search. */
  private async keepWarm(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.search.warmUp().catch((err: unknown) => {
        if (!signal.aborted) this.logger.warn({ err }, 'bringing the search index up to date failed');
      });
      await delay(EVERY_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }
}
