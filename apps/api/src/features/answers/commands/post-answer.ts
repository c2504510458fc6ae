import { CommandHandler, Command, type ICommandHandler } from '@nestjs/cqrs';
import { aggregate, answerDecider, DomainError, membershipDecider, postAnswer } from '@nimo/domain';
import { createdId, type CommandContext } from '../../../platform/commands/command-context.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';
import { acceptedBody } from '../../../platform/rich-text/accepted-body.js';
import { PostLocator } from '../../posts/post-locator.js';
import { isMember, isQuestionRemoved, standingAggregates } from '../../posts/post-standing.js';

export interface NewAnswer {
  readonly questionId: string;
  readonly body: string;
  /** Locations that may stand in the body: whose they are was asked at the edge. Without, none may. */
  readonly pictures?: readonly string[];
  readonly imageUrls: readonly string[];
}

/** Answers with the answer's id. */
export class PostAnswer extends Command<string> {
  constructor(
    readonly context: CommandContext,
    readonly answer: NewAnswer,
  ) {
    super();
  }
}

@CommandHandler(PostAnswer)
export class PostAnswerHandler implements ICommandHandler<PostAnswer> {
  constructor(
    private readonly commands: CommandRunner,
    private readonly posts: PostLocator,
  ) {}

  async execute({ context, answer }: PostAnswer): Promise<string> {
    const { by } = context;
    const { questionId, imageUrls, pictures } = answer;
    const question = await this.posts.find('QUESTION', questionId);
    if (!question) throw new DomainError('QUESTION_NOT_FOUND');
    const { spaceId, postAuthorId: authorId } = question;
    const answerId = createdId(context, 'answer');
    const body = acceptedBody(answer.body, pictures);
    await this.commands.run(context, {
      on: aggregate(answerDecider, answerId),
      reads: [...standingAggregates(question), aggregate(membershipDecider, spaceId, by.studentId)],
      decide: (state, streams) => {
        const command = {
          actor: by,
          isMember: isMember(streams, spaceId, by.studentId),
          answerId,
          question: { questionId, spaceId, authorId, removed: isQuestionRemoved(streams, questionId) },
          body,
          imageUrls,
        };
        return postAnswer(command, state);
      },
      visibleIn: ['questions'],
    });
    return answerId;
  }
}
