import { CommandHandler, Command, type ICommandHandler } from '@nestjs/cqrs';
import { evolveMembership, initialMembership, leaveSpace, membershipStream } from '@nimo/domain';
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
    const membership = membershipStream(spaceId, context.by.studentId);
    await this.commands.run(context, {
      streams: [membership],
      decide: (streams) => ({
        streamId: membership,
        events: leaveSpace(
          { actor: context.by, spaceId },
          streams.state(membership, initialMembership, evolveMembership),
        ),
      }),
      visibleIn: ['spaces', 'students'],
    });
  }
}
