import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type Authority, DomainError, type DomainErrorCode, requireMaintainer } from '@nimo/domain';
import { projections } from '@nimo/projections';
import { type CommandContext, commandStep } from '../../../platform/commands/command-context.js';
import { MaintainProjection, MaintainProjectionHandler } from './maintain-projection.js';

/** Skips an event in every projection that is stopped at it. Returns their names. */
export class SkipEvent extends Command<readonly string[]> {
  constructor(
    readonly context: CommandContext<Authority>,
    readonly eventId: string,
    readonly reason: string,
  ) {
    super();
  }
}

const NOT_STOPPED_HERE: ReadonlySet<DomainErrorCode> = new Set([
  'PROJECTION_NOT_STOPPED',
  'PROJECTION_STOPPED_ELSEWHERE',
]);

@CommandHandler(SkipEvent)
export class SkipEventHandler implements ICommandHandler<SkipEvent> {
  constructor(private readonly maintenance: MaintainProjectionHandler) {}

  /** One step per projection, all with one correlation ID. Asks every projection, so that a repeated command finds its earlier steps. */
  async execute({ context, eventId, reason }: SkipEvent): Promise<readonly string[]> {
    requireMaintainer(context.by);
    const skipped: string[] = [];
    for (const { name } of projections) {
      try {
        const step = commandStep(context, name);
        await this.maintenance.execute(new MaintainProjection(step, name, { kind: 'skip', eventId, reason }));
        skipped.push(name);
      } catch (error) {
        if (!(error instanceof DomainError) || !NOT_STOPPED_HERE.has(error.code)) throw error;
      }
    }
    if (skipped.length === 0) throw new DomainError('NO_PROJECTION_STOPPED');
    return skipped;
  }
}
