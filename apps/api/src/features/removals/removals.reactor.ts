import { Injectable } from '@nestjs/common';
import {
  aggregate,
  moderationDecider,
  OPERATOR,
  type PostRef,
  reverseInRemoval,
  upholdInRemoval,
} from '@nimo/domain';
import type { Reactor, ReactorEvent } from '@nimo/projections';
import { type CommandContext, commandStep } from '../../platform/commands/command-context.js';
import { CommandRunner } from '../../platform/commands/command-runner.js';
import { isPostDeleted, postAggregate } from '../posts/post-facts.js';

const TYPES = ['PostsRemoved', 'PostsRestored'] as const;
type HandledType = (typeof TYPES)[number];

/**
 * Upholds each post of a removal in its own stream, or reverses that. Projections know only rulings on posts. Command IDs derive from the
 * event and the post, so that a removal handled again after a crash continues where it stopped.
 */
@Injectable()
export class RemovalsReactor implements Reactor<HandledType> {
  readonly name = 'removals';
  readonly startsAt = 'beginning';
  readonly types = TYPES;

  constructor(private readonly commands: CommandRunner) {}

  async handle(event: ReactorEvent<HandledType>, _jobId: string, signal: AbortSignal): Promise<void> {
    for (const post of event.data.posts) {
      signal.throwIfAborted();
      await this.rule(event, post);
    }
  }

  private async rule(event: ReactorEvent<HandledType>, post: PostRef): Promise<void> {
    const { type, data } = event;
    const own = postAggregate(post);
    await this.commands.run(commandStep(contextOf(event), post.postId), {
      on: aggregate(moderationDecider, post.postId),
      reads: [own],
      decide: (state, streams) =>
        type === 'PostsRemoved'
          ? upholdInRemoval(data, { ...post, isDeleted: isPostDeleted(streams, post) }, state)
          : reverseInRemoval(data, post, state),
    });
  }
}

/** The moderator acts on each post. */
const contextOf = ({ id, metadata }: ReactorEvent<HandledType>): CommandContext<typeof OPERATOR> => ({
  by: OPERATOR,
  actor: metadata.actor,
  commandId: id,
  correlationId: metadata.correlationId,
  causationId: id,
});
