import { CommandHandler, Command, type ICommandHandler } from '@nestjs/cqrs';
import {
  aggregate,
  changeSubject,
  spaceDecider,
  type Authority,
  type ChangeSubject as Change,
} from '@nimo/domain';
import type { CommandContext } from '../../../platform/commands/command-context.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';
import { ACT_VISIBLE_IN } from '../../acts/own-acts.js';

export class ChangeSubject extends Command<void> {
  constructor(
    readonly context: CommandContext<Authority>,
    readonly spaceId: string,
    readonly change: Omit<Change, 'by'>,
  ) {
    super();
  }
}

@CommandHandler(ChangeSubject)
export class ChangeSubjectHandler implements ICommandHandler<ChangeSubject> {
  constructor(private readonly commands: CommandRunner) {}

  async execute({ context, spaceId, change }: ChangeSubject): Promise<void> {
    await this.commands.run(context, {
      on: aggregate(spaceDecider, spaceId),
      decide: (state) => changeSubject({ by: context.by, ...change }, state),
      visibleIn: ['spaces', ...ACT_VISIBLE_IN],
    });
  }
}
