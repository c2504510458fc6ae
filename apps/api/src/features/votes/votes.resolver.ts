import { CommandBus } from '@nestjs/cqrs';
import { Args, Context, ID, Mutation, Resolver } from '@nestjs/graphql';
import type { VoteDirection } from '@nimo/domain';
import { findAnswerById, findQuestionById } from '@nimo/projections';
import { Pool } from 'pg';
import { CurrentViewer, SignedIn } from '../../platform/auth/access.js';
import { assertActsAsSelf } from '../../platform/auth/acting-as.js';
import type { Viewer } from '../../platform/auth/viewer.js';
import { commandOf } from '../../platform/commands/command-context.js';
import { IdPipe } from '../../platform/graphql/id.pipe.js';
import type { RequestContext } from '../../platform/graphql/request-context.js';
import { Limited } from '../../platform/rate-limit/limited.js';
import { ToggleVote } from './commands/toggle-vote.js';
import { AnswerVoteResult, QuestionVoteResult } from './vote-result.type.js';

const TOGGLES = { description: "Toggles the caller's vote; it replaces the opposite one." };

@Resolver()
export class VotesResolver {
  constructor(
    private readonly pool: Pool,
    private readonly commands: CommandBus,
  ) {}

  @SignedIn()
  @Limited('votes', { andOn: ['togglesOfOne', 'questionId'] })
  @Mutation(() => QuestionVoteResult, TOGGLES)
  upvoteQuestion(
    @Context() request: RequestContext,
    @CurrentViewer() viewer: Viewer,
    @Args('questionId', { type: () => ID }, IdPipe) questionId: string,
    @Args('userId', { type: () => ID, nullable: true }) userId?: string | null,
  ): Promise<QuestionVoteResult> {
    assertActsAsSelf(viewer, userId);
    return this.voteOnQuestion(request, viewer, questionId, 'UP');
  }

  @SignedIn()
  @Limited('votes', { andOn: ['togglesOfOne', 'questionId'] })
  @Mutation(() => QuestionVoteResult, TOGGLES)
  downvoteQuestion(
    @Context() request: RequestContext,
    @CurrentViewer() viewer: Viewer,
    @Args('questionId', { type: () => ID }, IdPipe) questionId: string,
    @Args('userId', { type: () => ID, nullable: true }) userId?: string | null,
  ): Promise<QuestionVoteResult> {
    assertActsAsSelf(viewer, userId);
    return this.voteOnQuestion(request, viewer, questionId, 'DOWN');
  }

  @SignedIn()
  @Limited('votes', { andOn: ['togglesOfOne', 'answerId'] })
  @Mutation(() => AnswerVoteResult, TOGGLES)
  upvoteAnswer(
    @Context() request: RequestContext,
    @CurrentViewer() viewer: Viewer,
    @Args('answerId', { type: () => ID }, IdPipe) answerId: string,
    @Args('userId', { type: () => ID, nullable: true }) userId?: string | null,
  ): Promise<AnswerVoteResult> {
    assertActsAsSelf(viewer, userId);
    return this.voteOnAnswer(request, viewer, answerId, 'UP');
  }

  @SignedIn()
  @Limited('votes', { andOn: ['togglesOfOne', 'answerId'] })
  @Mutation(() => AnswerVoteResult, TOGGLES)
  downvoteAnswer(
    @Context() request: RequestContext,
    @CurrentViewer() viewer: Viewer,
    @Args('answerId', { type: () => ID }, IdPipe) answerId: string,
    @Args('userId', { type: () => ID, nullable: true }) userId?: string | null,
  ): Promise<AnswerVoteResult> {
    assertActsAsSelf(viewer, userId);
    return this.voteOnAnswer(request, viewer, answerId, 'DOWN');
  }

  private async voteOnQuestion(
    request: RequestContext,
    viewer: Viewer,
    postId: string,
    direction: VoteDirection,
  ): Promise<QuestionVoteResult> {
    const vote = { postType: 'QUESTION', postId, direction } as const;
    await this.commands.execute(new ToggleVote(commandOf(request, `vote:${direction}`), vote));
    return { _id: postId, question: await findQuestionById(this.pool, postId, viewer.studentId) };
  }

  private async voteOnAnswer(
    request: RequestContext,
    viewer: Viewer,
    postId: string,
    direction: VoteDirection,
  ): Promise<AnswerVoteResult> {
    const vote = { postType: 'ANSWER', postId, direction } as const;
    await this.commands.execute(new ToggleVote(commandOf(request, `vote:${direction}`), vote));
    return { _id: postId, answer: await findAnswerById(this.pool, postId, viewer.studentId) };
  }
}
