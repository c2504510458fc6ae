import { Context, Parent, ResolveField, Resolver } from '@nestjs/graphql';
import DataLoader from 'dataloader';
import type { RequestContext } from '../../platform/graphql/request-context.js';
import { ManagedStudent } from '../students/managed-student.type.js';
import { SecondFactors } from './second-factors.js';

/** Whether there is something to reset. */
@Resolver(() => ManagedStudent)
export class ManagedFactorResolver {
  constructor(private readonly factors: SecondFactors) {}

  @ResolveField(() => Boolean)
  hasSecondFactor(
    @Parent() { _id }: ManagedStudent,
    @Context() { loaders }: RequestContext,
  ): Promise<boolean> {
    return loaders
      .of(ManagedFactorResolver, () => new DataLoader((ids: readonly string[]) => this.factors.areSetUp(ids)))
      .load(_id);
  }
}
