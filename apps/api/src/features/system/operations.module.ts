import { Inject, Injectable, Module, type DynamicModule } from '@nestjs/common';
import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import type { EventStore } from '@nimo/event-store';
import { Pool } from 'pg';
import type { FileStore } from '../../platform/adapters/files/file-store.js';
import type { JobQueues } from '../../platform/adapters/jobs/job-queues.js';
import { FILES, JOBS } from '../../platform/adapters/tokens.js';
import type { Settings } from '../../platform/config/load-settings.js';
import type { Logger } from '../../platform/logging/logger.js';
import { Messages } from '../../platform/pubsub/messages.js';
import { HealthReport } from '../../platform/operations/health.js';
import { Metrics } from '../../platform/operations/metrics.js';
import { OperationsServer } from '../../platform/operations/operations-server.js';
import { EVENT_STORE, LOGGER, SETTINGS } from '../../platform/config/tokens.js';
import { healthChecks } from './health-checks.js';
import { registerSharedMetrics } from './shared-metrics.js';

const PROCESS = Symbol('nimo:process');
type ProcessName = 'api' | 'worker';

/** Serves metrics and health if a port is configured for this process. Closes last, so that the shutdown is observable. */
@Injectable()
export class OperationsPort implements OnApplicationBootstrap, OnApplicationShutdown {
  private server: OperationsServer | undefined;

  // The gauges need every component.
  constructor(
    private readonly pool: Pool,
    private readonly metrics: Metrics,
    private readonly health: HealthReport,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(JOBS) private readonly jobs: JobQueues,
    @Inject(SETTINGS) private readonly settings: Settings,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(PROCESS) private readonly process: ProcessName,
  ) {}

  get url(): string | undefined {
    return this.server?.url;
  }

  async onApplicationBootstrap(): Promise<void> {
    const { settings, metrics, health, logger, pool, store, jobs } = this;
    health.watch();
    const [port, setting] =
      this.process === 'api' ? [settings.metricsPort, 'METRICS_PORT'] : [settings.workerPort, 'WORKER_PORT'];
    if (port === undefined) return;
    metrics.watchProcess();
    registerSharedMetrics({ metrics, pool, store, jobs, settings, health });
    const host = settings.metricsHost;
    this.server = await OperationsServer.listen({ host, port, setting, metrics, health, logger });
  }

  async onApplicationShutdown(): Promise<void> {
    this.health.stop();
    await this.server?.close();
  }
}

/** Health and metrics of the API and the worker. */
@Module({})
export class OperationsModule {
  static for(process: ProcessName): DynamicModule {
    const report = {
      provide: HealthReport,
      useFactory: (
        settings: Settings,
        pool: Pool,
        store: EventStore,
        messages: Messages,
        jobs: JobQueues,
        files: FileStore,
        logger: Logger,
      ) => new HealthReport(healthChecks({ settings, pool, store, messages, jobs, files }), logger),
      inject: [SETTINGS, Pool, EVENT_STORE, Messages, JOBS, FILES, LOGGER],
    };
    return {
      module: OperationsModule,
      providers: [report, { provide: PROCESS, useValue: process }, OperationsPort],
      exports: [HealthReport, OperationsPort],
    };
  }
}
