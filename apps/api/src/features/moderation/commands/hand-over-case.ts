import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import {
  aggregate,
  handOverReports,
  isModeratorOf,
  studentDecider,
  type SeenCase,
  type Student,
} from '@nimo/domain';
import type { CaseStanding } from '@nimo/projections';
import type { CommandContext } from '../../../platform/commands/command-context.js';
import type { DomainStreams } from '../../../platform/commands/domain-streams.js';
import { CaseDecisions } from '../case-decisions.js';

export interface HandOver {
  readonly seen: SeenCase;
  /** Null gives the case back to all. */
  readonly toModeratorId: string | null;
  readonly note: string;
}

export class HandOverCase extends Command<void> {
  constructor(
    readonly context: CommandContext,
    readonly standing: CaseStanding,
    readonly given: HandOver,
  ) {
    super();
  }
}

@CommandHandler(HandOverCase)
export class HandOverCaseHandler implements ICommandHandler<HandOverCase> {
  constructor(private readonly decisions: CaseDecisions) {}

  execute({ context, standing, given: { seen, toModeratorId, note } }: HandOverCase): Promise<void> {
    const colleague = (streams: DomainStreams) =>
      toModeratorId === null
        ? null
        : {
            studentId: toModeratorId,
            moderates: moderates(streams.state(aggregate(studentDecider, toModeratorId)), standing.spaceId),
          };
    return this.decisions.run(context, {
      standing,
      seen,
      reads: toModeratorId === null ? [] : [aggregate(studentDecider, toModeratorId)],
      decide: (facts, state, streams) => handOverReports({ ...facts, to: colleague(streams), note }, state),
    });
  }
}

const moderates = (student: Student | undefined, spaceId: string): boolean =>
  student !== undefined &&
  student.registered &&
  !student.blocked &&
  !student.erased &&
  isModeratorOf({ kind: 'student', ...student }, spaceId);
