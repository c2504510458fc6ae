import { createHash } from 'node:crypto';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import {
  type Aggregate,
  aggregate,
  authorRemovalsDecider,
  DomainError,
  findRemovalIn,
  type RemovalEvent,
  type RemovalsState,
  type PostRef,
  removalDecider,
  removePosts,
  requireRemovalAuthority,
  restorePosts,
  studentDecider,
} from '@nimo/domain';
import {
  findRemovablePosts,
  findRemovalSubject,
  findReportedPosts,
  type RemovablePosts,
} from '@nimo/projections';
import { Pool } from 'pg';
import { type CommandContext, deterministicId } from '../../../platform/commands/command-context.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';
import { STAFF_ACTION_PROJECTIONS } from '../../staff-actions/own-staff-actions.js';

/** Changes whenever another set of posts would be removed. */
export const fingerprintOf = ({ posts }: RemovablePosts): string =>
  createHash('sha256')
    .update(posts.map(({ postId }) => postId).join('\n'))
    .digest('hex');

interface Removal {
  readonly spaceId: string;
  readonly authorId: string;
  readonly reason: string;
  /** Fingerprint of the confirmed preview. */
  readonly fingerprint: string;
}

/** Removes all visible posts of an author in a space. @returns the ID of the removal */
export class RemovePosts extends Command<string> {
  constructor(
    readonly context: CommandContext,
    readonly removal: Removal,
  ) {
    super();
  }
}

@CommandHandler(RemovePosts)
export class RemovePostsHandler implements ICommandHandler<RemovePosts> {
  constructor(
    private readonly commands: CommandRunner,
    private readonly pool: Pool,
  ) {}

  async execute({ context, removal }: RemovePosts): Promise<string> {
    const { spaceId, authorId, reason, fingerprint } = removal;
    const actor = context.by;
    const removalId = deterministicId(context, 'removal');
    const removable = await findRemovablePosts(this.pool, {
      ...{ spaceId, authorId, moderatorId: actor.studentId },
    });
    await this.commands.run(context, {
      on: aggregate(authorRemovalsDecider, spaceId, authorId),
      reads: [aggregate(studentDecider, authorId)],
      decide: (state, streams) => {
        const author = streams.state(aggregate(studentDecider, authorId));
        if (!author || author.erased) throw new DomainError('STUDENT_NOT_FOUND');
        requireRemovalAuthority({ actor, spaceId, author });
        const { posts, knownRemovalIds } = removable;
        const command = { actor, removalId, spaceId, author, posts, knownRemovalIds, reason };
        // First, because it says whether a colleague removed the posts.
        const events = removePosts(command, state);
        if (fingerprint !== fingerprintOf(removable)) throw new DomainError('REMOVAL_CHANGED');
        return events;
      },
      visibleIn: ['moderation', ...STAFF_ACTION_PROJECTIONS],
    });
    return removalId;
  }
}

interface FoundRemoval {
  readonly on: Aggregate<RemovalsState, RemovalEvent>;
  readonly posts: readonly PostRef[];
}

/** Restores the posts of a removal. */
export class RestorePosts extends Command<void> {
  constructor(
    readonly context: CommandContext,
    readonly removalId: string,
    readonly reason: string,
  ) {
    super();
  }
}

@CommandHandler(RestorePosts)
export class RestorePostsHandler implements ICommandHandler<RestorePosts> {
  constructor(
    private readonly commands: CommandRunner,
    private readonly pool: Pool,
  ) {}

  async execute({ context, removalId, reason }: RestorePosts): Promise<void> {
    const actor = context.by;
    const { on, posts } = await this.find(removalId);
    const reportedByActor = await findReportedPosts(
      this.pool,
      actor.studentId,
      posts.map(({ postId }) => postId),
    );
    await this.commands.run(context, {
      on,
      decide: (state) => restorePosts({ actor, removalId, reportedByActor, reason }, state),
      visibleIn: ['moderation', ...STAFF_ACTION_PROJECTIONS],
    });
  }

  private async find(removalId: string): Promise<FoundRemoval> {
    const subject = await findRemovalSubject(this.pool, removalId);
    const single = aggregate(removalDecider, removalId);
    const ofAuthor = subject && aggregate(authorRemovalsDecider, subject.spaceId, subject.authorId);
    for (const on of ofAuthor ? [ofAuthor, single] : [single]) {
      const found = findRemovalIn(await this.commands.state(on), removalId);
      if (found) return { on, posts: found.removal.posts };
    }
    throw new DomainError('REMOVAL_NOT_FOUND');
  }
}
