import { CommandBus } from '@nestjs/cqrs';
import { Args, Context, Mutation, Resolver, ArgsType, Field, ID } from '@nestjs/graphql';
import { DomainError, type ChangeProfile as ProfileChange } from '@nimo/domain';
import { findStudentById } from '@nimo/projections';
import { Pool } from 'pg';
import { OptionalViewer, Public } from '../../platform/auth/access.js';
import { assertActsAsSelf } from '../../platform/auth/acting-as.js';
import type { Viewer } from '../../platform/auth/viewer.js';
import { attemptOf, commandBy, commandOf } from '../../platform/commands/command-context.js';
import { ApiError } from '../../platform/errors/api-error.js';
import { assertOnly } from '../../platform/graphql/arguments.js';
import type { RequestContext } from '../../platform/graphql/request-context.js';
import { Limited } from '../../platform/rate-limit/limited.js';
import { PhoneGrants } from '../otp/phone-grants.js';
import { OfferedAvatars } from '../avatars/offered-avatars.js';
import { OwnUploads } from '../uploads/own-uploads.js';
import { ChangeProfile } from './commands/change-profile.js';
import { RegisterStudent } from './commands/register-student.js';
import { unregistered } from './student-state.js';
import { Student } from './student.type.js';
import { ownAccountOf, strangerOf } from './student.view.js';

/** `isRegistered`, `registrationType` and `isPhoneVerified` are part of the wire; what they say is decided by the server, which refuses another. */
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
    description: 'Needs a session, or the grant of verifyOTP for a student who is not registered yet.',
  })
  async updateStudent(
    @Context() request: RequestContext,
    @OptionalViewer() viewer: Viewer | null,
    @Args() args: UpdateStudentArgs,
  ): Promise<Student> {
    assertOnly('registrationType', args.registrationType, 'SELF');
    assertOnly('isRegistered', args.isRegistered, true);
    assertOnly('isPhoneVerified', args.isPhoneVerified, true);
    if (typeof args.grant === 'string') await this.register(request, args, args.grant);
    else if (viewer) await this.change(request, args, viewer);
    else throw new DomainError('SIGN_IN_REQUIRED');
    const student = await findStudentById(this.pool, args.id);
    return student ? ownAccountOf(student) : strangerOf(args.id, true);
  }

  private async register(request: RequestContext, args: UpdateStudentArgs, grant: string): Promise<void> {
    const { id } = args;
    const context = commandBy(request, 'updateStudent', unregistered(id));
    await this.grants.use(grant, attemptOf(request), id, async () => {
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
      throw new ApiError('VALIDATION_FAILED', 'Please use changePassword, which asks for the old password.', {
        field: 'password',
        rule: 'PASSWORD_NOT_CHANGED_HERE',
      });
    }
    await this.assertPictureMayBeUsed(args.realProfilePicUrl, viewer.studentId);
    await this.commands.execute(new ChangeProfile(commandOf(request, 'updateStudent'), changeOf(args)));
  }

  /** An avatar that is offered, an upload of one's own, or what is there already. */
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
