import { type EventStore, LogWatch } from '@nimo/event-store';
import { RebuildThrottle } from '@nimo/projection-engine';
import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import type { Settings } from '../../platform/config/load-settings.js';
import type { Logger } from '../../platform/logging/logger.js';
import { CLOCK, type Clock, LOGGER, SETTINGS, STORED_LOG } from '../../platform/runtime/tokens.js';
import { logKeyOf, witnessesOf } from './log-witness.js';

/** Verifies the log as long as a worker runs: see docs/maintenance.md. */
@Injectable()
export class LogRotation {
  private readonly watch: LogWatch;

  constructor(
    pool: Pool,
    @Inject(STORED_LOG) log: EventStore,
    @Inject(SETTINGS) settings: Settings,
    @Inject(LOGGER) logger: Logger,
    @Inject(CLOCK) clock: Clock,
  ) {
    const pace = new RebuildThrottle(pool);
    this.watch = new LogWatch({
      pool,
      log,
      witnesses: witnessesOf(settings, pool),
      key: logKeyOf(settings),
      formerKeys: settings.logFormerKeys ?? [],
      clock,
      onMisfit: (misfit) => logger.error({ misfit }, `the log does not fit its proof: ${misfit.detail}`),
      onError: (err) => logger.error({ err }, 'the verification of the log failed'),
      giveWay: (tookMs, signal) => pace.giveWay(tookMs, signal),
    });
  }

  start(): void {
    this.watch.start();
  }

  stop(): Promise<void> {
    return this.watch.stop();
  }
}
