import { CommandHandler, Command, type ICommandHandler } from '@nestjs/cqrs';
import {
  aggregate,
  askQuestion,
  findSubject,
  membershipDecider,
  questionDecider,
  spaceDecider,
} from '@nimo/domain';
import { deterministicId, type CommandContext } from '../../../platform/commands/command-context.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';
import { acceptedBody } from '../../../platform/rich-text/accepted-body.js';
import { isMember } from '../../posts/post-facts.js';

export interface NewQuestion {
  readonly spaceId: string;
  readonly subjectId: string;
  /** Null if none was chosen. The resolver looks it up: name and subject of a topic never change. */
  readonly topic: { readonly topicId: string; readonly subjectId: string; readonly topicName: string } | null;
  readonly title: string;
  readonly body: string;
  /** Picture locations allowed in the body; the resolver has checked their owner. Defaults to none. */
  readonly pictures?: readonly string[];
  readonly imageUrls: readonly string[];
  /** Tags from the source of an import. */
  readonly tags?: readonly string[];
}

/** Asks a question; returns its ID. */
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
    const questionId = deterministicId(context, 'question');
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
