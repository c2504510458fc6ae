import { Injectable } from '@nestjs/common';
import { DomainError, type ReportedPostType } from '@nimo/domain';
import type { CommandContext } from '../../platform/commands/command-context.js';
import { CommandRunner } from '../../platform/commands/command-runner.js';
import { PostLocator } from './post-locator.js';
import { isQuestionRemoved, postFacts, standingAggregates } from './post-standing.js';

interface WrittenPost {
  readonly postType: ReportedPostType;
  readonly postId: string;
}

/** Reads a post for the mutation that wrote it. Null always comes with `extensions.stale`; a post that is gone by then is refused. */
@Injectable()
export class ReadBack {
  constructor(
    private readonly posts: PostLocator,
    private readonly runner: CommandRunner,
  ) {}

  async of<Post>(
    { freshness }: Pick<CommandContext, 'freshness'>,
    written: WrittenPost,
    find: () => Promise<Post | null>,
  ): Promise<Post | null> {
    const found = await find();
    if (found) return found;
    await this.assertStands(written);
    if (freshness) freshness.stale = true;
    return null;
  }

  /** By the log, as the read side finds nothing while it is behind, either. */
  private async assertStands({ postType, postId }: WrittenPost): Promise<void> {
    const post = await this.posts.find(postType, postId);
    if (!post) throw new DomainError('POST_NOT_FOUND');
    const streams = await this.runner.look(standingAggregates(post));
    if (isQuestionRemoved(streams, post.questionId)) throw new DomainError('QUESTION_NOT_FOUND');
    if (postFacts(streams, post).removed) throw new DomainError('POST_NOT_FOUND');
  }
}
