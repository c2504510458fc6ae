import { randomUUID } from 'node:crypto';
import { CommandBus } from '@nestjs/cqrs';
import { Args, Context, Mutation, Query, Resolver } from '@nestjs/graphql';
import {
  DomainError,
  isOfficialUserName,
  normalisePhone,
  requireSignUpPhone,
  requireUserName,
} from '@nimo/domain';
import { findStudentById } from '@nimo/projections';
import { Pool } from 'pg';
import { OptionalViewer, Public } from '../../platform/auth/access.js';
import type { Viewer } from '../../platform/auth/viewer.js';
import { commandBy } from '../../platform/commands/command-context.js';
import { OnlyValuePipe } from '../../platform/graphql/arguments.js';
import type { RequestContext } from '../../platform/graphql/request-context.js';
import { PhoneScalar } from '../../platform/graphql/scalars.js';
import { Limited } from '../../platform/rate-limit/limited.js';
import { PHONE_SIGN_UPS } from '../../platform/rate-limit/limits.js';
import { RateLimiter } from '../../platform/rate-limit/rate-limiter.js';
import { Accounts } from './accounts.js';
import type { ClaimedValue } from './claims.js';
import { CreateStudent } from './commands/create-student.js';
import { unregistered } from './student-state.js';
import { Student } from './student.type.js';
import { ownAccountOf, strangerOf } from './student.view.js';

@Resolver()
export class StudentsResolver {
  constructor(
    private readonly pool: Pool,
    private readonly commands: CommandBus,
    private readonly accounts: Accounts,
    private readonly limiter: RateLimiter,
  ) {}

  @Public()
  @Query(() => Student, {
    nullable: true,
    description:
      'Of oneself, in full. Nobody learns by it whether somebody else has a user name or a phone: that is null, as if there were none.',
  })
  async getStudent(
    @Context() { client }: RequestContext,
    @OptionalViewer() viewer: Viewer | null,
    @Args('userName', { type: () => String, nullable: true }) userName?: string | null,
    @Args('phone', { type: () => PhoneScalar, nullable: true }) phone?: string | null,
  ): Promise<Student | null> {
    const named = namedBy(userName, phone);
    if (!named) {
      if (!viewer) throw new DomainError('SIGN_IN_REQUIRED');
      return this.ownAccount(viewer.studentId);
    }
    await this.limiter.use('lookUpsPerAddress', client);
    if (!viewer) return null;
    const student = await this.accounts.find(named);
    return student?.studentId === viewer.studentId ? this.ownAccount(viewer.studentId) : null;
  }

  @Public()
  @Query(() => Boolean, {
    description: 'Whether that user name is taken, in whatever case: by somebody, or for staff.',
  })
  async checkUserName(
    @Context() { client }: RequestContext,
    @Args('userName', { type: () => String }) userName: string,
  ): Promise<boolean> {
    await this.limiter.use('lookUpsPerAddress', client);
    const value = requireUserName(userName);
    if (isOfficialUserName(value)) return true;
    return (await this.accounts.find({ kind: 'username', value })) !== undefined;
  }

  @Public()
  @Limited('mutationsPerAddress')
  @Mutation(() => Student, {
    description:
      'Prepares the sign-up of a phone. `_id` is made up anew each time: the account is told by verifyOTP alone, to whoever has the phone.',
  })
  async createStudent(
    @Context() request: RequestContext,
    @Args('phone', { type: () => PhoneScalar }) phone: string,
    @Args('registrationType', { type: () => String, nullable: true }, new OnlyValuePipe('SELF'))
    _registrationType?: string | null,
  ): Promise<Student> {
    await this.limiter.use('signUpsPerAddress', request.client);
    const signUpPhone = requireSignUpPhone(phone);
    // By client too: a stranger who asks for a phone must not lock out whoever has it.
    for (const limit of PHONE_SIGN_UPS)
      await this.limiter.useExactly(limit, `${signUpPhone} ${request.client}`);
    const context = commandBy(request, 'createStudent', unregistered(randomUUID()));
    await this.commands.execute(new CreateStudent(context, signUpPhone));
    return strangerOf(randomUUID(), false);
  }

  private async ownAccount(studentId: string): Promise<Student | null> {
    const student = await findStudentById(this.pool, studentId);
    return student && ownAccountOf(student);
  }
}

function namedBy(
  userName: string | null | undefined,
  phone: string | null | undefined,
): ClaimedValue | undefined {
  if (phone !== null && phone !== undefined) return { kind: 'phone', value: normalisePhone(phone) };
  if (userName !== null && userName !== undefined) return { kind: 'username', value: userName };
  return undefined;
}
