import { CommandHandler, Command, type ICommandHandler } from '@nestjs/cqrs';
import {
  evolveMembership,
  evolveSpace,
  initialMembership,
  initialSpace,
  joinSpace,
  membershipStream,
  spaceStream,
} from '@nimo/domain';
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
    const membership = membershipStream(spaceId, context.by.studentId);
    await this.commands.run(context, {
      streams: [membership, spaceStream(spaceId)],
      decide: (streams) => ({
        streamId: membership,
        events: joinSpace(
          {
            actor: context.by,
            spaceId,
            spaceExists: streams.state(spaceStream(spaceId), initialSpace, evolveSpace) !== undefined,
          },
          streams.state(membership, initialMembership, evolveMembership),
        ),
      }),
      visibleIn: ['spaces', 'students'],
    });
  }
}
