import { CommandBus } from '@nestjs/cqrs';
import { Args, ArgsType, Context, Field, ID, Mutation, Query, Resolver } from '@nestjs/graphql';
import { findQuestionById, findTopicById } from '@nimo/projections';
import { Pool } from 'pg';
import { validate } from 'uuid';
import { CurrentViewer, OptionalViewer, Public, SignedIn } from '../../platform/auth/access.js';
import { assertActsAsSelf } from '../../platform/auth/acting-as.js';
import type { Viewer } from '../../platform/auth/viewer.js';
import { commandOf } from '../../platform/commands/command-context.js';
import { IdPipe, idOf } from '../../platform/graphql/id.pipe.js';
import type { RequestContext } from '../../platform/graphql/request-context.js';
import { Limited } from '../../platform/rate-limit/limited.js';
import { asReadBy } from '../students/as-read-by.js';
import { OwnUploads } from '../uploads/own-uploads.js';
import { AcceptAnswer } from './commands/accept-answer.js';
import { AskQuestion, type NewQuestion } from './commands/ask-question.js';
import { DeleteQuestion } from './commands/delete-question.js';
import { EditQuestion } from './commands/edit-question.js';
import { Question } from './question.type.js';
import { Confirmation } from './reference.type.js';

@ArgsType()
class CreateQuestionArgs {
  @Field(() => ID, { description: 'Empty where none was chosen.' }) readonly subject!: string;
  @Field(() => String) readonly title!: string;
  @Field(() => ID, { description: 'Empty where none was chosen.' }) readonly topic!: string;
  @Field(() => ID) readonly space!: string;
  @Field(() => String, { nullable: true }) readonly body?: string | null;
  @Field(() => [String], { nullable: true }) readonly imageUrls?: string[] | null;
  @Field(() => ID, { nullable: true }) readonly author?: string | null;
  @Field(() => String, { nullable: true }) readonly scope?: string | null;
}

@ArgsType()
class UpdateQuestionArgs {
  @Field(() => ID) readonly id!: string;
  @Field(() => String) readonly title!: string;
  @Field(() => String, { nullable: true, description: 'Left out: it stays.' }) readonly body?: string | null;
  @Field(() => [String], { nullable: true, description: 'Left out: they stay.' }) readonly imageUrls?:
    string[] | null;
  @Field(() => ID, { nullable: true }) readonly author?: string | null;
  @Field(() => String, { nullable: true }) readonly scope?: string | null;
  @Field(() => ID, { nullable: true }) readonly space?: string | null;
}

@Resolver(() => Question)
export class QuestionsResolver {
  constructor(
    private readonly pool: Pool,
    private readonly commands: CommandBus,
    private readonly uploads: OwnUploads,
  ) {}

  @Public()
  @Query(() => Question, { nullable: true, description: 'Public read.' })
  async getQuestionById(
    @OptionalViewer() viewer: Viewer | null,
    @Args('questionId', { type: () => ID }, IdPipe) questionId: string,
  ): Promise<Question | null> {
    const question = await findQuestionById(this.pool, questionId, viewer?.studentId ?? null);
    return question && asReadBy(viewer, question);
  }

  @SignedIn()
  @Query(() => Question, { nullable: true })
  getQuestionByIdWithUserAuthorization(
    @CurrentViewer() viewer: Viewer,
    @Args('questionId', { type: () => ID }, IdPipe) questionId: string,
    @Args('userType', { type: () => String, nullable: true }) _userType?: string | null,
    @Args('userId', { type: () => ID, nullable: true }) userId?: string | null,
  ): Promise<Question | null> {
    assertActsAsSelf(viewer, userId);
    return findQuestionById(this.pool, questionId, viewer.studentId);
  }

  @SignedIn()
  @Limited('posts')
  @Mutation(() => Question, {
    nullable: true,
    description: 'Null while the read side has not got there (`extensions.stale`).',
  })
  async createQuestion(
    @Context() request: RequestContext,
    @CurrentViewer() viewer: Viewer,
    @Args() args: CreateQuestionArgs,
  ): Promise<Question | null> {
    assertActsAsSelf(viewer, args.author);
    await this.uploads.assertOwn(args.imageUrls ?? [], viewer.studentId);
    const question: NewQuestion = {
      spaceId: idOf('space', args.space),
      subjectId: args.subject,
      topic: await this.topic(args.topic),
      title: args.title,
      body: args.body ?? '',
      imageUrls: args.imageUrls ?? [],
    };
    const questionId = await this.commands.execute(
      new AskQuestion(commandOf(request, 'createQuestion'), question),
    );
    return findQuestionById(this.pool, questionId, viewer.studentId);
  }

  @SignedIn()
  @Limited('posts', { andOn: ['editsOfOne', 'id'] })
  @Mutation(() => Question, { nullable: true })
  async updateQuestion(
    @Context() request: RequestContext,
    @CurrentViewer() viewer: Viewer,
    @Args() args: UpdateQuestionArgs,
  ): Promise<Question | null> {
    assertActsAsSelf(viewer, args.author);
    const questionId = idOf('id', args.id);
    await this.assertOwnImages(args.imageUrls ?? [], viewer, questionId);
    const { title } = args;
    const change = {
      questionId,
      title,
      body: args.body ?? undefined,
      imageUrls: args.imageUrls ?? undefined,
    };
    await this.commands.execute(new EditQuestion(commandOf(request, 'updateQuestion'), change));
    return findQuestionById(this.pool, questionId, viewer.studentId);
  }

  @SignedIn()
  @Limited('changes')
  @Mutation(() => Confirmation, {
    description: 'By the author, or by a moderator of the space with a reason.',
  })
  async deleteQuestionById(
    @Context() request: RequestContext,
    @Args('id', { type: () => ID }, IdPipe) id: string,
    @Args('reason', { type: () => String, nullable: true }) reason?: string | null,
  ): Promise<Confirmation> {
    await this.commands.execute(
      new DeleteQuestion(commandOf(request, 'deleteQuestionById'), id, reason ?? null),
    );
    return { _id: id };
  }

  @SignedIn()
  @Limited('changes')
  @Mutation(() => Confirmation, {
    description: "By the question's author, while none is accepted, never an own answer.",
  })
  async acceptAnswer(
    @Context() request: RequestContext,
    @Args('answerId', { type: () => ID }, IdPipe) answerId: string,
    @Args('questionId', { type: () => ID }, IdPipe) questionId: string,
  ): Promise<Confirmation> {
    await this.commands.execute(new AcceptAnswer(commandOf(request, 'acceptAnswer'), questionId, answerId));
    return { _id: answerId };
  }

  /** What the question shows already stays, wherever it came from. */
  private async assertOwnImages(imageUrls: string[], viewer: Viewer, questionId: string): Promise<void> {
    if (imageUrls.length === 0) return;
    const shown = (await findQuestionById(this.pool, questionId, viewer.studentId))?.imageUrls ?? [];
    await this.uploads.assertOwn(
      imageUrls.filter((url) => !shown.includes(url)),
      viewer.studentId,
    );
  }

  private async topic(topicId: string): Promise<NewQuestion['topic']> {
    const topic = validate(topicId) ? await findTopicById(this.pool, topicId.toLowerCase()) : null;
    return topic && { topicId: topic._id, subjectId: topic.subject._id, topicName: topic.topicName };
  }
}
