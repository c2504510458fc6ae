import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import {
  aggregate,
  type Authority,
  DomainError,
  projectionDecider,
  type ProjectionMaintenanceEvent,
  requireMaintainer,
  requireReason,
} from '@nimo/domain';
import type { MaintenanceState } from '@nimo/projection-engine';
import type { CommandContext } from '../../../platform/commands/command-context.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';
import type { Logger } from '../../../platform/logging/logger.js';
import { LOGGER } from '../../../platform/config/tokens.js';
import { LogAlarm } from '../../log-proof/log-chain.js';
import { ProjectionAdmin } from '../projection-admin.js';

export type ProjectionRequest =
  | { readonly kind: 'rebuild'; readonly hold: boolean }
  | { readonly kind: 'switch'; readonly generation: number }
  | { readonly kind: 'skip'; readonly eventId: string; readonly reason: string }
  | { readonly kind: 'cancel-rebuild' | 'verify' | 'cancel-verification' | 'retry' };

/** A maintenance command for one projection. It is recorded in the log and carried out by the workers. */
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
    private readonly admin: ProjectionAdmin,
    private readonly alarm: LogAlarm,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async execute({ context, projection, request }: MaintainProjection): Promise<void> {
    this.admin.assertKnown(projection);
    // A generation built from an inconsistent log must not go live.
    if (request.kind === 'switch' && (await this.alarm.known()).length > 0)
      throw new DomainError('LOG_DOES_NOT_FIT');
    const state = await this.admin.maintenance.maintenanceState(projection);
    await this.commands.run(context, {
      on: aggregate(projectionDecider, projection),
      decide: () => decideMaintenance(request, { by: context.by, state }),
    });
    try {
      await this.admin.maintenance.applyCommands(projection);
    } catch (err) {
      // Already recorded in the log: a worker will apply it.
      this.logger.warn({ err, projection }, 'maintenance command left to the worker');
    }
  }
}

/** @throws DomainError if the request is invalid in the projection's current state */
export function decideMaintenance(
  request: ProjectionRequest,
  { by, state }: { readonly by: Authority; readonly state: MaintenanceState },
): readonly ProjectionMaintenanceEvent[] {
  requireMaintainer(by);
  const { projection, version, live, building, isVerifying, switchable, stoppedAt } = state;
  switch (request.kind) {
    case 'rebuild':
      // A rebuild in progress continues.
      if (building !== null) return [];
      return [{ type: 'ProjectionRebuildStarted', data: { projection, hold: request.hold } }];
    case 'cancel-rebuild':
      if (building === null) throw new DomainError('PROJECTION_NOT_REBUILDING');
      return [{ type: 'ProjectionRebuildCancelled', data: { projection, generation: building } }];
    case 'switch': {
      const { generation } = request;
      if (generation === live) return [];
      if (!switchable.includes(generation))
        throw new DomainError('PROJECTION_GENERATION_NOT_FOUND', { generation });
      if (building !== null && building !== generation) throw new DomainError('PROJECTION_REBUILDING');
      return [{ type: 'ProjectionSwitched', data: { projection, generation, fromGeneration: live } }];
    }
    case 'verify':
      return isVerifying ? [] : [{ type: 'ProjectionVerificationStarted', data: { projection } }];
    case 'cancel-verification':
      if (!isVerifying) throw new DomainError('PROJECTION_NOT_VERIFYING');
      return [{ type: 'ProjectionVerificationCancelled', data: { projection } }];
    case 'retry': {
      if (stoppedAt.length === 0) throw new DomainError('PROJECTION_NOT_STOPPED');
      const distinct = new Map(stoppedAt.map((stop) => [stop.eventId, stop]));
      return Array.from(distinct.values(), (stop) => ({
        type: 'ProjectionEventRetried',
        data: { projection, ...stop },
      }));
    }
    case 'skip': {
      const reason = requireReason(request.reason);
      const [first] = stoppedAt;
      if (first === undefined) throw new DomainError('PROJECTION_NOT_STOPPED');
      // Only the event the maintainer saw: the projection may have stopped elsewhere since.
      const stop = stoppedAt.find(({ eventId }) => eventId === request.eventId);
      if (stop === undefined)
        throw new DomainError('PROJECTION_STOPPED_ELSEWHERE', { eventId: first.eventId });
      return [{ type: 'ProjectionEventSkipped', data: { projection, ...stop, version, reason } }];
    }
  }
}
