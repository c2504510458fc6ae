import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import {
  aggregate,
  type Authority,
  publishScoringRules,
  type ScoringRules,
  scoringRulesDecider,
  withdrawScoringRules,
} from '@nimo/domain';
import type { CommandContext } from '../../../platform/commands/command-context.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';

/** Projections that show new rules. */
export const RULES_VISIBLE_IN: readonly string[] = ['leaderboard'];

interface NewScoringRules extends Omit<ScoringRules, 'version'> {
  /** Latest version the author saw. */
  readonly basedOn: number;
}

export class PublishScoringRules extends Command<void> {
  constructor(
    readonly context: CommandContext<Authority>,
    readonly rules: NewScoringRules,
  ) {
    super();
  }
}

@CommandHandler(PublishScoringRules)
export class PublishScoringRulesHandler implements ICommandHandler<PublishScoringRules> {
  constructor(private readonly commands: CommandRunner) {}

  async execute({ context, rules }: PublishScoringRules): Promise<void> {
    const command = { ...rules, by: context.by, now: this.commands.now() };
    await this.commands.run(context, {
      on: aggregate(scoringRulesDecider),
      decide: (state) => publishScoringRules(command, state),
      visibleIn: RULES_VISIBLE_IN,
    });
  }
}

interface Withdrawal {
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
