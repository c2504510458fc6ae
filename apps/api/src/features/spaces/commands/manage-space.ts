import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import {
  aggregate,
  archiveSpace,
  type Authority,
  changeSpace,
  type ChangeSpace as Change,
  createSpace,
  removeSpace,
  requireMaintainer,
  spaceDecider,
  type SpaceDetails,
  unarchiveSpace,
} from '@nimo/domain';
import type { CommandResult } from '@nimo/event-store';
import { type CommandContext, deterministicId } from '../../../platform/commands/command-context.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';
import { SpaceNames } from '../space-names.js';
import { STAFF_ACTION_PROJECTIONS } from '../../staff-actions/own-staff-actions.js';

/** Returns the id of the space. */
export class CreateSpace extends Command<string> {
  constructor(
    readonly context: CommandContext<Authority>,
    readonly details: SpaceDetails,
  ) {
    super();
  }
}

@CommandHandler(CreateSpace)
export class CreateSpaceHandler implements ICommandHandler<CreateSpace> {
  constructor(
    private readonly commands: CommandRunner,
    private readonly names: SpaceNames,
  ) {}

  async execute({ context, details }: CreateSpace): Promise<string> {
    requireMaintainer(context.by);
    const spaceId = deterministicId(context, 'space');
    await this.names.whileFree({ spaceId, name: details.name, isNew: true }, () =>
      this.commands.run(context, {
        on: aggregate(spaceDecider, spaceId),
        decide: (state) => createSpace({ by: context.by, spaceId, ...details }, state),
        visibleIn: ['spaces', ...STAFF_ACTION_PROJECTIONS],
      }),
    );
    return spaceId;
  }
}

export class ChangeSpace extends Command<void> {
  constructor(
    readonly context: CommandContext<Authority>,
    readonly spaceId: string,
    readonly change: Omit<Change, 'by'>,
  ) {
    super();
  }
}

@CommandHandler(ChangeSpace)
export class ChangeSpaceHandler implements ICommandHandler<ChangeSpace> {
  constructor(
    private readonly commands: CommandRunner,
    private readonly names: SpaceNames,
  ) {}

  async execute({ context, spaceId, change }: ChangeSpace): Promise<void> {
    requireMaintainer(context.by);
    const run = (): Promise<CommandResult> =>
      this.commands.run(context, {
        on: aggregate(spaceDecider, spaceId),
        decide: (state) => changeSpace({ by: context.by, ...change }, state),
        visibleIn: ['spaces', ...STAFF_ACTION_PROJECTIONS],
      });
    const { name } = change.change;
    await (name === undefined ? run() : this.names.whileFree({ spaceId, name, isNew: false }, run));
  }
}

/** Makes a space read-only, or ends that. */
export class ArchiveSpace extends Command<void> {
  constructor(
    readonly context: CommandContext<Authority>,
    readonly spaceId: string,
    readonly isArchived: boolean,
  ) {
    super();
  }
}

@CommandHandler(ArchiveSpace)
export class ArchiveSpaceHandler implements ICommandHandler<ArchiveSpace> {
  constructor(private readonly commands: CommandRunner) {}

  async execute({ context, spaceId, isArchived }: ArchiveSpace): Promise<void> {
    const { by } = context;
    await this.commands.run(context, {
      on: aggregate(spaceDecider, spaceId),
      decide: (state) => (isArchived ? archiveSpace({ by }, state) : unarchiveSpace({ by }, state)),
      visibleIn: ['spaces', ...STAFF_ACTION_PROJECTIONS],
    });
  }
}

/** Deletes an archived space for good, or removes one whose import was abandoned. */
export class RemoveSpace extends Command<void> {
  constructor(
    readonly context: CommandContext<Authority>,
    readonly spaceId: string,
    /** Repeated to confirm. Not needed after an abandoned import. */
    readonly name?: string,
  ) {
    super();
  }
}

@CommandHandler(RemoveSpace)
export class RemoveSpaceHandler implements ICommandHandler<RemoveSpace> {
  constructor(private readonly commands: CommandRunner) {}

  async execute({ context, spaceId, name }: RemoveSpace): Promise<void> {
    await this.commands.run(context, {
      on: aggregate(spaceDecider, spaceId),
      decide: (state) => removeSpace({ by: context.by, ...(name !== undefined && { name }) }, state),
      visibleIn: ['spaces', ...STAFF_ACTION_PROJECTIONS],
    });
  }
}
