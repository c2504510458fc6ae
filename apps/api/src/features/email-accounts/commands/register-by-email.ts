import { Inject } from '@nestjs/common';
import { CommandHandler, Command, type ICommandHandler } from '@nestjs/cqrs';
import { registerByEmail, studentStream } from '@nimo/domain';
import type { EventStore } from '@nimo/event-store';
import { Credentials } from '../../../platform/auth/credentials.js';
import type { CommandContext } from '../../../platform/commands/command-context.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';
import { DomainStreams } from '../../../platform/commands/domain-streams.js';
import { EVENT_STORE } from '../../../platform/runtime/tokens.js';
import { Claims } from '../../students/claims.js';
import { studentState } from '../../students/student-state.js';
import { UserNames } from '../../students/user-names.js';

export interface EmailRegistration {
  readonly email: string;
  readonly userName: string;
  readonly password: string;
}

/** Makes the account of the context's student, whose mailbox is proved: whoever proved it chooses the password. */
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
    @Inject(EVENT_STORE) private readonly store: EventStore,
    private readonly commands: CommandRunner,
    private readonly claims: Claims,
    private readonly names: UserNames,
    private readonly credentials: Credentials,
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
    const streamId = studentStream(studentId);
    await this.commands.run(context, {
      streams: [streamId],
      decide: (streams) => ({ streamId, events: registerByEmail(plan, studentState(streams, studentId)) }),
      visibleIn: ['students'],
    });
    await this.claims.confirm(context, mailbox, studentId);
    await this.names.keep(context, studentId);
  }

  /** Every rule before the first write, so that a link that comes too late sets no password. */
  private async assertMayRegister(
    { by, commandId }: CommandContext,
    plan: Parameters<typeof registerByEmail>[0],
  ): Promise<void> {
    const loaded = await this.store.readStreams([studentStream(by.studentId)]);
    const isRepeated = [...loaded.values()]
      .flat()
      .some(({ metadata }) => metadata['commandId'] === commandId);
    if (!isRepeated) registerByEmail(plan, studentState(new DomainStreams(loaded), by.studentId));
  }
}
