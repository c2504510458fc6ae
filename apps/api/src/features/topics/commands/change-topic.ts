import { CommandHandler, Command, type ICommandHandler } from '@nestjs/cqrs';
import {
  changeTopic,
  DomainError,
  evolveTopic,
  initialTopic,
  takeTopicName,
  topicSlug,
  topicStream,
  type Authority,
  type ChangeTopic as Change,
} from '@nimo/domain';
import { stepOf, type CommandContext } from '../../../platform/commands/command-context.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';
import type { DomainStreams } from '../../../platform/commands/domain-streams.js';
import { ACT_VISIBLE_IN } from '../../acts/own-acts.js';

/** Names the stream of a topic. */
export interface TopicKey {
  readonly subjectId: string;
  readonly slug: string;
}

export class ChangeTopic extends Command<void> {
  constructor(
    readonly context: CommandContext<Authority>,
    readonly topic: TopicKey,
    readonly change: Omit<Change, 'by' | 'nameHolderId'>,
  ) {
    super();
  }
}

/** A new name is taken in the stream of that name first, and the topic changed then: no append spans streams. */
@CommandHandler(ChangeTopic)
export class ChangeTopicHandler implements ICommandHandler<ChangeTopic> {
  constructor(private readonly commands: CommandRunner) {}

  async execute({ context, topic: { subjectId, slug }, change }: ChangeTopic): Promise<void> {
    const home = topicStream(subjectId, slug);
    const { topicName } = change.change;
    const named = topicName === undefined ? home : topicStream(subjectId, topicSlug(topicName));
    const decideChange = (streams: DomainStreams, nameHolderId: string | null) =>
      changeTopic({ by: context.by, ...change, nameHolderId }, stateOf(streams, home));
    if (named !== home && topicName !== undefined)
      await this.commands.run(stepOf(context, 'name'), {
        streams: [named, home],
        decide: (streams) => {
          const topic = stateOf(streams, home);
          if (!topic) throw new DomainError('TOPIC_NOT_FOUND');
          // A name is not taken for a change that would be refused then.
          decideChange(streams, topic.topicId);
          return {
            streamId: named,
            events: takeTopicName({ by: context.by, topic, topicName }, stateOf(streams, named)),
          };
        },
      });
    await this.commands.run(context, {
      streams: named === home ? [home] : [home, named],
      decide: (streams) => ({
        streamId: home,
        events: decideChange(streams, stateOf(streams, named)?.topicId ?? null),
      }),
      visibleIn: ['spaces', ...ACT_VISIBLE_IN],
    });
  }
}

const stateOf = (streams: DomainStreams, streamId: string) =>
  streams.state(streamId, initialTopic, evolveTopic);
