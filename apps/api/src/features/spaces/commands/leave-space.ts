import { CommandHandler, Command, type ICommandHandler } from '@nestjs/cqrs';
import { aggregate, leaveSpace, membershipDecider } from '@nimo/domain';
import type { CommandContext } from '../../../platform/commands/command-context.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';

export class LeaveSpace extends Command<void> {
  constructor(
    readonly context: CommandContext,
    readonly spaceId: string,
  ) {
    super();
  }
}

@CommandHandler(LeaveSpace)
export class LeaveSpaceHandler implements ICommandHandler<LeaveSpace> {
  constructor(private readonly commands: CommandRunner) {}

  async execute({ context, spaceId }: LeaveSpace): Promise<void> {
    await this.commands.run(context, {
      on: aggregate(membershipDecider, spaceId, context.by.studentId),
      decide: (state) => leaveSpace({ actor: context.by, spaceId }, state),
      visibleIn: ['spaces', 'students'],
    });
  }
}
