import { CommandHandler, Command, type ICommandHandler } from '@nestjs/cqrs';
import {
  changeSpace,
  evolveSpace,
  initialSpace,
  spaceStream,
  type Authority,
  type ChangeSpace as Change,
} from '@nimo/domain';
import type { CommandContext } from '../../../platform/commands/command-context.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';
import { ACT_VISIBLE_IN } from '../../acts/own-acts.js';

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
  constructor(private readonly commands: CommandRunner) {}

  async execute({ context, spaceId, change }: ChangeSpace): Promise<void> {
    const streamId = spaceStream(spaceId);
    await this.commands.run(context, {
      streams: [streamId],
      decide: (streams) => ({
        streamId,
        events: changeSpace(
          { by: context.by, ...change },
          streams.state(streamId, initialSpace, evolveSpace),
        ),
      }),
      visibleIn: ['spaces', ...ACT_VISIBLE_IN],
    });
  }
}
