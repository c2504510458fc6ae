import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { aggregate, DomainError, isCarried, requireEmail, spaceDecider } from '@nimo/domain';
import type { CommandContext } from '../../platform/commands/command-context.js';
import { CommandRunner } from '../../platform/commands/command-runner.js';
import type { ClientKey } from '../../platform/rate-limit/rate-limiter.js';
import { PublicAddress } from '../../platform/web/public-address.js';
import { AccountMailJobs } from '../email-accounts/account-mail.js';
import { EmailLimits } from '../email-accounts/email-requests.js';
import { Accounts } from '../students/accounts.js';
import { AskGuardian } from './commands/ask-guardian.js';
import { GuardianLinks } from './guardian-links.js';

export interface AskedGuardian {
  readonly context: CommandContext;
  readonly spaceId: string;
  readonly email: string;
  readonly client: ClientKey;
}

/** Asks and mails. More than five dependencies: an account, a space, a link and a mail come together here. */
@Injectable()
export class GuardianAsking {
  constructor(
    private readonly commands: CommandBus,
    private readonly runner: CommandRunner,
    private readonly accounts: Accounts,
    private readonly links: GuardianLinks,
    private readonly limits: EmailLimits,
    private readonly mails: AccountMailJobs,
    private readonly own: PublicAddress,
  ) {}

  /** The event first: cut off behind it, the student asks again, and the former link ends. */
  async ask({ context, spaceId, email: given, client }: AskedGuardian): Promise<void> {
    const { studentId } = context.by;
    const email = requireEmail(given);
    const student = await this.accounts.findById(studentId);
    if (!student?.profile) throw new DomainError('NOT_REGISTERED');
    if (isCarried({ kind: 'email', value: email }, student)) throw new DomainError('GUARDIAN_IS_SELF');
    await this.limits.useFor(client);
    await this.limits.useOf(email);
    const id = await this.commands.execute(new AskGuardian(context, spaceId));
    const token = await this.links.make({ id, spaceId, studentId }, email);
    const space = await this.runner.state(aggregate(spaceDecider, spaceId));
    const { userName } = student.profile;
    const asked = { email, token, userName, spaceName: space?.name ?? '', age: space?.consentAge ?? 0 };
    await this.mails.add({ kind: 'guardian', ...asked, origin: this.own.origin() }, id);
  }
}
