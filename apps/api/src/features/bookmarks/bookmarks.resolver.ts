import { CommandBus } from '@nestjs/cqrs';
import { Args, Context, ID, Mutation, Resolver } from '@nestjs/graphql';
import { assertActsAsSelf, CurrentViewer, SignedIn } from '../../platform/auth/access.js';
import type { Viewer } from '../../platform/auth/viewer.js';
import { commandContext } from '../../platform/commands/command-context.js';
import { IdPipe } from '../../platform/graphql/arguments.js';
import type { RequestContext } from '../../platform/auth/request-context.js';
import { Limited } from '../../platform/rate-limit/limited.js';
import { Confirmation } from '../questions/questions.resolver.js';
import { SaveQuestion, UnsaveQuestion } from './commands/bookmarks.js';

@Resolver()
export class BookmarksResolver {
  constructor(private readonly commands: CommandBus) {}

  @SignedIn()
  @Limited('toggles', { andOn: ['togglesOfOne', 'questionId'] })
  @Mutation(() => Confirmation)
  async saveQuestion(
    @Context() request: RequestContext,
    @CurrentViewer() viewer: Viewer,
    @Args('questionId', { type: () => ID }, IdPipe) questionId: string,
    @Args('userId', { type: () => ID, nullable: true }) userId?: string | null,
  ): Promise<Confirmation> {
    assertActsAsSelf(viewer, userId);
    await this.commands.execute(new SaveQuestion(commandContext(request, 'saveQuestion'), questionId));
    return { _id: questionId };
  }

  @SignedIn()
  @Limited('toggles', { andOn: ['togglesOfOne', 'questionId'] })
  @Mutation(() => Confirmation)
  async unsaveQuestion(
    @Context() request: RequestContext,
    @CurrentViewer() viewer: Viewer,
    @Args('questionId', { type: () => ID }, IdPipe) questionId: string,
    @Args('userId', { type: () => ID, nullable: true }) userId?: string | null,
  ): Promise<Confirmation> {
    assertActsAsSelf(viewer, userId);
    await this.commands.execute(new UnsaveQuestion(commandContext(request, 'unsaveQuestion'), questionId));
    return { _id: questionId };
  }
}
