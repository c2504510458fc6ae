import { CommandHandler, Command, type ICommandHandler } from '@nestjs/cqrs';
import { grantRole, studentStream, type Authority, type Role } from '@nimo/domain';
import type { CommandContext } from '../../../platform/commands/command-context.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';
import { studentState } from '../student-state.js';

export interface RoleOfStudent {
  readonly studentId: string;
  readonly role: Role;
  /** Null: in all spaces. */
  readonly spaceId: string | null;
}

export class GrantRole extends Command<void> {
  constructor(
    readonly context: CommandContext<Authority>,
    readonly granted: RoleOfStudent,
  ) {
    super();
  }
}

@CommandHandler(GrantRole)
export class GrantRoleHandler implements ICommandHandler<GrantRole> {
  constructor(private readonly commands: CommandRunner) {}

  async execute({ context, granted: { studentId, role, spaceId } }: GrantRole): Promise<void> {
    const streamId = studentStream(studentId);
    await this.commands.run(context, {
      streams: [streamId],
      decide: (streams) => ({
        streamId,
        events: grantRole({ by: context.by, role, spaceId }, studentState(streams, studentId)),
      }),
      visibleIn: ['students'],
    });
  }
}
