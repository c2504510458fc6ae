import { CommandHandler, Command, type ICommandHandler } from '@nestjs/cqrs';
import { aggregate, newspostDecider, removeNewspost } from '@nimo/domain';
import type { CommandContext } from '../../../platform/commands/command-context.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';
import { ACT_VISIBLE_IN } from '../../acts/own-acts.js';

export class RemoveNewspost extends Command<void> {
  constructor(
    readonly context: CommandContext,
    readonly newspostId: string,
  ) {
    super();
  }
}

@CommandHandler(RemoveNewspost)
export class RemoveNewspostHandler implements ICommandHandler<RemoveNewspost> {
  constructor(private readonly commands: CommandRunner) {}

  async execute({ context, newspostId }: RemoveNewspost): Promise<void> {
    await this.commands.run(context, {
      on: aggregate(newspostDecider, newspostId),
      decide: (state) => removeNewspost({ actor: context.by }, state),
      visibleIn: ['news', ...ACT_VISIBLE_IN],
    });
  }
}
