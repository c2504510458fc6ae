import { CommandHandler, Command, type ICommandHandler } from '@nestjs/cqrs';
import {
  aggregate,
  DomainError,
  membershipDecider,
  moderationDecider,
  reportDecider,
  reportPost,
  type ReportedPostType,
} from '@nimo/domain';
import type { CommandContext } from '../../../platform/commands/command-context.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';
import { PostLocator } from '../../posts/post-locator.js';
import { isMember, postFacts, standingAggregates } from '../../posts/post-standing.js';

export interface Report {
  readonly postType: ReportedPostType;
  readonly postId: string;
  /** One of the nine, letter for letter. */
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
    // Beside the decisions: of a report and a decision at the same moment the later one is made again, and knows of the other.
    const earlier = aggregate(reportDecider, postId, by.studentId);
    await this.commands.run(context, {
      on: aggregate(moderationDecider, postId),
      reads: [...standingAggregates(post), earlier, aggregate(membershipDecider, post.spaceId, by.studentId)],
      decide: ({ round, reporterIds }, streams) => {
        const { reported } = streams.state(earlier);
        const command = {
          actor: by,
          isMember: isMember(streams, post.spaceId, by.studentId),
          post: postFacts(streams, post),
          reason,
          round,
        };
        return reportPost(command, { reported: reported || reporterIds.includes(by.studentId) });
      },
      visibleIn: ['questions'],
    });
  }
}
