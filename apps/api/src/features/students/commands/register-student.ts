import { Inject } from '@nestjs/common';
import { CommandHandler, Command, type ICommandHandler } from '@nestjs/cqrs';
import { registerProfile, requirePassword, studentStream, type Profile } from '@nimo/domain';
import type { EventStore } from '@nimo/event-store';
import { requireUnbreached } from '../../../platform/auth/breached-passwords.js';
import { Credentials } from '../../../platform/auth/credentials.js';
import { Identities } from '../../../platform/auth/identities.js';
import type { CommandContext } from '../../../platform/commands/command-context.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';
import { DomainStreams } from '../../../platform/commands/domain-streams.js';
import { EVENT_STORE } from '../../../platform/runtime/tokens.js';
import { Claims } from '../claims.js';
import { studentState } from '../student-state.js';
import { UserNames } from '../user-names.js';

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
    @Inject(EVENT_STORE) private readonly store: EventStore,
    private readonly commands: CommandRunner,
    private readonly claims: Claims,
    private readonly names: UserNames,
    private readonly credentials: Credentials,
    private readonly identities: Identities,
  ) {}

  async execute({ context, profile, password }: RegisterStudent): Promise<void> {
    const { studentId } = context.by;
    const claimed = { kind: 'username', value: profile.userName } as const;
    const isNeeded = password !== '' || !(await this.identities.hasAny(studentId));
    if (isNeeded) requireUnbreached(requirePassword(password));
    await this.assertMayRegister(context, profile);
    await this.claims.reserve(context, claimed, studentId);
    // First the password: a registered student without one could not come in.
    if (isNeeded) await this.credentials.set(studentId, password);
    const streamId = studentStream(studentId);
    await this.commands.run(context, {
      streams: [streamId],
      decide: (streams) => ({ streamId, events: registerProfile(profile, studentState(streams, studentId)) }),
      visibleIn: ['students'],
    });
    await this.names.keep(context, studentId);
  }

  /** Every rule before the first write, so that a mistake in the form reserves no name. */
  private async assertMayRegister({ by, commandId }: CommandContext, profile: Profile): Promise<void> {
    const loaded = await this.store.readStreams([studentStream(by.studentId)]);
    const isRepeated = [...loaded.values()]
      .flat()
      .some(({ metadata }) => metadata['commandId'] === commandId);
    if (!isRepeated) registerProfile(profile, studentState(new DomainStreams(loaded), by.studentId));
  }
}
