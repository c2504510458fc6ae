import { CommandHandler, Command, type ICommandHandler } from '@nestjs/cqrs';
import { revokeRole, studentStream, type Authority } from '@nimo/domain';
import { SessionStore } from '../../../platform/auth/session-store.js';
import type { CommandContext } from '../../../platform/commands/command-context.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';
import { ACT_VISIBLE_IN } from '../../acts/own-acts.js';
import { studentState } from '../student-state.js';
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
    const streamId = studentStream(studentId);
    await this.commands.run(context, {
      streams: [streamId],
      decide: (streams) => ({
        streamId,
        events: revokeRole({ by: context.by, role, spaceId }, studentState(streams, studentId)),
      }),
      visibleIn: ['students', ...ACT_VISIBLE_IN],
    });
    await this.sessions.tellRolesChanged(studentId);
  }
}
