import { Inject } from '@nestjs/common';
import { CommandHandler, Command, type ICommandHandler } from '@nestjs/cqrs';
import {
  aggregate,
  DomainError,
  membershipDecider,
  newspostDecider,
  reactionDecider,
  toggleLike,
  toggleSave,
  type NewspostEvent,
} from '@nimo/domain';
import type { CommandResult, EventStore } from '@nimo/event-store';
import type { CommandContext } from '../../../platform/commands/command-context.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';
import { EVENT_STORE } from '../../../platform/config/tokens.js';
import { isMember } from '../../posts/post-facts.js';

export type NewsReaction = 'LIKE' | 'SAVE';
const TOGGLES = { LIKE: toggleLike, SAVE: toggleSave } as const;

/** Toggles a like or a bookmark. */
export class ReactToNewspost extends Command<CommandResult> {
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
    @Inject(EVENT_STORE) private readonly store: EventStore,
  ) {}

  async execute({ context, newspostId, reaction }: ReactToNewspost): Promise<CommandResult> {
    const { by } = context;
    const spaceId = await this.spaceOf(newspostId);
    const newspost = aggregate(newspostDecider, newspostId);
    return this.commands.run(context, {
      on: aggregate(reactionDecider, newspostId, by.studentId),
      reads: [newspost, ...(spaceId === null ? [] : [aggregate(membershipDecider, spaceId, by.studentId)])],
      decide: (state, streams) => {
        const command = {
          actor: by,
          newspost: streams.state(newspost),
          isMember: spaceId !== null && isMember(streams, spaceId, by.studentId),
        };
        return TOGGLES[reaction](command, state);
      },
      visibleIn: ['news'],
    });
  }

  /** Reads only the first event, because a newspost never changes its space. */
  private async spaceOf(newspostId: string): Promise<string | null> {
    const [first] = await this.store.readStream(newspostDecider.stream(newspostId), { limit: 1 });
    if (!first) throw new DomainError('NEWSPOST_NOT_FOUND');
    // A stream contains only events of its aggregate.
    return (first.data as unknown as NewspostEvent['data']).spaceId;
  }
}
