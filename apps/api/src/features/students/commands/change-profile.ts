import { CommandHandler, Command, type ICommandHandler } from '@nestjs/cqrs';
import {
  aggregate,
  changeProfile,
  DomainError,
  studentDecider,
  userNameKey,
  type ChangeProfile as ProfileChange,
} from '@nimo/domain';
import type { CommandContext } from '../../../platform/commands/command-context.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';
import { Claims } from '../../accounts/claims.js';
import { ClaimReconciler } from '../../accounts/claim-reconciler.js';

/** Omitted fields stay unchanged. */
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
    private readonly commands: CommandRunner,
    private readonly claims: Claims,
    private readonly reconciler: ClaimReconciler,
  ) {}

  async execute({ context, change }: ChangeProfile): Promise<void> {
    const { studentId } = context.by;
    const state = await this.commands.state(aggregate(studentDecider, studentId));
    changeProfile(change, state);
    const before = state?.profile?.userName;
    const isRenamed =
      change.userName !== undefined &&
      before !== undefined &&
      userNameKey(change.userName) !== userNameKey(before);
    if (!isRenamed) return this.append(context, change);
    // Claim the new name first and release the old one last, so that the student always holds a claim.
    const former = await this.claims.read({ kind: 'username', value: before });
    await this.claims.reserve(context, { kind: 'username', value: change.userName }, studentId);
    await this.append(context, change);
    if (!(await this.reconciler.ensureClaimed(context, 'username', studentId)))
      throw new DomainError('USERNAME_TAKEN');
    await this.claims.release(context, former, studentId);
  }

  private async append(context: CommandContext, change: ProfileChange): Promise<void> {
    const { studentId } = context.by;
    await this.commands.run(context, {
      on: aggregate(studentDecider, studentId),
      decide: (state) => changeProfile(change, state),
      visibleIn: ['students'],
    });
  }
}
