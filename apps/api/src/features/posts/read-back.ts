import { Injectable } from '@nestjs/common';
import { DomainError, type ReportedPostType, requireBodySize, type PostBaseline } from '@nimo/domain';
import { Field, InputType } from '@nestjs/graphql';
import { cleanHtml } from '@nimo/rich-text';
import type { CommandContext } from '../../platform/commands/command-context.js';
import { CommandRunner } from '../../platform/commands/command-runner.js';
import { PostLocator } from './post-locator.js';
import { isQuestionRemoved, postFacts, removalAggregates } from './post-facts.js';
import { normalisedLocation } from '../uploads/picture-access.js';

interface WrittenPost {
  readonly postType: ReportedPostType;
  readonly postId: string;
}

/** Reads a post back for the mutation that wrote it. Null always comes with `extensions.stale`; a post deleted since is an error. */
@Injectable()
export class ReadBack {
  constructor(
    private readonly posts: PostLocator,
    private readonly runner: CommandRunner,
  ) {}

  async read<Post>(
    { freshness }: Pick<CommandContext, 'freshness'>,
    written: WrittenPost,
    find: () => Promise<Post | null>,
  ): Promise<Post | null> {
    const found = await find();
    if (found) return found;
    await this.assertNotRemoved(written);
    if (freshness) freshness.stale = true;
    return null;
  }

  /** Checks the log: the read side may merely be behind. */
  private async assertNotRemoved({ postType, postId }: WrittenPost): Promise<void> {
    const post = await this.posts.find(postType, postId);
    if (!post) throw new DomainError('POST_NOT_FOUND');
    const streams = await this.runner.load(removalAggregates(post));
    if (isQuestionRemoved(streams, post.questionId)) throw new DomainError('QUESTION_NOT_FOUND');
    if (postFacts(streams, post).removed) throw new DomainError('POST_NOT_FOUND');
  }
}

@InputType()
export class SeenAnswer {
  @Field(() => String, { nullable: true }) readonly body?: string | null;
  @Field(() => [String], { nullable: true }) readonly imageUrls?: string[] | null;
}

@InputType()
export class SeenQuestion extends SeenAnswer {
  @Field(() => String, { nullable: true }) readonly title?: string | null;
}

/** Normalises to the stored form: picture URLs sent to readers may be signed. */
export const seenPostOf = (seen: SeenQuestion | null | undefined): PostBaseline | undefined =>
  seen
    ? {
        title: seen.title ?? undefined,
        body: seen.body == null ? undefined : cleanHtml(requireBodySize(seen.body)),
        imageUrls: seen.imageUrls?.map(normalisedLocation),
      }
    : undefined;
