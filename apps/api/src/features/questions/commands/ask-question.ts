import { CommandHandler, Command, type ICommandHandler } from '@nestjs/cqrs';
import {
  askQuestion,
  evolveQuestion,
  evolveSpace,
  findSubject,
  initialQuestion,
  initialSpace,
  membershipStream,
  questionStream,
  spaceStream,
} from '@nimo/domain';
import { createdId, type CommandContext } from '../../../platform/commands/command-context.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';
import { acceptedBody } from '../../../platform/rich-text/accepted-body.js';
import { isMember } from '../../posts/post-standing.js';

export interface NewQuestion {
  readonly spaceId: string;
  readonly subjectId: string;
  /** Null where none was chosen. What a topic is called and where it belongs never changes, so it is looked up at the edge. */
  readonly topic: { readonly topicId: string; readonly subjectId: string; readonly topicName: string } | null;
  readonly title: string;
  readonly body: string;
  readonly imageUrls: readonly string[];
  /** The source's, for an import. */
  readonly tags?: readonly string[];
}

/** Answers with the question's id. */
export class AskQuestion extends Command<string> {
  constructor(
    readonly context: CommandContext,
    readonly question: NewQuestion,
  ) {
    super();
  }
}

@CommandHandler(AskQuestion)
export class AskQuestionHandler implements ICommandHandler<AskQuestion> {
  constructor(private readonly commands: CommandRunner) {}

  async execute({ context, question }: AskQuestion): Promise<string> {
    const { by } = context;
    const { spaceId, subjectId, ...content } = question;
    const questionId = createdId(context, 'question');
    const streamId = questionStream(questionId);
    const body = acceptedBody(question.body);
    await this.commands.run(context, {
      streams: [streamId, spaceStream(spaceId), membershipStream(spaceId, by.studentId)],
      decide: (streams) => {
        const space = streams.state(spaceStream(spaceId), initialSpace, evolveSpace);
        const events = askQuestion(
          {
            ...content,
            actor: by,
            isMember: isMember(streams, spaceId, by.studentId),
            questionId,
            spaceId,
            subject: findSubject(space, subjectId) ?? null,
            body,
          },
          streams.state(streamId, initialQuestion, evolveQuestion),
        );
        return { streamId, events };
      },
      visibleIn: ['questions'],
    });
    return questionId;
  }
}
