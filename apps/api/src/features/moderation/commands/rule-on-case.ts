import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import {
  aggregate,
  dismissReports,
  handOverReports,
  isModeratorOf,
  reverseUpholding,
  type Penalty,
  type SeenCase,
  type Student,
  studentDecider,
  upholdReports,
} from '@nimo/domain';
import type { CaseSummary } from '@nimo/projections';
import type { CommandContext } from '../../../platform/commands/command-context.js';
import { CaseDecisions } from '../moderation-cases.js';
import type { DomainStreams } from '../../../platform/commands/domain-streams.js';

export type Ruling = { readonly seen: SeenCase; readonly reason: string } & (
  | { readonly action: 'uphold'; readonly penalty: Penalty }
  | { readonly action: 'dismiss' | 'reverse' }
);

/** Removes a reported post, dismisses its reports, or reverses its removal. */
export class RuleOnCase extends Command<void> {
  constructor(
    readonly context: CommandContext,
    readonly summary: CaseSummary,
    readonly ruling: Ruling,
  ) {
    super();
  }
}

@CommandHandler(RuleOnCase)
export class RuleOnCaseHandler implements ICommandHandler<RuleOnCase> {
  constructor(private readonly decisions: CaseDecisions) {}

  execute({ context, summary, ruling }: RuleOnCase): Promise<void> {
    const { seen, reason } = ruling;
    return this.decisions.run(context, {
      summary,
      seen,
      decide: (facts, state) => {
        switch (ruling.action) {
          case 'uphold':
            return upholdReports({ ...facts, reason, penalty: ruling.penalty }, state);
          case 'dismiss':
            return dismissReports({ ...facts, reason }, state);
          case 'reverse':
            return reverseUpholding({ ...facts, reason }, state);
        }
      },
    });
  }
}

interface Assignment {
  readonly seen: SeenCase;
  /** Null unassigns the case. */
  readonly toModeratorId: string | null;
  readonly note: string;
}

export class AssignCase extends Command<void> {
  constructor(
    readonly context: CommandContext,
    readonly summary: CaseSummary,
    readonly assignment: Assignment,
  ) {
    super();
  }
}

@CommandHandler(AssignCase)
export class AssignCaseHandler implements ICommandHandler<AssignCase> {
  constructor(private readonly decisions: CaseDecisions) {}

  execute({ context, summary, assignment: { seen, toModeratorId, note } }: AssignCase): Promise<void> {
    const colleague = (streams: DomainStreams) =>
      toModeratorId === null
        ? null
        : {
            studentId: toModeratorId,
            moderates: moderates(streams.state(aggregate(studentDecider, toModeratorId)), summary.spaceId),
          };
    return this.decisions.run(context, {
      summary,
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
