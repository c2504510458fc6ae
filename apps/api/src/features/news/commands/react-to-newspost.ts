import { CommandHandler, Command, type ICommandHandler } from '@nestjs/cqrs';
import {
  DomainError,
  evolveNewspost,
  evolveReaction,
  initialNewspost,
  initialReaction,
  membershipStream,
  newspostStream,
  reactionStream,
  toggleLike,
  toggleSave,
} from '@nimo/domain';
import { findNewspostSpace } from '@nimo/projections';
import { Pool } from 'pg';
import type { CommandContext } from '../../../platform/commands/command-context.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';
import { isMember } from '../../posts/post-standing.js';

export type NewsReaction = 'LIKE' | 'SAVE';
const TOGGLES = { LIKE: toggleLike, SAVE: toggleSave } as const;

/** Gives a like or a bookmark, or takes it back. */
export class ReactToNewspost extends Command<void> {
  constructor(
    readonly context: CommandContext,
    readonly newspostId: string,
    readonly reaction: NewsReaction,
  ) {
    super();
  }
}

@CommandHandler(ReactToNewspost)
export class ReactToNewspostHandler implements ICommandHandler<ReactToNewspost> {
  constructor(
    private readonly commands: CommandRunner,
    private readonly pool: Pool,
  ) {}

  async execute({ context, newspostId, reaction }: ReactToNewspost): Promise<void> {
    const { by } = context;
    // A newspost never moves, so that where it belongs is looked up at the edge.
    const place = await findNewspostSpace(this.pool, newspostId);
    if (!place) throw new DomainError('NEWSPOST_NOT_FOUND');
    const { spaceId } = place;
    const newspost = newspostStream(newspostId);
    const streamId = reactionStream(newspostId, by.studentId);
    await this.commands.run(context, {
      streams: [streamId, newspost, ...(spaceId === null ? [] : [membershipStream(spaceId, by.studentId)])],
      decide: (streams) => {
        const command = {
          actor: by,
          newspost: streams.state(newspost, initialNewspost, evolveNewspost),
          isMember: spaceId !== null && isMember(streams, spaceId, by.studentId),
        };
        const state = streams.state(streamId, initialReaction, evolveReaction);
        return { streamId, events: TOGGLES[reaction](command, state) };
      },
      visibleIn: ['news'],
    });
  }
}
