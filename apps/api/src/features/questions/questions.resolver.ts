import {
  Args,
  ArgsType,
  Context,
  Field,
  ID,
  Int,
  Mutation,
  ObjectType,
  Parent,
  Query,
  ResolveField,
  Resolver,
} from '@nestjs/graphql';
import { CommandBus } from '@nestjs/cqrs';
import { findQuestionById, findTopicById } from '@nimo/projections';
import { Pool } from 'pg';
import { validate } from 'uuid';
import { DateTimeScalar } from '../../platform/graphql/scalars.js';
import { Space, Subject } from '../spaces/space.types.js';
import { Author, visibleTo } from '../students/student.types.js';
import { Topic } from './topic.type.js';
import {
  assertActsAsSelf,
  assertStudentType,
  CurrentViewer,
  OptionalViewer,
  Public,
  SignedIn,
} from '../../platform/auth/access.js';
import { hasRole, type Viewer } from '../../platform/auth/viewer.js';
import { type CommandContext, commandContext } from '../../platform/commands/command-context.js';
import { assertFixedValue, parseId, IdPipe, parseOptionalId } from '../../platform/graphql/arguments.js';
import type { RequestContext } from '../../platform/auth/request-context.js';
import { Limited } from '../../platform/rate-limit/limited.js';
import { ReadBack, seenPostOf, SeenQuestion } from '../posts/read-back.js';
import { readerOf } from '../spaces/spaces.resolver.js';
import { OwnUploads } from '../uploads/own-uploads.js';
import { AcceptAnswer } from './commands/accept-answer.js';
import { AskQuestion, type NewQuestion } from './commands/ask-question.js';
import { DeleteQuestion, EditQuestion } from './commands/edit-question.js';

@ObjectType()
export class Reference {
  @Field(() => ID) readonly _id!: string;
}

@ObjectType()
export class PersonReference {
  @Field(() => ID) readonly _id!: string;
}

@ObjectType()
export class Confirmation {
  @Field(() => ID) readonly _id!: string;
}

@ObjectType()
export class Question {
  @Field(() => ID) readonly _id!: string;
  @Field(() => String) readonly title!: string;
  @Field(() => String, { description: 'Sanitised HTML.' }) readonly body!: string;
  @Field(() => String, {
    description:
      'Plain-text excerpt of the body for cards. Formulas are enclosed in dollar signs surrounded by U+2063. A dollar sign outside a formula may be followed by U+2060.',
  })
  readonly excerpt!: string;
  @Field(() => [String]) readonly tags!: readonly string[];
  @Field(() => [String]) readonly imageUrls!: readonly string[];
  @Field(() => DateTimeScalar) readonly createdAt!: string;
  @Field(() => DateTimeScalar, { nullable: true }) readonly editedAt!: string | null;
  @Field(() => Int) readonly upvoteCount!: number;
  @Field(() => Int) readonly downvoteCount!: number;
  @Field(() => Int) readonly answerCount!: number;
  @Field(() => Int) readonly commentsCount!: number;
  @Field(() => Reference, { nullable: true }) readonly acceptedAnswer!: Reference | null;
  @Field(() => Subject) readonly subject!: Subject;
  @Field(() => Topic) readonly topic!: Topic;
  @Field(() => String, { nullable: true }) readonly schoolClass!: string | null;
  @Field(() => Space) readonly space!: Space;
  @Field(() => String) readonly scope!: string;
  @Field(() => [PersonReference], { description: 'The caller if they upvoted, otherwise empty.' })
  readonly upvotedBy!: readonly PersonReference[];
  @Field(() => [PersonReference], { description: 'The caller if they downvoted, otherwise empty.' })
  readonly downvotedBy!: readonly PersonReference[];
  @Field(() => Author) readonly author!: Author;
  @Field(() => String) readonly obType!: string;
  @Field(() => Boolean, { description: 'Whether the caller saved it.' }) readonly isSaved!: boolean;
  @Field(() => Boolean) readonly isAuthorizedToView!: boolean;
  @Field(() => Boolean) readonly isAuthorizedToInteract!: boolean;
  /** Not a field: it would tell everyone who has left. */
  readonly isAuthorAway!: boolean;
}

@ObjectType()
export class QuestionPage {
  @Field(() => [Question]) readonly docs!: readonly Question[];
  @Field(() => Int) readonly page!: number;
  @Field(() => Int) readonly totalPages!: number;
  @Field(() => Int) readonly total!: number;
  @Field(() => String, { nullable: true }) readonly endCursor?: string | null;
}

@ArgsType()
class CreateQuestionArgs {
  @Field(() => ID, { description: 'Empty if none was chosen.' }) readonly subject!: string;
  @Field(() => String) readonly title!: string;
  @Field(() => ID, { description: 'Empty if none was chosen.' }) readonly topic!: string;
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
  @Field(() => String, { nullable: true, description: 'Unchanged if omitted.' }) readonly body?:
    | string
    | null;
  @Field(() => [String], { nullable: true, description: 'Unchanged if omitted.' }) readonly imageUrls?:
    | string[]
    | null;
  @Field(() => ID, { nullable: true }) readonly author?: string | null;
  @Field(() => String, { nullable: true }) readonly scope?: string | null;
  @Field(() => ID, { nullable: true }) readonly space?: string | null;
  @Field(() => SeenQuestion, { nullable: true }) readonly seen?: SeenQuestion | null;
}

@Resolver(() => Question)
export class QuestionsResolver {
  constructor(
    private readonly pool: Pool,
    private readonly commands: CommandBus,
    private readonly uploads: OwnUploads,
    private readonly readBack: ReadBack,
  ) {}

  @Public()
  @Query(() => Question, { nullable: true, description: 'Readable by everyone.' })
  async getQuestionById(
    @OptionalViewer() viewer: Viewer | null,
    @Args('questionId', { type: () => ID }, IdPipe) questionId: string,
  ): Promise<Question | null> {
    const { viewerId, moderated } = readerOf(viewer);
    const question = await findQuestionById(this.pool, questionId, viewerId, moderated);
    return question && visibleTo(viewer, question);
  }

  @SignedIn()
  @Query(() => Question, { nullable: true })
  getQuestionByIdWithUserAuthorization(
    @CurrentViewer() viewer: Viewer,
    @Args('questionId', { type: () => ID }, IdPipe) questionId: string,
    @Args('userType', { type: () => String, nullable: true }) userType?: string | null,
    @Args('userId', { type: () => ID, nullable: true }) userId?: string | null,
  ): Promise<Question | null> {
    assertActsAsSelf(viewer, userId);
    assertStudentType(userType);
    const { viewerId, moderated } = readerOf(viewer);
    return findQuestionById(this.pool, questionId, viewerId, moderated);
  }

  @SignedIn()
  @Limited('posts')
  @Mutation(() => Question, {
    nullable: true,
    description: 'Null while the read side is behind (`extensions.stale`).',
  })
  async createQuestion(
    @Context() request: RequestContext,
    @CurrentViewer() viewer: Viewer,
    @Args() args: CreateQuestionArgs,
  ): Promise<Question | null> {
    assertActsAsSelf(viewer, args.author);
    assertFixedValue('scope', args.scope, 'world');
    const { body = '', pictures, imageUrls = [] } = await this.uploads.assertOwnPost(args, viewer.studentId);
    const question: NewQuestion = {
      spaceId: parseId('space', args.space),
      // A malformed ID is refused like a missing choice.
      subjectId: args.subject.toLowerCase(),
      topic: await this.topic(args.topic),
      title: args.title,
      body,
      pictures,
      imageUrls,
    };
    const context = commandContext(request, 'createQuestion');
    return this.readBackQuestion(context, await this.commands.execute(new AskQuestion(context, question)));
  }

  @SignedIn()
  @Limited('posts', { andOn: ['editsOfOne', 'id'] })
  @Mutation(() => Question, {
    nullable: true,
    description:
      'Changes a question of the caller. Refused if the question no longer matches `seen`. Null if saved but not readable yet.',
  })
  async updateQuestion(
    @Context() request: RequestContext,
    @CurrentViewer() viewer: Viewer,
    @Args() args: UpdateQuestionArgs,
  ): Promise<Question | null> {
    assertActsAsSelf(viewer, args.author);
    assertFixedValue('scope', args.scope, 'world');
    const questionId = parseId('id', args.id);
    const content = await this.uploads.assertOwnPost(args, viewer.studentId, async () => {
      const question = await findQuestionById(this.pool, questionId, viewer.studentId);
      return question?.imageUrls;
    });
    const spaceId = parseOptionalId('space', args.space);
    const change = { questionId, spaceId, title: args.title, ...content, seen: seenPostOf(args.seen) };
    const context = commandContext(request, 'updateQuestion');
    await this.commands.execute(new EditQuestion(context, change));
    return this.readBackQuestion(context, questionId);
  }

  @SignedIn()
  @Limited('changes')
  @Mutation(() => Confirmation, {
    description: 'Deletes a question. For its author, or with a reason for moderators of the space.',
  })
  async deleteQuestionById(
    @Context() request: RequestContext,
    @Args('id', { type: () => ID }, IdPipe) id: string,
    @Args('reason', { type: () => String, nullable: true }) reason?: string | null,
  ): Promise<Confirmation> {
    await this.commands.execute(
      new DeleteQuestion(commandContext(request, 'deleteQuestionById'), id, reason ?? null),
    );
    return { _id: id };
  }

  @SignedIn()
  @Limited('changes')
  @Mutation(() => Confirmation, {
    description:
      'Accepts an answer while none is accepted; not for own answers. For the author of the question or, once the author has left the space or cannot sign in, a moderator of the space.',
  })
  async acceptAnswer(
    @Context() request: RequestContext,
    @Args('answerId', { type: () => ID }, IdPipe) answerId: string,
    @Args('questionId', { type: () => ID }, IdPipe) questionId: string,
  ): Promise<Confirmation> {
    await this.commands.execute(
      new AcceptAnswer(commandContext(request, 'acceptAnswer'), questionId, answerId),
    );
    return { _id: answerId };
  }

  @ResolveField(() => Boolean, {
    description:
      'Whether the caller may accept an answer to it: its author or, once the author has left, a moderator of the space.',
  })
  mayAccept(@Parent() question: Question, @Context() { viewer }: RequestContext): boolean {
    if (!viewer || question.acceptedAnswer) return false;
    if (question.author._id === viewer.studentId) return question.isAuthorizedToInteract;
    return question.isAuthorAway && hasRole(viewer, 'MODERATOR', question.space._id);
  }

  private readBackQuestion(context: CommandContext, postId: string): Promise<Question | null> {
    const find = () => findQuestionById(this.pool, postId, context.by.studentId);
    return this.readBack.read(context, { postType: 'QUESTION', postId }, find);
  }

  private async topic(topicId: string): Promise<NewQuestion['topic']> {
    const topic = validate(topicId) ? await findTopicById(this.pool, topicId.toLowerCase()) : null;
    return topic && { topicId: topic._id, subjectId: topic.subject._id, topicName: topic.topicName };
  }
}
