import { CommandHandler, Command, type ICommandHandler } from '@nestjs/cqrs';
import { aggregate, joinSpace, membershipDecider, spaceDecider } from '@nimo/domain';
import type { CommandContext } from '../../../platform/commands/command-context.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';

export class JoinSpace extends Command<void> {
  constructor(
    readonly context: CommandContext,
    readonly spaceId: string,
  ) {
    super();
  }
}

@CommandHandler(JoinSpace)
export class JoinSpaceHandler implements ICommandHandler<JoinSpace> {
  constructor(private readonly commands: CommandRunner) {}

  async execute({ context, spaceId }: JoinSpace): Promise<void> {
    await this.commands.run(context, {
      on: aggregate(membershipDecider, spaceId, context.by.studentId),
      reads: [aggregate(spaceDecider, spaceId)],
      decide: (state, streams) =>
        joinSpace(
          {
            actor: context.by,
            spaceId,
            spaceExists: streams.state(aggregate(spaceDecider, spaceId)) !== undefined,
          },
          state,
        ),
      visibleIn: ['spaces', 'students'],
    });
  }
}
