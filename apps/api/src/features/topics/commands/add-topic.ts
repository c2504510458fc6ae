import { CommandHandler, Command, type ICommandHandler } from '@nestjs/cqrs';
import {
  addTopic,
  evolveSpace,
  evolveTopic,
  findSubject,
  initialSpace,
  initialTopic,
  spaceStream,
  topicSlug,
  topicStream,
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
    const streamId = topicStream(subjectId, topicSlug(topicName));
    await this.commands.run(context, {
      streams: [streamId, spaceStream(spaceId)],
      decide: (streams) => {
        const space = streams.state(spaceStream(spaceId), initialSpace, evolveSpace);
        const subject = findSubject(space, subjectId) ?? null;
        const events = addTopic(
          { by: context.by, topicId, subject, topicName, imageS3Url },
          streams.state(streamId, initialTopic, evolveTopic),
        );
        return { streamId, events };
      },
      visibleIn: ['spaces', ...ACT_VISIBLE_IN],
    });
    return topicId;
  }
}
