import { CommandHandler, Command, type ICommandHandler } from '@nestjs/cqrs';
import { aggregate, studentDecider, unblockStudent, type Authority } from '@nimo/domain';
import type { CommandContext } from '../../../platform/commands/command-context.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';
import { ACT_VISIBLE_IN } from '../../acts/own-acts.js';

/** The student may log in again. */
export class UnblockStudent extends Command<void> {
  constructor(
    readonly context: CommandContext<Authority>,
    readonly studentId: string,
    readonly reason?: string | null,
  ) {
    super();
  }
}

@CommandHandler(UnblockStudent)
export class UnblockStudentHandler implements ICommandHandler<UnblockStudent> {
  constructor(private readonly commands: CommandRunner) {}

  async execute({ context, studentId, reason }: UnblockStudent): Promise<void> {
    await this.commands.run(context, {
      on: aggregate(studentDecider, studentId),
      decide: (state) => unblockStudent({ by: context.by, reason }, state),
      visibleIn: ['students', ...ACT_VISIBLE_IN],
    });
  }
}
