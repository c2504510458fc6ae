import { Inject, Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import type { EventStore } from '@nimo/event-store';
import { projections, REWRITING_EVENTS, ScoreSnapshots } from '@nimo/projections';
import { ProjectionWorker, ReactorRunner } from '@nimo/projection-engine';
import { Pool } from 'pg';
import { SmsJobs, type SmsSender } from '../platform/adapters/sms/sms-sender.js';
import type { JobQueues } from '../platform/adapters/jobs/job-queues.js';
import { JOBS, SMS } from '../platform/adapters/tokens.js';
import { ContactChangeNoticeReactor } from '../features/contacts/contact-change-notice.reactor.js';
import { RemovalsReactor } from '../features/removals/removals.reactor.js';
import { EntryAnswerReactor } from '../features/spaces/entry-answer.reactor.js';
import { AccountMail } from '../features/account-mail/account-mail.js';
import { FactorResetReactor } from '../features/second-factor/factor-reset.reactor.js';
import { ErasureReactor, Erasures } from '../features/erasure/erasures.js';
import { RemovedSpaceReactor } from '../features/erasure/removed-space.reactor.js';
import { LogAlarm, LogChain, LogVerification } from '../features/log-proof/log-chain.js';
import { OwnExportBuilder } from '../features/own-data/own-export-builder.js';
import { OwnExports } from '../features/own-data/own-exports.js';
import { SearchShipping } from '../features/search/search-shipping.js';
import { SecurityLogReactor } from '../features/security-log/security-log.reactor.js';
import { UnfinishedSignUps } from '../features/accounts/unfinished-sign-ups.js';
import { ClaimsReactor } from '../features/accounts/claims.reactor.js';
import { ImageJobs } from '../features/uploads/image-rules.js';
import { PictureSweep } from '../features/uploads/picture-sweep.js';
import { SessionStore } from '../platform/auth/session-store.js';
import type { Settings } from '../platform/config/load-settings.js';
import { sweepState } from '../platform/runtime/retention.js';
import type { Logger } from '../platform/logging/logger.js';
import { Messages } from '../platform/pubsub/messages.js';
import { WorkerTelemetry } from './worker-telemetry.js';
import { EVENT_STORE, LOGGER, SETTINGS } from '../platform/config/tokens.js';

/** How often a worker looks for free leases. A takeover takes this plus the lease of three seconds. */
const LEASE_POLL_INTERVAL_MS = 500;
/** Signals that a worker joined, left or released a lease, so that the others look immediately. */
const WORKERS_CHANNEL = 'nimo_workers';
const CLAIMS_INTERVAL_MS = 30_000;
const SNAPSHOTS_INTERVAL_MS = 60_000;
const PICTURES_INTERVAL_MS = 60_000;
const ERASURES_INTERVAL_MS = 15_000;
const SESSIONS_INTERVAL_MS = 60 * 60_000;
const SWEEPS_INTERVAL_MS = 10 * 60_000;

/** Starts and stops everything a worker process runs, hence the many dependencies. */
@Injectable()
export class Workers implements BeforeApplicationShutdown {
  private readonly timers: NodeJS.Timeout[] = [];
  private readonly stopping = new AbortController();
  private readonly housekeeping = new Set<Promise<unknown>>();
  private projectionWorker: ProjectionWorker | undefined;
  private reactors: ReactorRunner | undefined;
  private unsubscribe: (() => void) | undefined;

  constructor(
    private readonly pool: Pool,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly claims: ClaimsReactor,
    private readonly signUps: UnfinishedSignUps,
    private readonly images: ImageJobs,
    private readonly ownExports: OwnExports,
    private readonly ownExportMaker: OwnExportBuilder,
    private readonly pictures: PictureSweep,
    private readonly accountMail: AccountMail,
    private readonly factorResets: FactorResetReactor,
    private readonly smsJobs: SmsJobs,
    @Inject(SMS) private readonly sms: SmsSender,
    private readonly sessions: SessionStore,
    private readonly searchShipping: SearchShipping,
    private readonly logChain: LogChain,
    private readonly alarm: LogAlarm,
    private readonly logRotation: LogVerification,
    private readonly telemetry: WorkerTelemetry,
    @Inject(JOBS) private readonly jobs: JobQueues,
    private readonly messages: Messages,
    private readonly securityLog: SecurityLogReactor,
    private readonly contactNews: ContactChangeNoticeReactor,
    private readonly entryNews: EntryAnswerReactor,
    private readonly removals: RemovalsReactor,
    private readonly erasureReactor: ErasureReactor,
    private readonly removedSpaces: RemovedSpaceReactor,
    private readonly erasures: Erasures,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'securityLogDays'>,
  ) {}

  async start(): Promise<void> {
    const { pool, store } = this;
    const worker = new ProjectionWorker({
      pool,
      store,
      projections,
      rewriting: REWRITING_EVENTS,
      retryMs: LEASE_POLL_INTERVAL_MS,
      onError: (error, projection) => this.telemetry.failed(error, projection),
      onApplied: (batch) => this.telemetry.applied(batch),
      refusal: () => this.alarm.switchRefusal(),
      onChange: () => this.notifyOtherWorkers(),
    });
    this.projectionWorker = worker;
    this.unsubscribe = await this.messages.subscribe(WORKERS_CHANNEL, { onMessage: () => worker.wake() });
    await worker.start();
    this.searchShipping.start();
    this.logChain.start();
    this.logRotation.start();
    await this.smsJobs.work(this.sms);
    await this.accountMail.work();
    await this.images.work();
    await this.ownExportMaker.start();
    this.reactors = new ReactorRunner({
      pool,
      store,
      reactors: [
        this.claims,
        this.factorResets,
        this.securityLog,
        this.contactNews,
        this.entryNews,
        this.removals,
        this.erasureReactor,
        this.removedSpaces,
      ].map((reactor) => this.telemetry.instrument(reactor)),
      onError: (error, reactor) => this.telemetry.failed(error, reactor),
      shouldRun: () => worker.hasPromptRole,
    });
    await this.reactors.start();
    const snapshots = new ScoreSnapshots({ pool });
    // Finding due snapshots scans the facts of large spaces, so only one worker does it.
    this.every(SNAPSHOTS_INTERVAL_MS, async () => {
      if (worker.hasPromptRole) await snapshots.takeDue(this.stopping.signal);
    });
    this.every(CLAIMS_INTERVAL_MS, () => this.claims.settleDue());
    // One worker is enough; two at the same time do no harm.
    this.every(ERASURES_INTERVAL_MS, async () => {
      if (worker.hasPromptRole) await this.erasures.runDue(this.stopping.signal);
    });
    this.every(PICTURES_INTERVAL_MS, () => this.pictures.sweep());
    this.every(PICTURES_INTERVAL_MS, () => this.ownExports.sweep());
    this.every(PICTURES_INTERVAL_MS, () => this.ownExportMaker.sweep());
    this.every(SESSIONS_INTERVAL_MS, () => this.sessions.purgeExpired());
    this.every(SWEEPS_INTERVAL_MS, () => this.signUps.sweep());
    this.every(SWEEPS_INTERVAL_MS, () => sweepState(pool, this.settings));
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.timers.forEach(clearInterval);
    this.stopping.abort();
    this.unsubscribe?.();
    // In parallel: each releases its leases as soon as its own batch is done.
    await Promise.all([
      this.projectionWorker?.stop(),
      this.reactors?.stop(),
      this.searchShipping.stop(),
      this.logChain.stop(),
      this.logRotation.stop(),
      this.jobs.finish(),
      ...this.housekeeping,
    ]);
    // Stopping the worker published one last notification.
    await Promise.all(this.housekeeping);
  }

  /** Only a hint: a worker that misses it polls anyway. */
  private notifyOtherWorkers(): void {
    const notification: Promise<unknown> = this.messages
      .publish(WORKERS_CHANNEL, '')
      .catch((err: unknown) => this.logger.warn({ err }, 'could not notify the other workers'))
      .finally(() => this.housekeeping.delete(notification));
    this.housekeeping.add(notification);
  }

  /** Skips a run while the previous one is still going. */
  private every(milliseconds: number, work: () => Promise<unknown>): void {
    let isRunning = false;
    const run = (): void => {
      if (isRunning) return;
      isRunning = true;
      const running: Promise<unknown> = work()
        .catch((err: unknown) => this.logger.error({ err }, 'housekeeping failed'))
        .finally(() => {
          isRunning = false;
          this.housekeeping.delete(running);
        });
      this.housekeeping.add(running);
    };
    this.timers.push(setInterval(run, milliseconds));
  }
}
