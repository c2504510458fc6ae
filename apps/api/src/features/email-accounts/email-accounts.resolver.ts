import { Args, Context, Mutation, Query, Resolver, Field, ObjectType } from '@nestjs/graphql';
import { CommandBus } from '@nestjs/cqrs';
import { DomainError, requireNewPassword, requirePassword, requireUserName } from '@nimo/domain';
import { Public } from '../../platform/auth/access.js';
import { Credentials } from '../../platform/auth/credentials.js';
import { SessionStore } from '../../platform/auth/session-store.js';
import {
  attemptId,
  commandContextFor,
  unregisteredStudent,
} from '../../platform/commands/command-context.js';
import type { RequestContext } from '../../platform/auth/request-context.js';
import { Limited } from '../../platform/rate-limit/limited.js';
import { currentOrigin } from '../../platform/callers/client-address.js';
import { ResetGuard } from '../second-factor/factor-reset.js';
import { Accounts } from '../accounts/accounts.js';
import { RegisterByEmail } from './commands/register-by-email.js';
import { EmailRequests } from './email-requests.js';
import { MailedLinks } from '../account-mail/mailed-links.js';
import { PendingRegistrations } from './pending-registrations.js';
import { FlagResult } from '../../platform/errors/refusal.js';

@ObjectType({ description: 'An account that can now log in.' })
class ConfirmedAccount {
  @Field(() => String) readonly userName!: string;
}

const FACTOR_CODE = 'Required if the account has a second factor: a six-digit code or a recovery code.';

@Resolver()
export class EmailAccountsResolver {
  constructor(
    private readonly requests: EmailRequests,
    private readonly links: MailedLinks,
    private readonly pending: PendingRegistrations,
    private readonly commands: CommandBus,
    private readonly credentials: Credentials,
    private readonly sessions: SessionStore,
    private readonly accounts: Accounts,
    private readonly guard: ResetGuard,
  ) {}

  @Public()
  @Limited('mutationsPerAddress')
  @Mutation(() => FlagResult, {
    description:
      'Emails a link that creates the account. Responds the same whether or not the address is registered.',
  })
  async registerByEmail(
    @Context() { client }: RequestContext,
    @Args('email', { type: () => String }) email: string,
    @Args('userName', { type: () => String }) userName: string,
    @Args('password', {
      type: () => String,
      description:
        'Must be a valid password. Logging in with it before confirmation reports that the email is unconfirmed. The final password is set with confirmEmail.',
    })
    password: string,
  ): Promise<FlagResult> {
    await this.requests.register({ email, userName, password, client });
    return { flag: 1 };
  }

  @Public()
  @Limited('mutationsPerAddress')
  @Mutation(() => FlagResult, {
    description: 'Resends the confirmation link of a registration. Flag 0: nothing left to confirm.',
  })
  async sendConfirmation(
    @Context() { client }: RequestContext,
    @Args('confirmation', { type: () => String, description: 'The `confirmation` returned by login.' })
    confirmation: string,
  ): Promise<FlagResult> {
    return { flag: (await this.requests.sendAgain(confirmation, client)) ? 1 : 0 };
  }

  @Public()
  @Query(() => Boolean, { description: 'Whether the link in the email has already created the account.' })
  isEmailConfirmed(@Args('token', { type: () => String }) token: string): Promise<boolean> {
    return this.links.isUsed('CONFIRM_EMAIL', token);
  }

  @Public()
  @Limited('mutationsPerAddress')
  @Mutation(() => ConfirmedAccount, {
    description:
      'Creates the account from the link in the email and sets its password. Pass `userName` if the requested one has since been taken.',
  })
  async confirmEmail(
    @Context() request: RequestContext,
    @Args('token', { type: () => String }) token: string,
    @Args('password', { type: () => String }) password: string,
    @Args('userName', { type: () => String, nullable: true }) otherUserName?: string | null,
  ): Promise<ConfirmedAccount> {
    requirePassword(password);
    const attempt = attemptId(request);
    return this.links.use('CONFIRM_EMAIL', token, attempt, async ({ studentId, content }) => {
      const userName = requireUserName(otherUserName ?? content.userName);
      const context = commandContextFor(request, 'confirmEmail', unregisteredStudent(studentId));
      await this.commands.execute(new RegisterByEmail(context, { email: content.email, userName, password }));
      await this.pending.delete(content.registrationId);
      return { userName };
    });
  }

  @Public()
  @Limited('mutationsPerAddress')
  @Mutation(() => FlagResult, {
    description:
      'Emails a link to set a new password. Responds the same whether or not the address is registered.',
  })
  async forgotPassword(
    @Context() { client }: RequestContext,
    @Args('email', { type: () => String }) email: string,
  ): Promise<FlagResult> {
    await this.requests.forgot({ email, client });
    return { flag: 1 };
  }

  @Public()
  @Limited('mutationsPerAddress')
  @Mutation(() => FlagResult, {
    description: 'Sets a new password from the link in the email. Ends all sessions.',
  })
  async resetPassword(
    @Context() request: RequestContext,
    @Args('token', { type: () => String }) token: string,
    @Args('password', { type: () => String }) password: string,
    @Args('factorCode', { type: () => String, nullable: true, description: FACTOR_CODE })
    factorCode?: string | null,
  ): Promise<FlagResult> {
    requireNewPassword(password);
    await this.links.use('RESET_PASSWORD', token, attemptId(request), async ({ studentId }) => {
      const student = await this.accounts.findById(studentId);
      if (!student) throw new DomainError('MAIL_LINK_INVALID');
      await this.guard.requireMayReset({ student, by: 'mail', factorCode, client: request.client });
      await this.credentials.set(studentId, password, 'PASSWORD_RESET');
      await this.sessions.endAll(studentId, currentOrigin());
      return { studentId };
    });
    return { flag: 1 };
  }
}
