import { CommandBus } from '@nestjs/cqrs';
import { Args, Context, ID, Mutation, Parent, ResolveField, Resolver } from '@nestjs/graphql';
import DataLoader from 'dataloader';
import { Pool } from 'pg';
import { HasRole } from '../../platform/auth/access.js';
import { commandOf } from '../../platform/commands/command-context.js';
import { IdPipe } from '../../platform/graphql/arguments.js';
import type { RequestContext } from '../../platform/graphql/request-context.js';
import { Limited } from '../../platform/rate-limit/limited.js';
import { OwnActs } from '../acts/own-acts.js';
import { Accounts } from '../students/accounts.js';
import { ManagedStudent, SavedStudentResult } from '../students/managed-student.type.js';
import { savedStudent } from '../students/saved-student.js';
import { AskErasure } from './commands/ask-erasure.js';
import { WithdrawErasure } from './commands/withdraw-erasure.js';

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
