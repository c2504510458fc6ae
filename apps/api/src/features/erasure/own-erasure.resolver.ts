import { CommandBus } from '@nestjs/cqrs';
import {
  Args,
  Context,
  Field,
  ID,
  Mutation,
  ObjectType,
  Parent,
  Query,
  ResolveField,
  Resolver,
} from '@nestjs/graphql';
import DataLoader from 'dataloader';
import { Pool } from 'pg';
import { CurrentViewer, HasRole, SignedIn } from '../../platform/auth/access.js';
import type { Viewer } from '../../platform/auth/viewer.js';
import { commandContext } from '../../platform/commands/command-context.js';
import type { RequestContext } from '../../platform/auth/request-context.js';
import { Limited } from '../../platform/rate-limit/limited.js';
import { FactorSetUp } from '../second-factor/factor-set-up.js';
import { Accounts } from '../accounts/accounts.js';
import { RequestErasure, WithdrawErasure } from './commands/request-erasure.js';
import { IdPipe } from '../../platform/graphql/arguments.js';
import { OwnStaffActions } from '../staff-actions/own-staff-actions.js';
import { ManagedStudent, SavedStudentResult, savedStudent } from '../students/student.types.js';
import { FlagResult } from '../../platform/errors/refusal.js';
import { oldNameOf } from '../schema/interfaces.js';

@ObjectType({ description: 'Scheduled deletion of the caller’s account.' })
class OwnErasure {
  @Field(() => String, { description: 'Earliest time of deletion. Until then it can be cancelled.' })
  readonly dueAt!: string;
  @Field(() => Boolean, { description: 'Whether posts and comments are deleted as well.' })
  readonly withPosts!: boolean;
  @Field(() => Boolean, oldNameOf('withPosts')) readonly withWords!: boolean;
}

/** Posts stay unless their deletion is requested, by the new or the old name of the argument. */
const WITH_POSTS = {
  type: () => Boolean,
  nullable: true,
  description: 'Whether to delete posts and comments as well. They stay by default.',
} as const;
const WITH_WORDS = { type: () => Boolean, nullable: true, ...oldNameOf('withPosts') } as const;

/** Deleting one’s own account. Requires reauthentication, in case a session was left open. */
@Resolver()
export class OwnErasureResolver {
  constructor(
    private readonly commands: CommandBus,
    private readonly accounts: Accounts,
    private readonly proof: FactorSetUp,
  ) {}

  @SignedIn()
  @Query(() => OwnErasure, {
    nullable: true,
    description: 'Scheduled deletion of the caller’s account. Null if there is none.',
  })
  async getOwnErasure(@CurrentViewer() { studentId }: Viewer): Promise<OwnErasure | null> {
    const erasure = (await this.accounts.findById(studentId))?.erasure;
    return erasure ? { ...erasure, withPosts: erasure.withWords } : null;
  }

  @SignedIn()
  @Limited('changes')
  @Mutation(() => OwnErasure, {
    description:
      'Deletes the caller’s account and personal data in a week; with `withPosts`, also posts and comments. Requires the password, and the second factor if set up.',
  })
  async deleteOwnAccount(
    @Context() request: RequestContext,
    @CurrentViewer() viewer: Viewer,
    @Args('password', { type: () => String }) password: string,
    @Args('withPosts', WITH_POSTS) withPosts?: boolean | null,
    @Args('withWords', WITH_WORDS) oldWithPosts?: boolean | null,
  ): Promise<OwnErasure | null> {
    await this.proof.requireMayAdd(viewer, password, request.client);
    const context = commandContext(request, 'deleteOwnAccount');
    const withWords = withPosts ?? oldWithPosts ?? false;
    await this.commands.execute(new RequestErasure(context, viewer.studentId, { withWords, reason: null }));
    return this.getOwnErasure(viewer);
  }

  @SignedIn()
  @Limited('changes')
  @Mutation(() => FlagResult, { description: 'Cancels the scheduled deletion.' })
  async cancelOwnErasure(
    @Context() request: RequestContext,
    @CurrentViewer() { studentId }: Viewer,
  ): Promise<FlagResult> {
    await this.commands.execute(new WithdrawErasure(commandContext(request, 'cancelOwnErasure'), studentId));
    return { flag: 1 };
  }

  @SignedIn()
  @Limited('changes')
  @Mutation(() => FlagResult, oldNameOf('cancelOwnErasure'))
  keepOwnAccount(@Context() request: RequestContext, @CurrentViewer() viewer: Viewer): Promise<FlagResult> {
    return this.cancelOwnErasure(request, viewer);
  }
}

/** Account deletion by maintainers, for users who cannot do it themselves. */
@Resolver(() => ManagedStudent)
export class ManagedErasureResolver {
  constructor(
    readonly pool: Pool,
    private readonly commands: CommandBus,
    private readonly accounts: Accounts,
    readonly acts: OwnStaffActions,
  ) {}

  @ResolveField(() => String, {
    nullable: true,
    description: 'Earliest time of the scheduled deletion. Null if there is none.',
  })
  erasureDueAt(
    @Parent() { _id }: ManagedStudent,
    @Context() { loaders }: RequestContext,
  ): Promise<string | null> {
    // Read from the log, so that a new request is visible immediately.
    return loaders
      .of(
        ManagedErasureResolver,
        () =>
          new DataLoader((ids: readonly string[]) =>
            Promise.all(ids.map(async (id) => (await this.accounts.findById(id))?.erasure?.dueAt ?? null)),
          ),
      )
      .load(_id);
  }

  @HasRole('MAINTAINER')
  @Limited('staff')
  @Mutation(() => SavedStudentResult, {
    description: 'Deletes the account in a week. Until then `cancelErasure` cancels the deletion.',
  })
  async eraseAccount(
    @Context() request: RequestContext,
    @Args('studentId', { type: () => ID }, IdPipe) studentId: string,
    @Args('reason', { type: () => String }) reason: string,
    @Args('withPosts', WITH_POSTS) withPosts?: boolean | null,
    @Args('withWords', WITH_WORDS) oldWithPosts?: boolean | null,
  ): Promise<SavedStudentResult> {
    const context = commandContext(request, 'eraseAccount');
    const withWords = withPosts ?? oldWithPosts ?? false;
    await this.commands.execute(new RequestErasure(context, studentId, { withWords, reason }));
    return savedStudent(this, context, studentId);
  }

  @HasRole('MAINTAINER')
  @Limited('staff')
  @Mutation(() => SavedStudentResult, { description: 'Cancels the scheduled deletion.' })
  async cancelErasure(
    @Context() request: RequestContext,
    @Args('studentId', { type: () => ID }, IdPipe) studentId: string,
  ): Promise<SavedStudentResult> {
    const context = commandContext(request, 'cancelErasure');
    await this.commands.execute(new WithdrawErasure(context, studentId));
    return savedStudent(this, context, studentId);
  }

  @HasRole('MAINTAINER')
  @Limited('staff')
  @Mutation(() => SavedStudentResult, oldNameOf('cancelErasure'))
  keepAccount(
    @Context() request: RequestContext,
    @Args('studentId', { type: () => ID }, IdPipe) studentId: string,
  ): Promise<SavedStudentResult> {
    return this.cancelErasure(request, studentId);
  }
}
