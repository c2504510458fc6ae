import { CommandHandler, Command, type ICommandHandler } from '@nestjs/cqrs';
import { aggregate, DomainError, requireSignUpPhone, signUp, studentDecider } from '@nimo/domain';
import { type CommandContext } from '../../../platform/commands/command-context.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';
import { Claims } from '../claims.js';

/** Signs the context's student up by phone. Answers with the id: of the one that has the phone where it has not registered yet. Not for the wire. */
export class CreateStudent extends Command<string> {
  constructor(
    readonly context: CommandContext,
    readonly phone: string,
  ) {
    super();
  }
}

@CommandHandler(CreateStudent)
export class CreateStudentHandler implements ICommandHandler<CreateStudent> {
  constructor(
    private readonly commands: CommandRunner,
    private readonly claims: Claims,
  ) {}

  async execute({ context, phone: given }: CreateStudent): Promise<string> {
    const phone = requireSignUpPhone(given);
    const studentId = await this.claimant(context, phone);
    await this.commands.run(context, {
      on: aggregate(studentDecider, studentId),
      decide: (state) => signUp({ studentId, phone }, state),
      visibleIn: ['students'],
    });
    await this.claims.confirm(context, { kind: 'phone', value: phone }, studentId);
    return studentId;
  }

  /** The phone's student; of two who sign up with it at once, the first. */
  private async claimant(context: CommandContext, phone: string): Promise<string> {
    const claimed = { kind: 'phone', value: phone } as const;
    const holder = await this.claims.holderOf(claimed);
    if (holder !== undefined) return holder;
    try {
      await this.claims.reserve(context, claimed, context.by.studentId);
      return context.by.studentId;
    } catch (error) {
      const first = error instanceof DomainError ? await this.claims.holderOf(claimed) : undefined;
      if (first === undefined) throw error;
      return first;
    }
  }
}
