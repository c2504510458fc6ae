import { CommandHandler, Command, type ICommandHandler } from '@nestjs/cqrs';
import { aggregate, newspostDecider, restoreNewspost } from '@nimo/domain';
import type { CommandContext } from '../../../platform/commands/command-context.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';
import { ACT_VISIBLE_IN } from '../../acts/own-acts.js';

export class RestoreNewspost extends Command<void> {
  constructor(
    readonly context: CommandContext,
    readonly newspostId: string,
  ) {
    super();
  }
}

@CommandHandler(RestoreNewspost)
export class RestoreNewspostHandler implements ICommandHandler<RestoreNewspost> {
  constructor(private readonly commands: CommandRunner) {}

  async execute({ context, newspostId }: RestoreNewspost): Promise<void> {
    await this.commands.run(context, {
      on: aggregate(newspostDecider, newspostId),
      decide: (state) => restoreNewspost({ actor: context.by }, state),
      visibleIn: ['news', ...ACT_VISIBLE_IN],
    });
  }
}
