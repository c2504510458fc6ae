import { CommandHandler, Command, type ICommandHandler } from '@nestjs/cqrs';
import {
  evolveNewspost,
  evolveSpace,
  initialNewspost,
  initialSpace,
  newspostStream,
  publishNewspost,
  spaceStream,
} from '@nimo/domain';
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
    const streamId = newspostStream(newspostId);
    const body = acceptedBody(newspost.body);
    await this.commands.run(context, {
      streams: spaceId === null ? [streamId] : [streamId, spaceStream(spaceId)],
      decide: (streams) => {
        const spaceExists =
          spaceId === null || streams.state(spaceStream(spaceId), initialSpace, evolveSpace) !== undefined;
        const command = { actor: context.by, newspostId, spaceId, spaceExists, title, body };
        const state = streams.state(streamId, initialNewspost, evolveNewspost);
        return { streamId, events: publishNewspost(command, state) };
      },
      visibleIn: ['news'],
    });
    return newspostId;
  }
}
