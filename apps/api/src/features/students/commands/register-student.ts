import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import {
  acceptTerms,
  aggregate,
  type Authority,
  DomainError,
  fold,
  importStudent,
  type ImportStudent as ImportedStudent,
  type Profile,
  registerProfile,
  requirePassword,
  requireSignUpPhone,
  signUp,
  studentDecider,
} from '@nimo/domain';
import type { CommandContext } from '../../../platform/commands/command-context.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';
import { Claims } from '../../accounts/claims.js';
import { Credentials, requireUnbreached } from '../../../platform/auth/credentials.js';
import { Identities } from '../../../platform/auth/identities.js';
import { Terms } from '../../../platform/commands/terms.js';
import { CarriedValues } from '../../accounts/carried-values.js';

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

/** Brings in a member of another community: without phone or password, under a user name that is claimed like any other. */
export class ImportStudent extends Command<void> {
  constructor(
    readonly context: CommandContext<Authority>,
    readonly student: ImportedStudent,
  ) {
    super();
  }
}

@CommandHandler(ImportStudent)
export class ImportStudentHandler implements ICommandHandler<ImportStudent> {
  constructor(
    private readonly commands: CommandRunner,
    private readonly claims: Claims,
    private readonly carried: CarriedValues,
  ) {}

  async execute({ context, student }: ImportStudent): Promise<void> {
    const { studentId } = student;
    const claimed = { kind: 'username', value: student.userName } as const;
    await this.claims.reserve(context, claimed, studentId);
    await this.commands.run(context, {
      on: aggregate(studentDecider, studentId),
      decide: (state) => importStudent(student, state),
      visibleIn: ['students'],
    });
    await this.carried.keep(context, 'username', studentId);
  }
}
