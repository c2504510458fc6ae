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
import { Credentials, assertNotBreached } from '../../../platform/auth/credentials.js';
import { Identities } from '../../../platform/auth/identities.js';
import { Terms } from '../../../platform/commands/terms.js';
import { ClaimReconciler } from '../../accounts/claim-reconciler.js';

/** Starts a sign-up by phone. Returns the id of the student, or of the unregistered one that already has the phone. Never expose it to clients. */
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

  async execute({ context, phone: rawPhone }: CreateStudent): Promise<string> {
    const phone = requireSignUpPhone(rawPhone);
    const studentId = await this.phoneHolder(context, phone);
    await this.commands.run(context, {
      on: aggregate(studentDecider, studentId),
      decide: (state) => signUp({ studentId, phone }, state),
      visibleIn: ['students'],
    });
    await this.claims.confirm(context, { kind: 'phone', value: phone }, studentId);
    return studentId;
  }

  /** The student who holds the phone. Of two concurrent sign-ups the first wins. */
  private async phoneHolder(context: CommandContext, phone: string): Promise<string> {
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

/** Completes the profile of the context's student, who can then log in. */
export class RegisterStudent extends Command<void> {
  constructor(
    readonly context: CommandContext,
    readonly profile: Profile,
    /** Empty for a student who signs in through a provider and wants none. */
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
    private readonly reconciler: ClaimReconciler,
    private readonly credentials: Credentials,
    private readonly identities: Identities,
    private readonly terms: Terms,
  ) {}

  async execute({ context, profile, password }: RegisterStudent): Promise<void> {
    const { studentId } = context.by;
    const claimed = { kind: 'username', value: profile.userName } as const;
    const needsPassword = password !== '' || !(await this.identities.hasAny(studentId));
    if (needsPassword) await assertNotBreached(requirePassword(password));
    await this.assertMayRegister(context, profile);
    await this.claims.reserve(context, claimed, studentId);
    // Set the password first: a registered student without one could not log in.
    if (needsPassword) await this.credentials.set(studentId, password);
    await this.commands.run(context, {
      on: aggregate(studentDecider, studentId),
      decide: (state) => {
        const registered = registerProfile(profile, state);
        // The sign-up page states this and links to the terms.
        return [...registered, ...acceptTerms(this.terms.version, fold(studentDecider, registered, state))];
      },
      visibleIn: ['students'],
    });
    await this.reconciler.ensureClaimed(context, 'username', studentId);
  }

  /** Checks every rule before the first write, so that an invalid form reserves no name. */
  private async assertMayRegister({ by, commandId }: CommandContext, profile: Profile): Promise<void> {
    const student = aggregate(studentDecider, by.studentId);
    const streams = await this.commands.load([student]);
    if (!streams.hasEventFrom(student, commandId)) registerProfile(profile, streams.state(student));
  }
}

/** Imports a member of another community, without phone or password, under a regularly claimed user name. */
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
    private readonly reconciler: ClaimReconciler,
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
    await this.reconciler.ensureClaimed(context, 'username', studentId);
  }
}
