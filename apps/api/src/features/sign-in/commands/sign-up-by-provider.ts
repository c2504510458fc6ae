import { CommandHandler, Command, type ICommandHandler } from '@nestjs/cqrs';
import { aggregate, signUpWithConfirmedEmail, studentDecider } from '@nimo/domain';
import type { CommandContext } from '../../../platform/commands/command-context.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';
import { Claims } from '../../accounts/claims.js';

/** Registers the context's student with an email address verified by the provider. The profile follows. */
export class SignUpByProvider extends Command<void> {
  constructor(
    readonly context: CommandContext,
    readonly email: string,
  ) {
    super();
  }
}

@CommandHandler(SignUpByProvider)
export class SignUpByProviderHandler implements ICommandHandler<SignUpByProvider> {
  constructor(
    private readonly commands: CommandRunner,
    private readonly claims: Claims,
  ) {}

  async execute({ context, email }: SignUpByProvider): Promise<void> {
    const { studentId } = context.by;
    const claimed = { kind: 'email', value: email } as const;
    await this.claims.reserve(context, claimed, studentId);
    await this.commands.run(context, {
      on: aggregate(studentDecider, studentId),
      decide: (state) => signUpWithConfirmedEmail({ studentId, email }, state),
      visibleIn: ['students'],
    });
    await this.claims.confirm(context, claimed, studentId);
  }
}
