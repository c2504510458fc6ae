import { keepMisfit, type KnownMisfit, knownMisfits, type Misfit } from '@nimo/event-store';
import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import type { Logger } from '../../platform/logging/logger.js';
import { LOGGER } from '../../platform/runtime/tokens.js';

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
