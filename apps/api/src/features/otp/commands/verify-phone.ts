import { CommandHandler, Command, type ICommandHandler } from '@nestjs/cqrs';
import { aggregate, studentDecider, verifyPhone } from '@nimo/domain';
import type { CommandContext } from '../../../platform/commands/command-context.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';

/** Marks the phone of the context's student as verified. */
export class VerifyPhone extends Command<void> {
  constructor(readonly context: CommandContext) {
    super();
  }
}

@CommandHandler(VerifyPhone)
export class VerifyPhoneHandler implements ICommandHandler<VerifyPhone> {
  constructor(private readonly commands: CommandRunner) {}

  async execute({ context }: VerifyPhone): Promise<void> {
    const { studentId } = context.by;
    await this.commands.run(context, {
      on: aggregate(studentDecider, studentId),
      decide: (state) => verifyPhone(state),
    });
  }
}
