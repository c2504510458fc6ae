import { Args, Context, ID, Info, Mutation, Resolver, Field, ObjectType } from '@nestjs/graphql';
import { findAnswerById, findQuestionById } from '@nimo/projections';
import type { GraphQLResolveInfo } from 'graphql';
import { Pool } from 'pg';
import { assertActsAsSelf, CurrentViewer, SignedIn } from '../../platform/auth/access.js';
import type { Viewer } from '../../platform/auth/viewer.js';
import { IdPipe } from '../../platform/graphql/arguments.js';
import type { RequestContext } from '../../platform/graphql/request-context.js';
import { Limited } from '../../platform/rate-limit/limited.js';
import { CastVotes, type VotedPost } from './cast-votes.js';
import type { Vote } from './commands/toggle-vote.js';
import { Answer } from '../answers/answer.type.js';
import { Question } from '../questions/questions.resolver.js';

@ObjectType()
class QuestionVoteResult {
  @Field(() => ID) readonly _id!: string;
  @Field(() => Question, {
    nullable: true,
    description:
      'As the caller sees it after the vote. Null while the read side has not got there (`extensions.stale`).',
  })
  readonly question!: Question | null;
}

@ObjectType()
class AnswerVoteResult {
  @Field(() => ID) readonly _id!: string;
  @Field(() => Answer, {
    nullable: true,
    description:
      'As the caller sees it after the vote. Null while the read side has not got there (`extensions.stale`).',
  })
  readonly answer!: Answer | null;
}

/** What is told of the post may be no more than was asked for. */
type Answered<Result> = {
  readonly [F in keyof Result]: Result[F] extends string ? string : VotedPost | null;
};

const TOGGLES = { description: "Toggles the caller's vote; it replaces the opposite one." };

@Resolver()
export class VotesResolver {
  constructor(
    private readonly pool: Pool,
    private readonly votes: CastVotes,
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
  ): Promise<Answered<QuestionVoteResult>> {
    assertActsAsSelf(viewer, userId);
    return this.onQuestion(request, info, { postId: questionId, direction: 'UP' });
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
  ): Promise<Answered<QuestionVoteResult>> {
    assertActsAsSelf(viewer, userId);
    return this.onQuestion(request, info, { postId: questionId, direction: 'DOWN' });
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
  ): Promise<Answered<AnswerVoteResult>> {
    assertActsAsSelf(viewer, userId);
    return this.onAnswer(request, info, { postId: answerId, direction: 'UP' });
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
  ): Promise<Answered<AnswerVoteResult>> {
    assertActsAsSelf(viewer, userId);
    return this.onAnswer(request, info, { postId: answerId, direction: 'DOWN' });
  }

  private onQuestion(
    request: RequestContext,
    info: GraphQLResolveInfo,
    vote: Omit<Vote, 'postType'>,
  ): Promise<Answered<QuestionVoteResult>> {
    const find = (id: string, viewerId: string) => findQuestionById(this.pool, id, viewerId);
    return this.votes.cast({
      request,
      info,
      vote: { ...vote, postType: 'QUESTION' },
      field: 'question',
      find,
    });
  }

  private onAnswer(
    request: RequestContext,
    info: GraphQLResolveInfo,
    vote: Omit<Vote, 'postType'>,
  ): Promise<Answered<AnswerVoteResult>> {
    const find = (id: string, viewerId: string) => findAnswerById(this.pool, id, viewerId);
    return this.votes.cast({ request, info, vote: { ...vote, postType: 'ANSWER' }, field: 'answer', find });
  }
}
