import { CommandHandler, Command, type ICommandHandler } from '@nestjs/cqrs';
import { aggregate, changeContact, DomainError, studentDecider, type Contact } from '@nimo/domain';
import { SessionStore } from '../../../platform/auth/session-store.js';
import type { CommandContext } from '../../../platform/commands/command-context.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';
import { Accounts } from '../../accounts/accounts.js';
import { CarriedValues } from '../../accounts/carried-values.js';
import { Claims } from '../../accounts/claims.js';
import { UnfinishedSignUps } from '../../accounts/unfinished-sign-ups.js';
import { ContactChanges } from '../contact-changes.js';

/** Gives the context's student another phone or address, which is proved by now. */
export class ChangeContact extends Command<void> {
  constructor(
    readonly context: CommandContext,
    readonly contact: Contact,
    /** The one that asks: all others end. */
    readonly sessionId: string,
  ) {
    super();
  }
}

/** More than five dependencies: an account is held by all that changes here. */
@CommandHandler(ChangeContact)
export class ChangeContactHandler implements ICommandHandler<ChangeContact> {
  constructor(
    private readonly commands: CommandRunner,
    private readonly claims: Claims,
    private readonly carried: CarriedValues,
    private readonly accounts: Accounts,
    private readonly signUps: UnfinishedSignUps,
    private readonly sessions: SessionStore,
    private readonly changes: ContactChanges,
  ) {}

  async execute({ context, contact, sessionId }: ChangeContact): Promise<void> {
    const { studentId } = context.by;
    const student = aggregate(studentDecider, studentId);
    changeContact(contact, await this.commands.state(student));
    await this.makeRoom(studentId, contact);
    // The new value is claimed first and the former one released last: at no time does the account stand without a claim.
    await this.claims.reserve(context, contact, studentId);
    // Before the fact is written: whatever ends this process afterwards, nobody stays in by the former contact.
    await this.changes.closeFormerWays(studentId);
    await this.sessions.endOthersOf(studentId, sessionId);
    await this.commands.run(context, {
      on: student,
      decide: (state) => changeContact(contact, state),
      visibleIn: ['students'],
    });
    if (!(await this.carried.keep(context, contact.kind, studentId)))
      throw new DomainError(contact.kind === 'phone' ? 'USER_EXISTS' : 'EMAIL_TAKEN');
    await this.carried.releaseFormer(context, contact.kind, studentId);
  }

  /** A sign-up that nobody finished does not keep a number from whoever has it. */
  private async makeRoom(studentId: string, contact: Contact): Promise<void> {
    const holder = await this.accounts.find(contact);
    if (holder && holder.studentId !== studentId && !holder.registered)
      await this.signUps.abandon(holder.studentId);
  }
}
