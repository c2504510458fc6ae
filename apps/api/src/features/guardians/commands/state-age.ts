import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { aggregate, forgetAge, membershipDecider, spaceDecider, stateAge, type AgeBand } from '@nimo/domain';
import { STAFF_ACTION_PROJECTIONS } from '../../staff-actions/own-staff-actions.js';
import type { CommandContext } from '../../../platform/commands/command-context.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';

/** States the age band of the context's student. */
export class StateAge extends Command<void> {
  constructor(
    readonly context: CommandContext,
    readonly spaceId: string,
    readonly band: AgeBand,
  ) {
    super();
  }
}

@CommandHandler(StateAge)
export class StateAgeHandler implements ICommandHandler<StateAge> {
  constructor(private readonly commands: CommandRunner) {}

  async execute({ context, spaceId, band }: StateAge): Promise<void> {
    const space = aggregate(spaceDecider, spaceId);
    await this.commands.run(context, {
      on: aggregate(membershipDecider, spaceId, context.by.studentId),
      reads: [space],
      decide: (state, streams) => {
        const consentAge = streams.state(space)?.consentAge;
        return stateAge({ actor: context.by, spaceId, consentAge, band }, state);
      },
      visibleIn: ['spaces'],
    });
  }
}

/** Lets a student state their age again. For moderators of the space. */
export class ForgetAge extends Command<void> {
  constructor(
    readonly context: CommandContext,
    readonly spaceId: string,
    readonly studentId: string,
  ) {
    super();
  }
}

@CommandHandler(ForgetAge)
export class ForgetAgeHandler implements ICommandHandler<ForgetAge> {
  constructor(private readonly commands: CommandRunner) {}

  async execute({ context, spaceId, studentId }: ForgetAge): Promise<void> {
    await this.commands.run(context, {
      on: aggregate(membershipDecider, spaceId, studentId),
      decide: (state) => forgetAge({ by: context.by, spaceId, studentId }, state),
      visibleIn: ['spaces', ...STAFF_ACTION_PROJECTIONS],
    });
  }
}
