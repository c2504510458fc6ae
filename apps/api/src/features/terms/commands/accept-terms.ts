import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { acceptTerms, aggregate, DomainError, studentDecider } from '@nimo/domain';
import type { CommandContext } from '../../../platform/commands/command-context.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';
import { Terms } from '../../../platform/commands/terms.js';

/** Accepts a version of the terms for the context's student. */
export class AcceptTerms extends Command<void> {
  constructor(
    readonly context: CommandContext,
    readonly version: string,
  ) {
    super();
  }
}

@CommandHandler(AcceptTerms)
export class AcceptTermsHandler implements ICommandHandler<AcceptTerms> {
  constructor(
    private readonly commands: CommandRunner,
    private readonly terms: Terms,
  ) {}

  async execute({ context, version }: AcceptTerms): Promise<void> {
    if (version !== this.terms.version) throw new DomainError('TERMS_CHANGED');
    await this.commands.run(context, {
      on: aggregate(studentDecider, context.by.studentId),
      decide: (state) => acceptTerms(version, state),
    });
  }
}
