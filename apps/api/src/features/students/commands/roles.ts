import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import {
  aggregate,
  type Authority,
  DomainError,
  grantRole,
  revokeRole,
  type Role,
  spaceDecider,
  studentDecider,
} from '@nimo/domain';
import { SessionStore } from '../../../platform/auth/session-store.js';
import type { CommandContext } from '../../../platform/commands/command-context.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';
import { STAFF_ACTION_PROJECTIONS } from '../../staff-actions/own-staff-actions.js';

interface RoleOfStudent {
  readonly studentId: string;
  readonly role: Role;
  /** Null for all spaces. */
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
  constructor(
    private readonly commands: CommandRunner,
    private readonly sessions: SessionStore,
  ) {}

  async execute({ context, granted: { studentId, role, spaceId } }: GrantRole): Promise<void> {
    const space = spaceId === null ? [] : [aggregate(spaceDecider, spaceId)];
    await this.commands.run(context, {
      on: aggregate(studentDecider, studentId),
      reads: space,
      decide: (state, streams) => {
        const events = grantRole({ by: context.by, role, spaceId }, state);
        for (const of of space) if (!streams.state(of)) throw new DomainError('SPACE_NOT_FOUND');
        return events;
      },
      visibleIn: ['students', ...STAFF_ACTION_PROJECTIONS],
    });
    await this.sessions.publishRolesChanged(studentId);
  }
}

/** Sessions continue with the remaining roles. */
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
      visibleIn: ['students', ...STAFF_ACTION_PROJECTIONS],
    });
    await this.sessions.publishRolesChanged(studentId);
  }
}
