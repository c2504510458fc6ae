import { CommandHandler, Command, type ICommandHandler } from '@nestjs/cqrs';
import {
  type AcceptAnswer as AcceptAnswerCommand,
  acceptAnswer,
  aggregate,
  answerDecider,
  DomainError,
  membershipDecider,
  moderationDecider,
  canSignIn,
  questionDecider,
  studentDecider,
} from '@nimo/domain';
import type { DomainStreams } from '../../../platform/commands/domain-streams.js';
import type { CommandContext } from '../../../platform/commands/command-context.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';
import { PostLocator } from '../../posts/post-locator.js';
import { isAnswerRemoved, isMember, isUpheld, removalAggregates } from '../../posts/post-facts.js';

export class AcceptAnswer extends Command<void> {
  constructor(
    readonly context: CommandContext,
    readonly questionId: string,
    readonly answerId: string,
  ) {
    super();
  }
}

@CommandHandler(AcceptAnswer)
export class AcceptAnswerHandler implements ICommandHandler<AcceptAnswer> {
  constructor(
    private readonly commands: CommandRunner,
    private readonly posts: PostLocator,
  ) {}

  async execute({ context, questionId, answerId }: AcceptAnswer): Promise<void> {
    const { by } = context;
    const question = await this.posts.find('QUESTION', questionId);
    if (!question) throw new DomainError('QUESTION_NOT_FOUND');
    const answer = await this.posts.find('ANSWER', answerId);
    if (!answer) throw new DomainError('ANSWER_NOT_FOUND');
    const previousId = await this.findAcceptedId(questionId);
    await this.commands.run(context, {
      on: aggregate(questionDecider, questionId),
      reads: [
        ...removalAggregates(question),
        ...removalAggregates(answer),
        aggregate(membershipDecider, question.spaceId, by.studentId),
        aggregate(membershipDecider, question.spaceId, question.postAuthorId),
        aggregate(studentDecider, question.postAuthorId),
        ...(previousId
          ? [aggregate(answerDecider, previousId), aggregate(moderationDecider, previousId)]
          : []),
      ],
      decide: (state, streams) => {
        const answerState = streams.state(aggregate(answerDecider, answerId));
        const command = {
          actor: by,
          isMember: isMember(streams, question.spaceId, by.studentId),
          isAuthorAway: isAway(streams, question.spaceId, question.postAuthorId),
          removedByModerator: isUpheld(streams, questionId),
          answer: answerState && { ...answerState, removed: isAnswerRemoved(streams, answerId) },
          // An answer accepted concurrently is not `previous`; the retry reads its stream.
          previous: previousFacts(streams, previousId),
        };
        return acceptAnswer(command, state);
      },
      visibleIn: ['questions'],
    });
  }

  /** ID of the previously accepted answer. Whether it was removed is in its own stream, which must be named before deciding. */
  private async findAcceptedId(questionId: string): Promise<string | null> {
    const state = await this.commands.state(aggregate(questionDecider, questionId));
    return state?.acceptedAnswerId ?? null;
  }
}

function isAway(streams: DomainStreams, spaceId: string, studentId: string): boolean {
  const { isMember: isStillMember } = streams.state(aggregate(membershipDecider, spaceId, studentId));
  return !isStillMember || !canSignIn(streams.state(aggregate(studentDecider, studentId)));
}

function previousFacts(streams: DomainStreams, answerId: string | null): AcceptAnswerCommand['previous'] {
  const answer = answerId === null ? undefined : streams.state(aggregate(answerDecider, answerId));
  return (
    answer && {
      answerId: answer.answerId,
      authorId: answer.authorId,
      removed: isAnswerRemoved(streams, answer.answerId),
    }
  );
}
