import { CommandHandler, Command, type ICommandHandler } from '@nestjs/cqrs';
import { aggregate, changeContact, DomainError, studentDecider, type Contact } from '@nimo/domain';
import { SessionStore } from '../../../platform/auth/session-store.js';
import type { CommandContext } from '../../../platform/commands/command-context.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';
import { Accounts } from '../../accounts/accounts.js';
import { ClaimReconciler } from '../../accounts/claim-reconciler.js';
import { Claims } from '../../accounts/claims.js';
import { UnfinishedSignUps } from '../../accounts/unfinished-sign-ups.js';
import { ContactChanges } from '../contact-changes.js';

/** Changes the phone or email address of the context's student to a verified value. */
export class ChangeContact extends Command<void> {
  constructor(
    readonly context: CommandContext,
    readonly contact: Contact,
    /** The current session. All others end. */
    readonly sessionId: string,
  ) {
    super();
  }
}

@CommandHandler(ChangeContact)
export class ChangeContactHandler implements ICommandHandler<ChangeContact> {
  constructor(
    private readonly commands: CommandRunner,
    private readonly claims: Claims,
    private readonly reconciler: ClaimReconciler,
    private readonly accounts: Accounts,
    private readonly signUps: UnfinishedSignUps,
    private readonly sessions: SessionStore,
    private readonly changes: ContactChanges,
  ) {}

  async execute({ context, contact, sessionId }: ChangeContact): Promise<void> {
    const { studentId } = context.by;
    const student = aggregate(studentDecider, studentId);
    changeContact(contact, await this.commands.state(student));
    await this.removeUnfinishedSignUp(studentId, contact);
    // Claim the new value first and release the previous one last, so that the account always holds a claim.
    await this.claims.reserve(context, contact, studentId);
    // Before the event is appended: a crash must not leave access through the previous contact.
    await this.changes.revokePendingResets(studentId);
    await this.sessions.endOthers(studentId, sessionId);
    await this.commands.run(context, {
      on: student,
      decide: (state) => changeContact(contact, state),
      visibleIn: ['students'],
    });
    if (!(await this.reconciler.ensureClaimed(context, contact.kind, studentId)))
      throw new DomainError(contact.kind === 'phone' ? 'USER_EXISTS' : 'EMAIL_TAKEN');
    await this.reconciler.releasePrevious(context, contact.kind, studentId);
  }

  /** Removes an unfinished sign-up that holds the contact. */
  private async removeUnfinishedSignUp(studentId: string, contact: Contact): Promise<void> {
    const holder = await this.accounts.find(contact);
    if (holder && holder.studentId !== studentId && !holder.registered)
      await this.signUps.abandon(holder.studentId);
  }
}
