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
import { commandOf } from '../../platform/commands/command-context.js';
import type { RequestContext } from '../../platform/auth/request-context.js';
import { Limited } from '../../platform/rate-limit/limited.js';
import { FactorSetUp } from '../second-factor/factor-set-up.js';
import { Accounts } from '../accounts/accounts.js';
import { AskErasure, WithdrawErasure } from './commands/ask-erasure.js';
import { IdPipe } from '../../platform/graphql/arguments.js';
import { OwnActs } from '../acts/own-acts.js';
import { ManagedStudent, SavedStudentResult, savedStudent } from '../students/student.types.js';
import { FlagResult } from '../../platform/errors/refusal.js';

@ObjectType({ description: "That the caller's own account is going to be deleted." })
class OwnErasure {
  @Field(() => String, { description: 'From when on. Until then it can be kept.' })
  readonly dueAt!: string;
  @Field(() => Boolean, { description: 'With what the caller wrote.' })
  readonly withWords!: boolean;
}

/** Nobody has to stay, and nobody has to go because a session was left open. */
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
    description: "Null unless the caller's own account is going to be deleted.",
  })
  async getOwnErasure(@CurrentViewer() { studentId }: Viewer): Promise<OwnErasure | null> {
    return (await this.accounts.findById(studentId))?.erasure ?? null;
  }

  @SignedIn()
  @Limited('changes')
  @Mutation(() => OwnErasure, {
    description:
      'In a week the account is deleted, with everything that says whose it was, and with `withWords` with what the caller wrote. Needs the password, and a second factor where there is one.',
  })
  async deleteOwnAccount(
    @Context() request: RequestContext,
    @CurrentViewer() viewer: Viewer,
    @Args('password', { type: () => String }) password: string,
    @Args('withWords', { type: () => Boolean }) withWords: boolean,
  ): Promise<OwnErasure | null> {
    await this.proof.requireMayAdd(viewer, password, request.client);
    const context = commandOf(request, 'deleteOwnAccount');
    await this.commands.execute(new AskErasure(context, viewer.studentId, { withWords, reason: null }));
    return this.getOwnErasure(viewer);
  }

  @SignedIn()
  @Limited('changes')
  @Mutation(() => FlagResult, { description: 'The account is not deleted after all.' })
  async keepOwnAccount(
    @Context() request: RequestContext,
    @CurrentViewer() { studentId }: Viewer,
  ): Promise<FlagResult> {
    await this.commands.execute(new WithdrawErasure(commandOf(request, 'keepOwnAccount'), studentId));
    return { flag: 1 };
  }
}

/** For whoever cannot do it in their own settings any more. */
@Resolver(() => ManagedStudent)
export class ManagedErasureResolver {
  constructor(
    readonly pool: Pool,
    private readonly commands: CommandBus,
    private readonly accounts: Accounts,
    readonly acts: OwnActs,
  ) {}

  @ResolveField(() => String, { nullable: true, description: 'From when on the account is deleted.' })
  erasureDueAt(
    @Parent() { _id }: ManagedStudent,
    @Context() { loaders }: RequestContext,
  ): Promise<string | null> {
    // By what the log says: whoever has just asked for it sees it.
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
    description: 'In a week the account is deleted; until then `keepAccount` takes it back.',
  })
  async eraseAccount(
    @Context() request: RequestContext,
    @Args('studentId', { type: () => ID }, IdPipe) studentId: string,
    @Args('reason', { type: () => String }) reason: string,
    @Args('withWords', { type: () => Boolean, description: 'With what the student wrote.' })
    withWords: boolean,
  ): Promise<SavedStudentResult> {
    const context = commandOf(request, 'eraseAccount');
    await this.commands.execute(new AskErasure(context, studentId, { withWords, reason }));
    return savedStudent(this, context, studentId);
  }

  @HasRole('MAINTAINER')
  @Limited('staff')
  @Mutation(() => SavedStudentResult, { description: 'The account is not deleted after all.' })
  async keepAccount(
    @Context() request: RequestContext,
    @Args('studentId', { type: () => ID }, IdPipe) studentId: string,
  ): Promise<SavedStudentResult> {
    const context = commandOf(request, 'keepAccount');
    await this.commands.execute(new WithdrawErasure(context, studentId));
    return savedStudent(this, context, studentId);
  }
}
