import { findStudentById } from '@nimo/projections';
import { randomUUID } from 'node:crypto';
import { CommandBus } from '@nestjs/cqrs';
import { Args, ArgsType, Context, Field, ID, Mutation, Query, Resolver } from '@nestjs/graphql';
import {
  type ChangeProfile as ProfileChange,
  DomainError,
  isOfficialUserName,
  normalisePhone,
  requireSignUpPhone,
  requireUserName,
} from '@nimo/domain';
import { Pool } from 'pg';
import type { Viewer } from '../../platform/auth/viewer.js';
import { assertActsAsSelf, OptionalViewer, Public } from '../../platform/auth/access.js';
import {
  attemptId,
  commandContextFor,
  commandContext,
  unregisteredStudent,
} from '../../platform/commands/command-context.js';
import { assertFixedValue, FixedValuePipe } from '../../platform/graphql/arguments.js';
import type { RequestContext } from '../../platform/auth/request-context.js';
import { PhoneScalar } from '../../platform/graphql/scalars.js';
import { Limited } from '../../platform/rate-limit/limited.js';
import { PHONE_SIGN_UPS } from '../../platform/rate-limit/limits.js';
import { RateLimiter } from '../../platform/rate-limit/rate-limiter.js';
import { Accounts } from '../accounts/accounts.js';
import type { ClaimedValue } from '../accounts/claims.js';
import { CreateStudent, RegisterStudent } from './commands/register-student.js';
import { ownAccountOf, redactedAccount, Student } from './student.types.js';
import { ApiError } from '../../platform/errors/api-error.js';
import { PhoneGrants } from '../otp/phone-grants.js';
import { OfferedAvatars } from '../avatars/avatars.resolver.js';
import { OwnUploads } from '../uploads/own-uploads.js';
import { ChangeProfile } from './commands/change-profile.js';

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
      "The caller's own account. Null for any other user name or phone, so that it never reveals whether an account exists.",
  })
  async getStudent(
    @Context() { client }: RequestContext,
    @OptionalViewer() viewer: Viewer | null,
    @Args('userName', { type: () => String, nullable: true }) userName?: string | null,
    @Args('phone', { type: () => PhoneScalar, nullable: true }) phone?: string | null,
  ): Promise<Student | null> {
    const claimed = claimedBy(userName, phone);
    if (!claimed) {
      if (!viewer) throw new DomainError('SIGN_IN_REQUIRED');
      return this.ownAccount(viewer.studentId);
    }
    await this.limiter.use('lookUpsPerAddress', client);
    if (!viewer) return null;
    const student = await this.accounts.find(claimed);
    return student?.studentId === viewer.studentId ? this.ownAccount(viewer.studentId) : null;
  }

  @Public()
  @Query(() => Boolean, {
    description: 'Whether the user name is taken or reserved, ignoring case.',
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
      'Prepares the sign-up of a phone. `_id` is random each time; only verifyOTP reveals the account, to the owner of the phone.',
  })
  async createStudent(
    @Context() request: RequestContext,
    @Args('phone', { type: () => PhoneScalar }) phone: string,
    @Args('registrationType', { type: () => String, nullable: true }, new FixedValuePipe('SELF'))
    _registrationType?: string | null,
  ): Promise<Student> {
    await this.limiter.use('signUpsPerAddress', request.client);
    const signUpPhone = requireSignUpPhone(phone);
    // Per client too, so that a stranger cannot lock out the owner of the phone.
    for (const limit of PHONE_SIGN_UPS)
      await this.limiter.useExactly(limit, `${signUpPhone} ${request.client}`);
    const context = commandContextFor(request, 'createStudent', unregisteredStudent(randomUUID()));
    await this.commands.execute(new CreateStudent(context, signUpPhone));
    return redactedAccount(randomUUID(), false);
  }

  private async ownAccount(studentId: string): Promise<Student | null> {
    const student = await findStudentById(this.pool, studentId);
    return student && ownAccountOf(student);
  }
}

function claimedBy(
  userName: string | null | undefined,
  phone: string | null | undefined,
): ClaimedValue | undefined {
  if (phone !== null && phone !== undefined) return { kind: 'phone', value: normalisePhone(phone) };
  if (userName !== null && userName !== undefined) return { kind: 'username', value: userName };
  return undefined;
}

/** `isRegistered`, `registrationType` and `isPhoneVerified` exist for compatibility; only the values the server expects are accepted. */
@ArgsType()
class UpdateStudentArgs {
  @Field(() => ID) readonly id!: string;
  @Field(() => String, { nullable: true }) readonly userName?: string | null;
  @Field(() => String, { nullable: true }) readonly firstName?: string | null;
  @Field(() => String, { nullable: true }) readonly lastName?: string | null;
  @Field(() => String, { nullable: true }) readonly profileDesc?: string | null;
  @Field(() => String, { nullable: true }) readonly realProfilePicUrl?: string | null;
  @Field(() => String, { nullable: true }) readonly password?: string | null;
  @Field(() => Boolean, { nullable: true }) readonly isRegistered?: boolean | null;
  @Field(() => String, { nullable: true }) readonly registrationType?: string | null;
  @Field(() => Boolean, { nullable: true }) readonly isPhoneVerified?: boolean | null;
  @Field(() => String, { nullable: true }) readonly grant?: string | null;
}

@Resolver()
export class ProfilesResolver {
  constructor(
    private readonly pool: Pool,
    private readonly commands: CommandBus,
    private readonly grants: PhoneGrants,
    private readonly uploads: OwnUploads,
    private readonly avatars: OfferedAvatars,
  ) {}

  @Public()
  @Limited('changes')
  @Mutation(() => Student, {
    description: 'Requires a session, or the grant of verifyOTP for a student who has not registered yet.',
  })
  async updateStudent(
    @Context() request: RequestContext,
    @OptionalViewer() viewer: Viewer | null,
    @Args() args: UpdateStudentArgs,
  ): Promise<Student> {
    assertFixedValue('registrationType', args.registrationType, 'SELF');
    assertFixedValue('isRegistered', args.isRegistered, true);
    assertFixedValue('isPhoneVerified', args.isPhoneVerified, true);
    if (typeof args.grant === 'string') await this.register(request, args, args.grant);
    else if (viewer) await this.change(request, args, viewer);
    else throw new DomainError('SIGN_IN_REQUIRED');
    const student = await findStudentById(this.pool, args.id);
    return student ? ownAccountOf(student) : redactedAccount(args.id, true);
  }

  private async register(request: RequestContext, args: UpdateStudentArgs, grant: string): Promise<void> {
    const { id } = args;
    const context = commandContextFor(request, 'updateStudent', unregisteredStudent(id));
    await this.grants.use(grant, attemptId(request), id, async () => {
      await this.assertPictureMayBeUsed(args.realProfilePicUrl, id);
      const profile = {
        userName: args.userName ?? '',
        firstName: args.firstName ?? '',
        lastName: args.lastName ?? '',
        profileDesc: args.profileDesc ?? '',
        realProfilePicUrl: args.realProfilePicUrl ?? null,
      };
      await this.commands.execute(new RegisterStudent(context, profile, args.password ?? ''));
    });
  }

  private async change(request: RequestContext, args: UpdateStudentArgs, viewer: Viewer): Promise<void> {
    assertActsAsSelf(viewer, args.id);
    if (typeof args.password === 'string') {
      throw new ApiError('VALIDATION_FAILED', 'Use changePassword to change the password.', {
        field: 'password',
        rule: 'PASSWORD_NOT_CHANGED_HERE',
      });
    }
    await this.assertPictureMayBeUsed(args.realProfilePicUrl, viewer.studentId);
    await this.commands.execute(new ChangeProfile(commandContext(request, 'updateStudent'), changeOf(args)));
  }

  /** Allows offered avatars, the student's own uploads and the current picture. */
  private async assertPictureMayBeUsed(url: string | null | undefined, studentId: string): Promise<void> {
    if (typeof url !== 'string' || (await this.avatars.has(url))) return;
    const student = await findStudentById(this.pool, studentId);
    if (student?.realProfilePicUrl !== url)
      await this.uploads.assertOwn([url], studentId, 'realProfilePicUrl');
  }
}

function changeOf(args: UpdateStudentArgs): ProfileChange {
  const { userName, firstName, lastName, profileDesc, realProfilePicUrl } = args;
  return {
    ...(typeof userName === 'string' && { userName }),
    ...(typeof firstName === 'string' && { firstName }),
    ...(typeof lastName === 'string' && { lastName }),
    ...(typeof profileDesc === 'string' && { profileDesc }),
    ...(realProfilePicUrl !== undefined && { realProfilePicUrl }),
  };
}
