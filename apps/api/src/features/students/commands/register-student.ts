import { CommandHandler, Command, type ICommandHandler } from '@nestjs/cqrs';
import {
  acceptTerms,
  aggregate,
  fold,
  registerProfile,
  requirePassword,
  studentDecider,
  type Profile,
} from '@nimo/domain';
import { requireUnbreached } from '../../../platform/auth/breached-passwords.js';
import { Credentials } from '../../../platform/auth/credentials.js';
import { Identities } from '../../../platform/auth/identities.js';
import type { CommandContext } from '../../../platform/commands/command-context.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';
import { Terms } from '../../../platform/commands/terms.js';
import { Claims } from '../claims.js';
import { CarriedValues } from '../carried-values.js';

/** Completes the profile of the context's student, who may log in from then on. */
export class RegisterStudent extends Command<void> {
  constructor(
    readonly context: CommandContext,
    readonly profile: Profile,
    /** Empty for somebody who signs in by a provider and wants none. */
    readonly password: string,
  ) {
    super();
  }
}

@CommandHandler(RegisterStudent)
export class RegisterStudentHandler implements ICommandHandler<RegisterStudent> {
  constructor(
    private readonly commands: CommandRunner,
    private readonly claims: Claims,
    private readonly carried: CarriedValues,
    private readonly credentials: Credentials,
    private readonly identities: Identities,
    private readonly terms: Terms,
  ) {}

  async execute({ context, profile, password }: RegisterStudent): Promise<void> {
    const { studentId } = context.by;
    const claimed = { kind: 'username', value: profile.userName } as const;
    const isNeeded = password !== '' || !(await this.identities.hasAny(studentId));
    if (isNeeded) await requireUnbreached(requirePassword(password));
    await this.assertMayRegister(context, profile);
    await this.claims.reserve(context, claimed, studentId);
    // First the password: a registered student without one could not come in.
    if (isNeeded) await this.credentials.set(studentId, password);
    await this.commands.run(context, {
      on: aggregate(studentDecider, studentId),
      decide: (state) => {
        const registered = registerProfile(profile, state);
        // The page of the sign-up says so, with the terms beside it.
        return [...registered, ...acceptTerms(this.terms.version, fold(studentDecider, registered, state))];
      },
      visibleIn: ['students'],
    });
    await this.carried.keep(context, 'username', studentId);
  }

  /** Every rule before the first write, so that a mistake in the form reserves no name. */
  private async assertMayRegister({ by, commandId }: CommandContext, profile: Profile): Promise<void> {
    const student = aggregate(studentDecider, by.studentId);
    const streams = await this.commands.look([student]);
    if (!streams.isFrom(student, commandId)) registerProfile(profile, streams.state(student));
  }
}
