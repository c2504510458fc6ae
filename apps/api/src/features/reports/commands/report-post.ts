import { CommandHandler, Command, type ICommandHandler } from '@nestjs/cqrs';
import {
  aggregate,
  DomainError,
  membershipDecider,
  moderationDecider,
  reportPost,
  type ReportedPostType,
} from '@nimo/domain';
import type { CommandContext } from '../../../platform/commands/command-context.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';
import { PostLocator } from '../../posts/post-locator.js';
import { isMember, postFacts, removalAggregates } from '../../posts/post-facts.js';

export interface Report {
  readonly postType: ReportedPostType;
  readonly postId: string;
  /** Exactly one of the nine reasons. */
  readonly reason: string;
}

export class ReportPost extends Command<void> {
  constructor(
    readonly context: CommandContext,
    readonly report: Report,
  ) {
    super();
  }
}

@CommandHandler(ReportPost)
export class ReportPostHandler implements ICommandHandler<ReportPost> {
  constructor(
    private readonly commands: CommandRunner,
    private readonly posts: PostLocator,
  ) {}

  async execute({ context, report: { postType, postId, reason } }: ReportPost): Promise<void> {
    const { by } = context;
    const post = await this.posts.find(postType, postId);
    if (!post) throw new DomainError('POST_NOT_FOUND');
    await this.commands.run(context, {
      on: aggregate(moderationDecider, postId),
      reads: [...removalAggregates(post), aggregate(membershipDecider, post.spaceId, by.studentId)],
      decide: (state, streams) => {
        const membership = isMember(streams, post.spaceId, by.studentId);
        return reportPost({ actor: by, isMember: membership, post: postFacts(streams, post), reason }, state);
      },
      visibleIn: ['questions'],
    });
  }
}
