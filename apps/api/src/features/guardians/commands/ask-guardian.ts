import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import {
  aggregate,
  answerAsGuardian,
  askGuardian,
  membershipDecider,
  spaceDecider,
  studentDecider,
} from '@nimo/domain';
import {
  deterministicId,
  type CommandContext,
  systemContext,
} from '../../../platform/commands/command-context.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';

/** The consent request behind a link. */
export interface GuardianLink {
  /** Id of the consent request in the log. */
  readonly id: string;
  readonly spaceId: string;
  readonly studentId: string;
}

/** Requests guardian consent for the context's student. Returns the id of the request. */
export class AskGuardian extends Command<string> {
  constructor(
    readonly context: CommandContext,
    readonly spaceId: string,
  ) {
    super();
  }
}

@CommandHandler(AskGuardian)
export class AskGuardianHandler implements ICommandHandler<AskGuardian> {
  constructor(private readonly commands: CommandRunner) {}

  async execute({ context, spaceId }: AskGuardian): Promise<string> {
    const space = aggregate(spaceDecider, spaceId);
    const consentId = deterministicId(context, 'guardian-consent');
    await this.commands.run(context, {
      on: aggregate(membershipDecider, spaceId, context.by.studentId),
      reads: [space],
      decide: (state, streams) => {
        const consentAge = streams.state(space)?.consentAge;
        return askGuardian({ actor: context.by, spaceId, consentAge, consentId }, state);
      },
      visibleIn: ['spaces'],
    });
    return consentId;
  }
}

/** Records a guardian's answer. The log does not know guardians, so the system is the actor. */
export class AnswerAsGuardian extends Command<void> {
  constructor(
    readonly link: GuardianLink,
    readonly isGiven: boolean,
    readonly termsVersion: string,
  ) {
    super();
  }
}

@CommandHandler(AnswerAsGuardian)
export class AnswerAsGuardianHandler implements ICommandHandler<AnswerAsGuardian> {
  constructor(private readonly commands: CommandRunner) {}

  async execute({ link, isGiven, termsVersion }: AnswerAsGuardian): Promise<void> {
    const { id: consentId, spaceId, studentId } = link;
    const student = aggregate(studentDecider, studentId);
    await this.commands.run(systemContext(), {
      on: aggregate(membershipDecider, spaceId, studentId),
      reads: [student],
      decide: (state, streams) => {
        const isThere = streams.state(student)?.erased === false;
        const answer = { spaceId, studentId, consentId, isThere, isGiven, termsVersion };
        return answerAsGuardian(answer, state);
      },
    });
  }
}
