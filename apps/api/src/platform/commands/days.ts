import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { beginDay, dayOf, dayStream, evolveScoringDay, initialScoringDay, OPERATOR } from '@nimo/domain';
import { isDayDue } from '@nimo/projections';
import { Pool } from 'pg';
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
    private readonly commands: CommandRunner,
    private readonly pool: Pool,
  ) {}

  /** Before anything is appended that moves the caster of a vote: it is then of today, and not of the day before. */
  async begin(): Promise<void> {
    const now = this.commands.now();
    const day = dayOf(now);
    if (day <= this.begun) return;
    const streamId = dayStream(day);
    const id = randomUUID();
    await this.commands.run(
      { by: OPERATOR, actor: { kind: 'system' }, commandId: id, correlationId: id, causationId: id },
      {
        streams: [streamId],
        decide: (streams) => ({
          streamId,
          events: beginDay(now, streams.state(streamId, initialScoringDay, evolveScoringDay)),
        }),
      },
    );
    this.begun = day;
  }

  /** Where nobody votes any more, yesterday's votes count for others today all the same. */
  async beginWhenDue(): Promise<void> {
    if (await isDayDue(this.pool, dayOf(this.commands.now()))) await this.begin();
  }
}
