import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import {
  addSubject,
  aggregate,
  type Authority,
  changeSubject,
  type ChangeSubject as Change,
  spaceDecider,
} from '@nimo/domain';
import { type CommandContext, deterministicId } from '../../../platform/commands/command-context.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';
import { STAFF_ACTION_PROJECTIONS } from '../../staff-actions/own-staff-actions.js';

interface NewSubject {
  readonly spaceId: string;
  readonly subjectName: string;
  /** Hex without #. */
  readonly color: string;
}

/** Returns the id of the subject. */
export class AddSubject extends Command<string> {
  constructor(
    readonly context: CommandContext<Authority>,
    readonly subject: NewSubject,
  ) {
    super();
  }
}

@CommandHandler(AddSubject)
export class AddSubjectHandler implements ICommandHandler<AddSubject> {
  constructor(private readonly commands: CommandRunner) {}

  async execute({ context, subject: { spaceId, subjectName, color } }: AddSubject): Promise<string> {
    const subjectId = deterministicId(context, 'subject');
    await this.commands.run(context, {
      on: aggregate(spaceDecider, spaceId),
      decide: (state) => addSubject({ by: context.by, subjectId, subjectName, color }, state),
      visibleIn: ['spaces', ...STAFF_ACTION_PROJECTIONS],
    });
    return subjectId;
  }
}

export class ChangeSubject extends Command<void> {
  constructor(
    readonly context: CommandContext<Authority>,
    readonly spaceId: string,
    readonly change: Omit<Change, 'by'>,
  ) {
    super();
  }
}

@CommandHandler(ChangeSubject)
export class ChangeSubjectHandler implements ICommandHandler<ChangeSubject> {
  constructor(private readonly commands: CommandRunner) {}

  async execute({ context, spaceId, change }: ChangeSubject): Promise<void> {
    await this.commands.run(context, {
      on: aggregate(spaceDecider, spaceId),
      decide: (state) => changeSubject({ by: context.by, ...change }, state),
      visibleIn: ['spaces', ...STAFF_ACTION_PROJECTIONS],
    });
  }
}
