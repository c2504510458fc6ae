import { CommandHandler, Command, type ICommandHandler } from '@nestjs/cqrs';
import {
  answerStream,
  DomainError,
  evolveAnswer,
  initialAnswer,
  membershipStream,
  postAnswer,
} from '@nimo/domain';
import { createdId, type CommandContext } from '../../../platform/commands/command-context.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';
import { acceptedBody } from '../../../platform/rich-text/accepted-body.js';
import { PostLocator } from '../../posts/post-locator.js';
import { isMember, isQuestionRemoved, standingStreams } from '../../posts/post-standing.js';

export interface NewAnswer {
  readonly questionId: string;
  readonly body: string;
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
    const { questionId, imageUrls } = answer;
    const question = await this.posts.find('QUESTION', questionId);
    if (!question) throw new DomainError('QUESTION_NOT_FOUND');
    const { spaceId, postAuthorId: authorId } = question;
    const answerId = createdId(context, 'answer');
    const streamId = answerStream(answerId);
    const body = acceptedBody(answer.body);
    await this.commands.run(context, {
      streams: [streamId, ...standingStreams(question), membershipStream(spaceId, by.studentId)],
      decide: (streams) => {
        const command = {
          actor: by,
          isMember: isMember(streams, spaceId, by.studentId),
          answerId,
          question: { questionId, spaceId, authorId, removed: isQuestionRemoved(streams, questionId) },
          body,
          imageUrls,
        };
        return {
          streamId,
          events: postAnswer(command, streams.state(streamId, initialAnswer, evolveAnswer)),
        };
      },
      visibleIn: ['questions'],
    });
    return answerId;
  }
}
