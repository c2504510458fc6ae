import { Inject, Injectable } from '@nestjs/common';
import { shippingClient, TypesenseShipper } from '@nimo/projections';
import { Pool } from 'pg';
import type { Settings } from '../../platform/config/load-settings.js';
import type { Logger } from '../../platform/logging/logger.js';
import { LOGGER, SETTINGS } from '../../platform/runtime/tokens.js';
import { typesenseServer } from './configured-engine.js';

/** Brings the search rows to Typesense, where one is configured. */
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
        onError: (err) => logger.error({ err }, 'shipping to the search engine failed'),
      });
  }

  start(): void {
    this.shipper?.start();
  }

  async stop(): Promise<void> {
    await this.shipper?.stop();
  }
}
