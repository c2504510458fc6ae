import { CommandHandler, Command, type ICommandHandler } from '@nestjs/cqrs';
import { aggregate, DomainError, type PatternVerdict, triageDecider, triagePattern } from '@nimo/domain';
import type { CommandContext } from '../../../platform/commands/command-context.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';
import { PatternDesk } from '../pattern-desk.js';

export interface Triage {
  readonly spaceId: string;
  readonly patternId: string;
  readonly verdict: PatternVerdict;
  /** What the moderator saw of the pattern. */
  readonly seen: { readonly revision: number; readonly voteCount: number };
}

/** Says what a moderator makes of a vote pattern. */
export class TriageVotePattern extends Command<void> {
  constructor(
    readonly context: CommandContext,
    readonly triage: Triage,
  ) {
    super();
  }
}

@CommandHandler(TriageVotePattern)
export class TriageVotePatternHandler implements ICommandHandler<TriageVotePattern> {
  constructor(
    private readonly commands: CommandRunner,
    private readonly desk: PatternDesk,
  ) {}

  async execute({
    context,
    triage: { spaceId, patternId, verdict, seen },
  }: TriageVotePattern): Promise<void> {
    // What it is, the votes say and never the caller: nobody triages a pattern that is not there.
    const found = (await this.desk.patternsFor(context.by, spaceId)).find(({ id }) => id === patternId);
    if (!found) throw new DomainError('PATTERN_NOT_FOUND');
    const { kind, votes, studentIds } = found;
    await this.commands.run(context, {
      on: aggregate(triageDecider, spaceId, patternId),
      decide: (state) =>
        triagePattern(
          {
            ...{ actor: context.by, spaceId, verdict, seen },
            pattern: { patternId, kind, voteCount: votes, studentIds },
          },
          state,
        ),
      visibleIn: ['patterns'],
    });
  }
}
