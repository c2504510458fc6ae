import { CommandHandler, Command, type ICommandHandler } from '@nestjs/cqrs';
import { aggregate, newspostDecider, publishNewspost, spaceDecider } from '@nimo/domain';
import { createdId, type CommandContext } from '../../../platform/commands/command-context.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';
import { acceptedBody } from '../../../platform/rich-text/accepted-body.js';

export interface NewNewspost {
  /** Null: for everybody. */
  readonly spaceId: string | null;
  readonly title: string;
  readonly body: string;
}

/** Answers with the newspost's id. */
export class PublishNewspost extends Command<string> {
  constructor(
    readonly context: CommandContext,
    readonly newspost: NewNewspost,
  ) {
    super();
  }
}

@CommandHandler(PublishNewspost)
export class PublishNewspostHandler implements ICommandHandler<PublishNewspost> {
  constructor(private readonly commands: CommandRunner) {}

  async execute({ context, newspost }: PublishNewspost): Promise<string> {
    const { spaceId, title } = newspost;
    const newspostId = createdId(context, 'newspost');
    const body = acceptedBody(newspost.body);
    await this.commands.run(context, {
      on: aggregate(newspostDecider, newspostId),
      reads: spaceId === null ? [] : [aggregate(spaceDecider, spaceId)],
      decide: (state, streams) => {
        const spaceExists = spaceId === null || streams.state(aggregate(spaceDecider, spaceId)) !== undefined;
        const command = { actor: context.by, newspostId, spaceId, spaceExists, title, body };
        return publishNewspost(command, state);
      },
      visibleIn: ['news'],
    });
    return newspostId;
  }
}
