import { CommandHandler, Command, type ICommandHandler } from '@nestjs/cqrs';
import { acceptTerms, aggregate, fold, registerByEmail, studentDecider } from '@nimo/domain';
import { Credentials } from '../../../platform/auth/credentials.js';
import type { CommandContext } from '../../../platform/commands/command-context.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';
import { Terms } from '../../../platform/commands/terms.js';
import { Claims } from '../../accounts/claims.js';
import { ClaimReconciler } from '../../accounts/claim-reconciler.js';

export interface EmailRegistration {
  readonly email: string;
  readonly userName: string;
  readonly password: string;
}

/** Registers the context's student with a verified address. The person who verified it chooses the password. */
export class RegisterByEmail extends Command<void> {
  constructor(
    readonly context: CommandContext,
    readonly registration: EmailRegistration,
  ) {
    super();
  }
}

@CommandHandler(RegisterByEmail)
export class RegisterByEmailHandler implements ICommandHandler<RegisterByEmail> {
  constructor(
    private readonly commands: CommandRunner,
    private readonly claims: Claims,
    private readonly reconciler: ClaimReconciler,
    private readonly credentials: Credentials,
    private readonly terms: Terms,
  ) {}

  async execute({ context, registration }: RegisterByEmail): Promise<void> {
    const { studentId } = context.by;
    const { email, userName, password } = registration;
    const profile = { userName, firstName: '', lastName: '', profileDesc: '', realProfilePicUrl: null };
    const plan = { studentId, email, profile };
    await this.assertMayRegister(context, plan);
    const name = { kind: 'username', value: userName } as const;
    const mailbox = { kind: 'email', value: email } as const;
    await this.claims.reserve(context, name, studentId);
    await this.claims.reserve(context, mailbox, studentId);
    await this.credentials.set(studentId, password);
    await this.commands.run(context, {
      on: aggregate(studentDecider, studentId),
      decide: (state) => {
        const registered = registerByEmail(plan, state);
        // The sign-up page says that registering accepts the terms.
        return [...registered, ...acceptTerms(this.terms.version, fold(studentDecider, registered, state))];
      },
      visibleIn: ['students'],
    });
    await this.claims.confirm(context, mailbox, studentId);
    await this.reconciler.ensureClaimed(context, 'username', studentId);
  }

  /** Checks every rule before the first write, so that a late link sets no password. */
  private async assertMayRegister(
    { by, commandId }: CommandContext,
    plan: Parameters<typeof registerByEmail>[0],
  ): Promise<void> {
    const student = aggregate(studentDecider, by.studentId);
    const streams = await this.commands.load([student]);
    if (!streams.hasEventFrom(student, commandId)) registerByEmail(plan, streams.state(student));
  }
}
