import { CommandHandler, Command, type ICommandHandler } from '@nestjs/cqrs';
import { aggregate, scoringRulesDecider, withdrawScoringRules, type Authority } from '@nimo/domain';
import type { CommandContext } from '../../../platform/commands/command-context.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';
import { RULES_VISIBLE_IN } from './publish-scoring-rules.js';

export interface Withdrawal {
  readonly version: number;
  readonly reason: string;
}

export class WithdrawScoringRules extends Command<void> {
  constructor(
    readonly context: CommandContext<Authority>,
    readonly withdrawal: Withdrawal,
  ) {
    super();
  }
}

@CommandHandler(WithdrawScoringRules)
export class WithdrawScoringRulesHandler implements ICommandHandler<WithdrawScoringRules> {
  constructor(private readonly commands: CommandRunner) {}

  async execute({ context, withdrawal }: WithdrawScoringRules): Promise<void> {
    const command = { ...withdrawal, by: context.by, now: this.commands.now() };
    await this.commands.run(context, {
      on: aggregate(scoringRulesDecider),
      decide: (state) => withdrawScoringRules(command, state),
      visibleIn: RULES_VISIBLE_IN,
    });
  }
}
