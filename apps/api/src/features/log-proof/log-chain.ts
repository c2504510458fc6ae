import { join } from 'node:path';
import {
  BrokenChainError,
  ChainFollower,
  DatabaseHeads,
  type EventStore,
  HeadsFolder,
  HeadSigner,
  type HeadWitness,
  keepMisfit,
  type KnownMisfit,
  knownMisfits,
  LogWatch,
  type Misfit,
  type PublicKey,
  type SigningKey,
  signingKeyOf,
} from '@nimo/event-store';
import { Pool } from 'pg';
import { Inject, Injectable } from '@nestjs/common';
import { RebuildThrottle } from '@nimo/projection-engine';
import { S3Files, s3BucketOf } from '../../platform/adapters/files/s3-files.js';
import { S3Heads } from '../../platform/adapters/witness/s3-heads.js';
import { WebhookHeads } from '../../platform/adapters/witness/webhook-heads.js';
import { generatedLogKey } from '../../platform/config/generated-keys.js';
import type { Settings } from '../../platform/config/load-settings.js';
import { type Clock, CLOCK, LOGGER, SETTINGS, STORED_LOG } from '../../platform/config/tokens.js';
import type { Logger } from '../../platform/logging/logger.js';

/** The key of this installation; where none is set (never in production), one is made at the first use. */
export function logKeyOf({
  logSigningKey,
  dataDir,
}: Pick<Settings, 'logSigningKey' | 'dataDir'>): SigningKey {
  return signingKeyOf(logSigningKey ?? generatedLogKey(dataDir));
}

/** Own key first, then those before it. */
export const believedLogKeys = (settings: Settings): readonly PublicKey[] => [
  logKeyOf(settings),
  ...(settings.logFormerKeys ?? []),
];

export function headsFolderOf({
  logHeadsDir,
  dataDir,
}: Pick<Settings, 'logHeadsDir' | 'dataDir'>): HeadsFolder {
  return new HeadsFolder(logHeadsDir ?? join(dataDir, 'heads'));
}

/** Everywhere that signed heads are kept, in the order in which they are written: what the database has, the others have. */
export function witnessesOf(settings: Settings, pool: Pool): readonly [HeadWitness, ...HeadWitness[]] {
  return [headsFolderOf(settings), ...outsideOf(settings), new DatabaseHeads(pool)];
}

/** The settings say that what each of them needs is there. */
function outsideOf(settings: Settings): readonly HeadWitness[] {
  const { logWitnessUrl: url, logWitnessSecret: secret } = settings;
  if (url === undefined) return [];
  if (!url.startsWith('s3:')) return secret === undefined ? [] : [new WebhookHeads(url, secret)];
  const { hostname, pathname } = new URL(url);
  const bucket = s3BucketOf(settings, hostname);
  const prefix = pathname.replace(/^\/|\/$/g, '');
  return bucket ? [new S3Heads(new S3Files(bucket), prefix === '' ? '' : `${prefix}/`)] : [];
}

/** Read, or made, when something is signed or shown first. */
@Injectable()
export class LogKey {
  private key: SigningKey | undefined;

  constructor(@Inject(SETTINGS) private readonly settings: Settings) {}

  get(): SigningKey {
    return (this.key ??= logKeyOf(this.settings));
  }
}

/** The log, its chain and what was signed of it do not fit: told to whoever runs Nimo, and kept for every process to see. */
@Injectable()
export class LogAlarm {
  constructor(
    private readonly pool: Pool,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async raise({ ...misfit }: Misfit): Promise<void> {
    this.logger.error({ misfit }, `the log does not fit its proof: ${misfit.detail}`);
    await keepMisfit(this.pool, misfit).catch((err: unknown) =>
      this.logger.error({ err }, 'a misfit of the log could not be kept'),
    );
  }

  /** A generation that was built of a log that does not fit must not be served as if it did. */
  async refusal(): Promise<Error | undefined> {
    const [first] = await this.standing();
    return first && new Error(`Nothing is switched: the log does not fit its proof. ${first.detail}`);
  }

  standing(): Promise<readonly KnownMisfit[]> {
    return knownMisfits(this.pool);
  }
}

/** How much of the log may be without a signed witness outside of the database. */
const SIGN_EVERY_EVENTS = 1_000;
const SIGN_EVERY_MS = 60_000;

/** Keeps the hash chain behind the log and signs it now and then. One process at a time does. */
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
    const onError = (err: unknown): void => logger.error({ err }, 'a misfit of the log could not be told');
    this.signer = new HeadSigner({
      pool,
      witnesses: witnessesOf(settings, pool),
      key: logKeyOf(settings),
      formerKeys: settings.logFormerKeys ?? [],
      clock,
      onError: (err) => logger.error({ err }, 'a head of the log could not be signed and written out'),
      onMisfit: (misfit) => void alarm.raise(misfit).catch(onError),
      everyEvents: SIGN_EVERY_EVENTS,
      everyMs: SIGN_EVERY_MS,
    });
    this.follower = new ChainFollower({
      pool,
      log,
      onError: (err) => {
        logger.error({ err }, 'the chain of the log failed');
        if (err instanceof BrokenChainError) void alarm.raise(err.misfit).catch(onError);
      },
      onChained: (tip) => this.signer.see(tip),
    });
  }

  start(): void {
    this.signer.start();
    this.follower.start();
  }

  /** The last head is signed after the last event was chained. */
  async stop(): Promise<void> {
    await this.follower.stop();
    await this.signer.stop();
  }
}

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
