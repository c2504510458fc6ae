import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { aggregate, beginDay, dayOf, OPERATOR, scoringDayDecider } from '@nimo/domain';
import { isDayDue } from '@nimo/projections';
import { Pool } from 'pg';
import { SHARED_CLOCK, type SharedClock } from '../runtime/tokens.js';
import { CommandRunner } from './command-runner.js';

/**
 * Writes into the log that a day has begun. What casting a vote does to its caster counts for others from the next day on, and days are
 * told by the log and by no clock, so that a replay comes to the same.
 */
@Injectable()
export class Days {
  /** The latest day that this process knows to have begun. */
  private begun = '';

  constructor(
    @Inject(CommandRunner) private readonly commands: Pick<CommandRunner, 'now' | 'run'>,
    private readonly pool: Pool,
    @Inject(SHARED_CLOCK) private readonly sharedClock: SharedClock,
  ) {}

  /**
   * Before anything is appended that moves the caster of a vote: it is then of today, and not of the day before. Where this process's clock
   * says that there is a new day, it has come only when the database's says so, too: otherwise votes of today would count at once.
   */
  async begin(): Promise<void> {
    if (dayOf(this.commands.now()) <= this.begun) return;
    await this.beginAt((await this.sharedClock()).toISOString());
  }

  /** Where nobody votes any more, yesterday's votes count for others today all the same. */
  async beginWhenDue(): Promise<void> {
    const now = (await this.sharedClock()).toISOString();
    if (await isDayDue(this.pool, dayOf(now))) await this.beginAt(now);
  }

  private async beginAt(now: string): Promise<void> {
    const day = dayOf(now);
    if (day <= this.begun) return;
    const id = randomUUID();
    await this.commands.run(
      { by: OPERATOR, actor: { kind: 'system' }, commandId: id, correlationId: id, causationId: id },
      {
        on: aggregate(scoringDayDecider, day),
        decide: (state) => beginDay(now, state),
      },
    );
    this.begun = day;
  }
}
