import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { shippingClient, TypesenseShipper } from '@nimo/search';
import { Pool } from 'pg';
import { setTimeout as delay } from 'node:timers/promises';
import type { Settings } from '../../platform/config/load-settings.js';
import type { Logger } from '../../platform/logging/logger.js';
import { LOGGER, SETTINGS } from '../../platform/config/tokens.js';
import { Search, typesenseServer } from './search.js';

/** Ships search documents to Typesense, if configured. */
@Injectable()
export class SearchShipping {
  private readonly shipper: TypesenseShipper | undefined;

  constructor(pool: Pool, @Inject(SETTINGS) settings: Settings, @Inject(LOGGER) logger: Logger) {
    const server = typesenseServer(settings);
    this.shipper =
      server &&
      new TypesenseShipper({
        client: shippingClient(server),
        pool,
        onError: (err) => logger.error({ err }, 'could not ship documents to the search engine'),
      });
  }

  start(): void {
    this.shipper?.start();
  }

  async stop(): Promise<void> {
    await this.shipper?.stop();
  }
}

const WARM_UP_INTERVAL_MS = 10_000;

/** Keeps the embedded search index warm while the API runs, so that no search waits for a large space to load. */
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

  /** A failed round is made up for by the next one or by a search. */
  private async keepWarm(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.search.warmUp().catch((err: unknown) => {
        if (!signal.aborted) this.logger.warn({ err }, 'could not update the search index');
      });
      await delay(WARM_UP_INTERVAL_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }
}
