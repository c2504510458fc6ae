import { CommandHandler, Command, type ICommandHandler } from '@nestjs/cqrs';
import { caseStream, evolveCase, initialCase, reverseInvalidation } from '@nimo/domain';
import type { CommandContext } from '../../../platform/commands/command-context.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';
import { Days } from '../../../platform/commands/days.js';

/** The case's votes count again. */
export class ReverseInvalidation extends Command<void> {
  constructor(
    readonly context: CommandContext,
    readonly caseId: string,
    readonly reason: string,
  ) {
    super();
  }
}

@CommandHandler(ReverseInvalidation)
export class ReverseInvalidationHandler implements ICommandHandler<ReverseInvalidation> {
  constructor(
    private readonly commands: CommandRunner,
    private readonly days: Days,
  ) {}

  async execute({ context, caseId, reason }: ReverseInvalidation): Promise<void> {
    const streamId = caseStream(caseId);
    await this.days.begin();
    await this.commands.run(context, {
      streams: [streamId],
      decide: (streams) => ({
        streamId,
        events: reverseInvalidation(
          { actor: context.by, reason },
          streams.state(streamId, initialCase, evolveCase),
        ),
      }),
      visibleIn: ['patterns', 'questions', 'leaderboard'],
    });
  }
}
