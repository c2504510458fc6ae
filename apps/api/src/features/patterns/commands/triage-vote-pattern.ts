import { CommandHandler, Command, type ICommandHandler } from '@nestjs/cqrs';
import { aggregate, DomainError, type PatternVerdict, triageDecider, triagePattern } from '@nimo/domain';
import type { CommandContext } from '../../../platform/commands/command-context.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';
import { VotePatterns } from '../vote-patterns.js';

export interface Triage {
  readonly spaceId: string;
  readonly patternId: string;
  readonly verdict: PatternVerdict;
  /** State of the pattern the moderator saw. */
  readonly seen: { readonly revision: number; readonly voteCount: number };
}

/** Records a moderator's verdict on a vote pattern. */
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
    private readonly patterns: VotePatterns,
  ) {}

  async execute({
    context,
    triage: { spaceId, patternId, verdict, seen },
  }: TriageVotePattern): Promise<void> {
    // Detected from the votes, never taken from the caller.
    const found = (await this.patterns.patternsFor(context.by, spaceId)).find(({ id }) => id === patternId);
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
