import { BrokenChainError, ChainFollower, type EventStore, HeadSigner } from '@nimo/event-store';
import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import type { Settings } from '../../platform/config/load-settings.js';
import type { Logger } from '../../platform/logging/logger.js';
import { CLOCK, type Clock, LOGGER, SETTINGS, STORED_LOG } from '../../platform/runtime/tokens.js';
import { LogAlarm } from './log-alarm.js';
import { logKeyOf, witnessesOf } from './log-witness.js';

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
