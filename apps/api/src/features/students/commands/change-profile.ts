import { Inject } from '@nestjs/common';
import { CommandHandler, Command, type ICommandHandler } from '@nestjs/cqrs';
import {
  changeProfile,
  DomainError,
  studentStream,
  userNameKey,
  type ChangeProfile as ProfileChange,
} from '@nimo/domain';
import type { EventStore } from '@nimo/event-store';
import type { CommandContext } from '../../../platform/commands/command-context.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';
import { DomainStreams } from '../../../platform/commands/domain-streams.js';
import { EVENT_STORE } from '../../../platform/runtime/tokens.js';
import { Claims } from '../claims.js';
import { studentState } from '../student-state.js';
import { UserNames } from '../user-names.js';

/** What is left out stays. */
export class ChangeProfile extends Command<void> {
  constructor(
    readonly context: CommandContext,
    readonly change: ProfileChange,
  ) {
    super();
  }
}

@CommandHandler(ChangeProfile)
export class ChangeProfileHandler implements ICommandHandler<ChangeProfile> {
  constructor(
    @Inject(EVENT_STORE) private readonly store: EventStore,
    private readonly commands: CommandRunner,
    private readonly claims: Claims,
    private readonly names: UserNames,
  ) {}

  async execute({ context, change }: ChangeProfile): Promise<void> {
    const { studentId } = context.by;
    const state = studentState(
      new DomainStreams(await this.store.readStreams([studentStream(studentId)])),
      studentId,
    );
    changeProfile(change, state);
    const before = state?.profile?.userName;
    const isRenamed =
      change.userName !== undefined &&
      before !== undefined &&
      userNameKey(change.userName) !== userNameKey(before);
    if (!isRenamed) return this.append(context, change);
    // The new name is claimed first and the old one released last: at no time does the student stand without a claim.
    const former = await this.claims.see({ kind: 'username', value: before });
    await this.claims.reserve(context, { kind: 'username', value: change.userName }, studentId);
    await this.append(context, change);
    if (!(await this.names.keep(context, studentId))) throw new DomainError('USERNAME_TAKEN');
    await this.claims.release(context, former, studentId);
  }

  private async append(context: CommandContext, change: ProfileChange): Promise<void> {
    const { studentId } = context.by;
    const streamId = studentStream(studentId);
    await this.commands.run(context, {
      streams: [streamId],
      decide: (streams) => ({ streamId, events: changeProfile(change, studentState(streams, studentId)) }),
      visibleIn: ['students'],
    });
  }
}
