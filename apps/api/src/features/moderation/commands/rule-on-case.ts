import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { dismissReports, reverseUpholding, upholdReports, type SeenCase } from '@nimo/domain';
import type { CaseStanding } from '@nimo/projections';
import type { CommandContext } from '../../../platform/commands/command-context.js';
import { CaseDecisions } from '../case-decisions.js';

const RULINGS = { uphold: upholdReports, dismiss: dismissReports, reverse: reverseUpholding };

export interface Ruling {
  readonly ruling: keyof typeof RULINGS;
  readonly seen: SeenCase;
  readonly reason: string;
}

/** Removes a reported post, lets it stand, or takes its removal back. */
export class RuleOnCase extends Command<void> {
  constructor(
    readonly context: CommandContext,
    readonly standing: CaseStanding,
    readonly given: Ruling,
  ) {
    super();
  }
}

@CommandHandler(RuleOnCase)
export class RuleOnCaseHandler implements ICommandHandler<RuleOnCase> {
  constructor(private readonly decisions: CaseDecisions) {}

  execute({ context, standing, given: { ruling, seen, reason } }: RuleOnCase): Promise<void> {
    return this.decisions.run(context, {
      standing,
      seen,
      decide: (facts, state) => RULINGS[ruling]({ ...facts, reason }, state),
    });
  }
}
