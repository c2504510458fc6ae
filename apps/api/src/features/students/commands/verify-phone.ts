import { CommandHandler, Command, type ICommandHandler } from '@nestjs/cqrs';
import { studentStream, verifyPhone } from '@nimo/domain';
import type { CommandContext } from '../../../platform/commands/command-context.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';
import { studentState } from '../student-state.js';

/** The context's student has shown the code that was sent to the phone. */
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
    const streamId = studentStream(studentId);
    await this.commands.run(context, {
      streams: [streamId],
      decide: (streams) => ({ streamId, events: verifyPhone(studentState(streams, studentId)) }),
    });
  }
}
