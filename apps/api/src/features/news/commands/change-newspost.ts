import { CommandHandler, Command, type ICommandHandler } from '@nestjs/cqrs';
import { aggregate, changeNewspost, newspostDecider } from '@nimo/domain';
import type { CommandContext } from '../../../platform/commands/command-context.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';
import { ACT_VISIBLE_IN } from '../../acts/own-acts.js';
import { acceptedBody } from '../../../platform/rich-text/accepted-body.js';

export class ChangeNewspost extends Command<void> {
  constructor(
    readonly context: CommandContext,
    readonly newspostId: string,
    readonly texts: { readonly title: string; readonly body: string },
  ) {
    super();
  }
}

@CommandHandler(ChangeNewspost)
export class ChangeNewspostHandler implements ICommandHandler<ChangeNewspost> {
  constructor(private readonly commands: CommandRunner) {}

  async execute({ context, newspostId, texts: { title, body } }: ChangeNewspost): Promise<void> {
    const command = { actor: context.by, title, body: acceptedBody(body) };
    await this.commands.run(context, {
      on: aggregate(newspostDecider, newspostId),
      decide: (state) => changeNewspost(command, state),
      visibleIn: ['news', ...ACT_VISIBLE_IN],
    });
  }
}
