import { CommandHandler, Command, type ICommandHandler } from '@nestjs/cqrs';
import {
  addTopic,
  aggregate,
  findSubject,
  spaceDecider,
  topicDecider,
  topicSlug,
  type Authority,
} from '@nimo/domain';
import { createdId, type CommandContext } from '../../../platform/commands/command-context.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';
import { ACT_VISIBLE_IN } from '../../acts/own-acts.js';

export interface NewPrimaryTopic {
  readonly spaceId: string;
  readonly subjectId: string;
  readonly topicName: string;
  readonly imageS3Url: string | null;
}

/** Answers with the topic's id. */
export class AddTopic extends Command<string> {
  constructor(
    readonly context: CommandContext<Authority>,
    readonly topic: NewPrimaryTopic,
  ) {
    super();
  }
}

@CommandHandler(AddTopic)
export class AddTopicHandler implements ICommandHandler<AddTopic> {
  constructor(private readonly commands: CommandRunner) {}

  async execute({ context, topic }: AddTopic): Promise<string> {
    const { spaceId, subjectId, topicName, imageS3Url } = topic;
    const topicId = createdId(context, 'topic');
    await this.commands.run(context, {
      on: aggregate(topicDecider, subjectId, topicSlug(topicName)),
      reads: [aggregate(spaceDecider, spaceId)],
      decide: (state, streams) => {
        const space = streams.state(aggregate(spaceDecider, spaceId));
        const subject = findSubject(space, subjectId) ?? null;
        return addTopic({ by: context.by, topicId, subject, topicName, imageS3Url }, state);
      },
      visibleIn: ['spaces', ...ACT_VISIBLE_IN],
    });
    return topicId;
  }
}
