import { CommandHandler, Command, type ICommandHandler } from '@nestjs/cqrs';
import { aggregate, revokeRole, studentDecider, type Authority } from '@nimo/domain';
import { SessionStore } from '../../../platform/auth/session-store.js';
import type { CommandContext } from '../../../platform/commands/command-context.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';
import { ACT_VISIBLE_IN } from '../../acts/own-acts.js';
import type { RoleOfStudent } from './grant-role.js';

/** The sessions go on, with what is left. */
export class RevokeRole extends Command<void> {
  constructor(
    readonly context: CommandContext<Authority>,
    readonly revoked: RoleOfStudent,
  ) {
    super();
  }
}

@CommandHandler(RevokeRole)
export class RevokeRoleHandler implements ICommandHandler<RevokeRole> {
  constructor(
    private readonly commands: CommandRunner,
    private readonly sessions: SessionStore,
  ) {}

  async execute({ context, revoked: { studentId, role, spaceId } }: RevokeRole): Promise<void> {
    await this.commands.run(context, {
      on: aggregate(studentDecider, studentId),
      decide: (state) => revokeRole({ by: context.by, role, spaceId }, state),
      visibleIn: ['students', ...ACT_VISIBLE_IN],
    });
    await this.sessions.tellRolesChanged(studentId);
  }
}
