import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import {
  aggregate,
  changeNewspost,
  newspostDecider,
  publishNewspost,
  removeNewspost,
  restoreNewspost,
  spaceDecider,
} from '@nimo/domain';
import { type CommandContext, deterministicId } from '../../../platform/commands/command-context.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';
import { acceptedBody } from '../../../platform/rich-text/accepted-body.js';
import { STAFF_ACTION_PROJECTIONS } from '../../staff-actions/own-staff-actions.js';

interface NewNewspost {
  /** Null for all spaces. */
  readonly spaceId: string | null;
  readonly title: string;
  readonly body: string;
}

/** Returns the ID of the newspost. */
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
    const newspostId = deterministicId(context, 'newspost');
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

export class ChangeNewspost extends Command<void> {
  constructor(
    readonly context: CommandContext,
    readonly newspostId: string,
    readonly texts: { readonly title: string; readonly body: string },
  ) {
    super();
  }
}

@CommandHandler(ChangeNewspost)
export class ChangeNewspostHandler implements ICommandHandler<ChangeNewspost> {
  constructor(private readonly commands: CommandRunner) {}

  async execute({ context, newspostId, texts: { title, body } }: ChangeNewspost): Promise<void> {
    const command = { actor: context.by, title, body: acceptedBody(body) };
    await this.commands.run(context, {
      on: aggregate(newspostDecider, newspostId),
      decide: (state) => changeNewspost(command, state),
      visibleIn: ['news', ...STAFF_ACTION_PROJECTIONS],
    });
  }
}

const VISIBILITY_ACTIONS = { remove: removeNewspost, restore: restoreNewspost };

/** Removes or restores a newspost. */
export class SetNewspostVisibility extends Command<void> {
  constructor(
    readonly context: CommandContext,
    readonly newspostId: string,
    readonly action: keyof typeof VISIBILITY_ACTIONS,
  ) {
    super();
  }
}

@CommandHandler(SetNewspostVisibility)
export class SetNewspostVisibilityHandler implements ICommandHandler<SetNewspostVisibility> {
  constructor(private readonly commands: CommandRunner) {}

  async execute({ context, newspostId, action }: SetNewspostVisibility): Promise<void> {
    await this.commands.run(context, {
      on: aggregate(newspostDecider, newspostId),
      decide: (state) => VISIBILITY_ACTIONS[action]({ actor: context.by }, state),
      visibleIn: ['news', ...STAFF_ACTION_PROJECTIONS],
    });
  }
}
