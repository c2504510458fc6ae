import { CommandBus } from '@nestjs/cqrs';
import { Args, Context, ID, Info, Mutation, Resolver, Field, ObjectType } from '@nestjs/graphql';
import type { VoteDirection } from '@nimo/domain';
import { findAnswerById, findQuestionById } from '@nimo/projections';
import type { GraphQLResolveInfo } from 'graphql';
import { Pool } from 'pg';
import { assertActsAsSelf, CurrentViewer, SignedIn } from '../../platform/auth/access.js';
import type { Viewer } from '../../platform/auth/viewer.js';
import { commandContext } from '../../platform/commands/command-context.js';
import { IdPipe } from '../../platform/graphql/arguments.js';
import type { RequestContext } from '../../platform/auth/request-context.js';
import { selectsField } from '../../platform/graphql/selection.js';
import { Limited } from '../../platform/rate-limit/limited.js';
import { ToggleVote, type Vote } from './commands/toggle-vote.js';
import { ReadBack } from '../posts/read-back.js';
import { Answer } from '../answers/answer.type.js';
import { Question } from '../questions/questions.resolver.js';

@ObjectType()
class QuestionVoteResult {
  @Field(() => ID) readonly _id!: string;
  @Field(() => Question, {
    nullable: true,
    description:
      'As the caller sees it after the vote, or before it if `extensions.stale` is set; null until the post has been projected.',
  })
  readonly question!: Question | null;
}

@ObjectType()
class AnswerVoteResult {
  @Field(() => ID) readonly _id!: string;
  @Field(() => Answer, {
    nullable: true,
    description:
      'As the caller sees it after the vote, or before it if `extensions.stale` is set; null until the post has been projected.',
  })
  readonly answer!: Answer | null;
}

interface VoteRequest {
  readonly request: RequestContext;
  readonly info: GraphQLResolveInfo;
  readonly viewer: Viewer;
}

const TOGGLES = { description: "Toggles the caller's vote. Replaces an opposite vote." };

@Resolver()
export class VotesResolver {
  constructor(
    private readonly pool: Pool,
    private readonly commands: CommandBus,
    private readonly readBack: ReadBack,
  ) {}

  @SignedIn()
  @Limited('votes', { andOn: ['togglesOfOne', 'questionId'] })
  @Mutation(() => QuestionVoteResult, TOGGLES)
  upvoteQuestion(
    @Context() request: RequestContext,
    @Info() info: GraphQLResolveInfo,
    @CurrentViewer() viewer: Viewer,
    @Args('questionId', { type: () => ID }, IdPipe) questionId: string,
    @Args('userId', { type: () => ID, nullable: true }) userId?: string | null,
  ): Promise<QuestionVoteResult> {
    assertActsAsSelf(viewer, userId);
    return this.onQuestion({ request, info, viewer }, questionId, 'UP');
  }

  @SignedIn()
  @Limited('votes', { andOn: ['togglesOfOne', 'questionId'] })
  @Mutation(() => QuestionVoteResult, TOGGLES)
  downvoteQuestion(
    @Context() request: RequestContext,
    @Info() info: GraphQLResolveInfo,
    @CurrentViewer() viewer: Viewer,
    @Args('questionId', { type: () => ID }, IdPipe) questionId: string,
    @Args('userId', { type: () => ID, nullable: true }) userId?: string | null,
  ): Promise<QuestionVoteResult> {
    assertActsAsSelf(viewer, userId);
    return this.onQuestion({ request, info, viewer }, questionId, 'DOWN');
  }

  @SignedIn()
  @Limited('votes', { andOn: ['togglesOfOne', 'answerId'] })
  @Mutation(() => AnswerVoteResult, TOGGLES)
  upvoteAnswer(
    @Context() request: RequestContext,
    @Info() info: GraphQLResolveInfo,
    @CurrentViewer() viewer: Viewer,
    @Args('answerId', { type: () => ID }, IdPipe) answerId: string,
    @Args('userId', { type: () => ID, nullable: true }) userId?: string | null,
  ): Promise<AnswerVoteResult> {
    assertActsAsSelf(viewer, userId);
    return this.onAnswer({ request, info, viewer }, answerId, 'UP');
  }

  @SignedIn()
  @Limited('votes', { andOn: ['togglesOfOne', 'answerId'] })
  @Mutation(() => AnswerVoteResult, TOGGLES)
  downvoteAnswer(
    @Context() request: RequestContext,
    @Info() info: GraphQLResolveInfo,
    @CurrentViewer() viewer: Viewer,
    @Args('answerId', { type: () => ID }, IdPipe) answerId: string,
    @Args('userId', { type: () => ID, nullable: true }) userId?: string | null,
  ): Promise<AnswerVoteResult> {
    assertActsAsSelf(viewer, userId);
    return this.onAnswer({ request, info, viewer }, answerId, 'DOWN');
  }

  private async onQuestion(
    voteRequest: VoteRequest,
    postId: string,
    direction: VoteDirection,
  ): Promise<QuestionVoteResult> {
    const vote: Vote = { postType: 'QUESTION', postId, direction };
    const find = () => findQuestionById(this.pool, postId, voteRequest.viewer.studentId);
    return { _id: postId, question: await this.cast(voteRequest, vote, 'question', find) };
  }

  private async onAnswer(
    voteRequest: VoteRequest,
    postId: string,
    direction: VoteDirection,
  ): Promise<AnswerVoteResult> {
    const vote: Vote = { postType: 'ANSWER', postId, direction };
    const find = () => findAnswerById(this.pool, postId, voteRequest.viewer.studentId);
    return { _id: postId, answer: await this.cast(voteRequest, vote, 'answer', find) };
  }

  /** @returns the post after the vote as the voter sees it, or null if the query does not select it */
  private async cast<Post>(
    { request, info }: VoteRequest,
    vote: Vote,
    field: string,
    find: () => Promise<Post | null>,
  ): Promise<Post | null> {
    const context = commandContext(request, `vote:${vote.direction}`);
    await this.commands.execute(new ToggleVote(context, vote));
    return selectsField(info, field) ? this.readBack.read(context, vote, find) : null;
  }
}
