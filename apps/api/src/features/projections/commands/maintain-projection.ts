import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import {
  aggregate,
  cancelRebuild,
  cancelVerification,
  DomainError,
  projectionDecider,
  retryStopped,
  skipStopped,
  startRebuild,
  startVerification,
  switchProjection,
  unreachable,
  type Authority,
  type ProjectionAct,
  type ProjectionStanding,
} from '@nimo/domain';
import type { CommandContext } from '../../../platform/commands/command-context.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';
import type { Logger } from '../../../platform/logging/logger.js';
import { LOGGER } from '../../../platform/runtime/tokens.js';
import { LogAlarm } from '../../log-proof/log-alarm.js';
import { ProjectionAdmin } from '../projection-admin.js';

export type ProjectionRequest =
  | { readonly kind: 'rebuild'; readonly hold: boolean }
  | { readonly kind: 'switch'; readonly generation: number }
  | { readonly kind: 'skip'; readonly eventId: string; readonly reason: string }
  | { readonly kind: 'cancel-rebuild' | 'verify' | 'cancel-verification' | 'retry' };

/** What a maintainer asks of one projection. The act goes into the log; the workers do what it takes. */
export class MaintainProjection extends Command<void> {
  constructor(
    readonly context: CommandContext<Authority>,
    readonly projection: string,
    readonly request: ProjectionRequest,
  ) {
    super();
  }
}

@CommandHandler(MaintainProjection)
export class MaintainProjectionHandler implements ICommandHandler<MaintainProjection> {
  constructor(
    private readonly commands: CommandRunner,
    private readonly desk: ProjectionAdmin,
    private readonly alarm: LogAlarm,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async execute({ context, projection, request }: MaintainProjection): Promise<void> {
    this.desk.assertKnown(projection);
    // What was built of a log that does not fit must not be served as if it did.
    if (request.kind === 'switch' && (await this.alarm.standing()).length > 0)
      throw new DomainError('LOG_DOES_NOT_FIT');
    const standing = await this.desk.maintenance.standing(projection);
    await this.commands.run(context, {
      on: aggregate(projectionDecider, projection),
      decide: () => decide(request, { by: context.by, standing }),
    });
    try {
      await this.desk.maintenance.applyCommands(projection);
    } catch (err) {
      // It is in the log, and the worker makes up for it.
      this.logger.warn({ err, projection }, 'an act on a projection is left to the worker');
    }
  }
}

function decide(
  request: ProjectionRequest,
  facts: { readonly by: Authority; readonly standing: ProjectionStanding },
): readonly ProjectionAct[] {
  switch (request.kind) {
    case 'rebuild':
      return startRebuild({ ...facts, hold: request.hold });
    case 'cancel-rebuild':
      return cancelRebuild(facts);
    case 'switch':
      return switchProjection({ ...facts, generation: request.generation });
    case 'verify':
      return startVerification(facts);
    case 'cancel-verification':
      return cancelVerification(facts);
    case 'retry':
      return retryStopped(facts);
    case 'skip':
      return skipStopped({ ...facts, eventId: request.eventId, reason: request.reason });
    default:
      return unreachable(request);
  }
}
