import { CommandHandler, Command, type ICommandHandler } from '@nestjs/cqrs';
import {
  aggregate,
  askQuestion,
  findSubject,
  membershipDecider,
  questionDecider,
  spaceDecider,
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
  /** Locations that may stand in the body: whose they are was asked at the edge. Without, none may. */
  readonly pictures?: readonly string[];
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
    const { spaceId, subjectId, pictures, ...content } = question;
    const questionId = createdId(context, 'question');
    const body = acceptedBody(question.body, pictures);
    await this.commands.run(context, {
      on: aggregate(questionDecider, questionId),
      reads: [aggregate(spaceDecider, spaceId), aggregate(membershipDecider, spaceId, by.studentId)],
      decide: (state, streams) => {
        const space = streams.state(aggregate(spaceDecider, spaceId));
        return askQuestion(
          {
            ...content,
            actor: by,
            isMember: isMember(streams, spaceId, by.studentId),
            questionId,
            spaceId,
            subject: findSubject(space, subjectId) ?? null,
            body,
          },
          state,
        );
      },
      visibleIn: ['questions'],
    });
    return questionId;
  }
}
