import { join } from 'node:path';
import {
  BrokenChainError,
  ChainFollower,
  DatabaseHeads,
  type EventStore,
  HeadsFolder,
  HeadSigner,
  type ExternalCheckpoint,
  recordMismatch,
  type KnownMismatch,
  readMismatches,
  LogWatch,
  type Mismatch,
  type PublicKey,
  type SigningKey,
  signingKeyOf,
} from '@nimo/event-store';
import { Pool } from 'pg';
import { Inject, Injectable } from '@nestjs/common';
import { RebuildThrottle } from '@nimo/projection-engine';
import { S3Files, s3BucketOf } from '../../platform/adapters/files/s3-files.js';
import { S3Heads } from '../../platform/adapters/checkpoint/s3-heads.js';
import { WebhookHeads } from '../../platform/adapters/checkpoint/webhook-heads.js';
import { generatedLogKey } from '../../platform/config/generated-keys.js';
import type { Settings } from '../../platform/config/load-settings.js';
import { type Clock, CLOCK, LOGGER, SETTINGS, STORED_LOG } from '../../platform/config/tokens.js';
import type { Logger } from '../../platform/logging/logger.js';

/** Signing key of this installation. Outside production, a missing key is generated on first use. */
export function logKeyOf({
  logSigningKey,
  dataDir,
}: Pick<Settings, 'logSigningKey' | 'dataDir'>): SigningKey {
  return signingKeyOf(logSigningKey ?? generatedLogKey(dataDir));
}

/** Current key first, then former ones. */
export const trustedLogKeys = (settings: Settings): readonly PublicKey[] => [
  logKeyOf(settings),
  ...(settings.logPreviousKeys ?? []),
];

export function headsFolderOf({
  logHeadsDir,
  dataDir,
}: Pick<Settings, 'logHeadsDir' | 'dataDir'>): HeadsFolder {
  return new HeadsFolder(logHeadsDir ?? join(dataDir, 'heads'));
}

/** Stores of signed heads in write order: the database comes last, so the others have every head it has. */
export function checkpointsOf(
  settings: Settings,
  pool: Pool,
): readonly [ExternalCheckpoint, ...ExternalCheckpoint[]] {
  return [headsFolderOf(settings), ...externalHeadStores(settings), new DatabaseHeads(pool)];
}

/** The settings are already validated as a whole. */
function externalHeadStores(settings: Settings): readonly ExternalCheckpoint[] {
  const { logCheckpointUrl: url, logCheckpointSecret: secret } = settings;
  if (url === undefined) return [];
  if (!url.startsWith('s3:')) return secret === undefined ? [] : [new WebhookHeads(url, secret)];
  const { hostname, pathname } = new URL(url);
  const bucket = s3BucketOf(settings, hostname);
  const prefix = pathname.replace(/^\/|\/$/g, '');
  return bucket ? [new S3Heads(new S3Files(bucket), prefix === '' ? '' : `${prefix}/`)] : [];
}

/** Loads or generates the signing key lazily. */
@Injectable()
export class LogKey {
  private key: SigningKey | undefined;

  constructor(@Inject(SETTINGS) private readonly settings: Settings) {}

  get(): SigningKey {
    return (this.key ??= logKeyOf(this.settings));
  }
}

/** Reports mismatches between the log, its chain and its signed heads to the operator, and stores them for all processes. */
@Injectable()
export class LogAlarm {
  constructor(
    private readonly pool: Pool,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async raise({ ...mismatch }: Mismatch): Promise<void> {
    this.logger.error({ mismatch }, `the log does not match its proof: ${mismatch.detail}`);
    await recordMismatch(this.pool, mismatch).catch((err: unknown) =>
      this.logger.error({ err }, 'storing a log mismatch failed'),
    );
  }

  /** Reason not to switch to a new generation: it was built from a log that does not match its proof. */
  async switchRefusal(): Promise<Error | undefined> {
    const [first] = await this.known();
    return first && new Error(`Not switched: the log does not match its proof. ${first.detail}`);
  }

  known(): Promise<readonly KnownMismatch[]> {
    return readMismatches(this.pool);
  }
}

/** A head is signed after this many events or milliseconds, whichever comes first. */
const SIGN_EVERY_EVENTS = 1_000;
const SIGN_EVERY_MS = 60_000;

/** Extends the hash chain of the log and signs its head at intervals, in one process at a time. */
@Injectable()
export class LogChain {
  private readonly signer: HeadSigner;
  private readonly follower: ChainFollower;

  constructor(
    pool: Pool,
    @Inject(STORED_LOG) log: EventStore,
    @Inject(SETTINGS) settings: Settings,
    @Inject(LOGGER) logger: Logger,
    @Inject(CLOCK) clock: Clock,
  ) {
    const alarm = new LogAlarm(pool, logger);
    const onError = (err: unknown): void => logger.error({ err }, 'reporting a log mismatch failed');
    this.signer = new HeadSigner({
      pool,
      externalCheckpoints: checkpointsOf(settings, pool),
      key: logKeyOf(settings),
      formerKeys: settings.logPreviousKeys ?? [],
      clock,
      onError: (err) => logger.error({ err }, 'signing or storing a log head failed'),
      onMismatch: (mismatch) => void alarm.raise(mismatch).catch(onError),
      everyEvents: SIGN_EVERY_EVENTS,
      everyMs: SIGN_EVERY_MS,
    });
    this.follower = new ChainFollower({
      pool,
      log,
      onError: (err) => {
        logger.error({ err }, 'extending the log chain failed');
        if (err instanceof BrokenChainError) void alarm.raise(err.mismatch).catch(onError);
      },
      onChained: (tip) => this.signer.advance(tip),
    });
  }

  start(): void {
    this.signer.start();
    this.follower.start();
  }

  /** Stops the follower first, so that the last head covers the last event. */
  async stop(): Promise<void> {
    await this.follower.stop();
    await this.signer.stop();
  }
}

/** Verifies the log continuously in the worker; see docs/maintenance.md. */
@Injectable()
export class LogVerification {
  private readonly watch: LogWatch;

  constructor(
    pool: Pool,
    @Inject(STORED_LOG) log: EventStore,
    @Inject(SETTINGS) settings: Settings,
    @Inject(LOGGER) logger: Logger,
    @Inject(CLOCK) clock: Clock,
  ) {
    const throttle = new RebuildThrottle(pool);
    this.watch = new LogWatch({
      pool,
      log,
      externalCheckpoints: checkpointsOf(settings, pool),
      key: logKeyOf(settings),
      formerKeys: settings.logPreviousKeys ?? [],
      clock,
      onMismatch: (mismatch) =>
        logger.error({ mismatch }, `the log does not match its proof: ${mismatch.detail}`),
      onError: (err) => logger.error({ err }, 'log verification failed'),
      giveWay: (tookMs, signal) => throttle.delay(tookMs, signal),
    });
  }

  start(): void {
    this.watch.start();
  }

  stop(): Promise<void> {
    return this.watch.stop();
  }
}
