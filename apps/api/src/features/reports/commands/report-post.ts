import { CommandHandler, Command, type ICommandHandler } from '@nestjs/cqrs';
import {
  DomainError,
  evolveModeration,
  evolveReport,
  initialModeration,
  initialReport,
  membershipStream,
  moderationStream,
  reportPost,
  reportStream,
  type ReportedPostType,
} from '@nimo/domain';
import type { CommandContext } from '../../../platform/commands/command-context.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';
import { PostLocator } from '../../posts/post-locator.js';
import { isMember, postFacts, standingStreams } from '../../posts/post-standing.js';

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
    const streamId = moderationStream(postId);
    const earlier = reportStream(postId, by.studentId);
    await this.commands.run(context, {
      streams: [...standingStreams(post), earlier, membershipStream(post.spaceId, by.studentId)],
      decide: (streams) => {
        const { round, reporterIds } = streams.state(streamId, initialModeration, evolveModeration);
        const { reported } = streams.state(earlier, initialReport, evolveReport);
        const command = {
          actor: by,
          isMember: isMember(streams, post.spaceId, by.studentId),
          post: postFacts(streams, post),
          reason,
          round,
        };
        return {
          streamId,
          events: reportPost(command, { reported: reported || reporterIds.includes(by.studentId) }),
        };
      },
      visibleIn: ['questions'],
    });
  }
}
