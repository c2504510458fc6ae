import { CommandHandler, Command, type ICommandHandler } from '@nestjs/cqrs';
import {
  aggregate,
  changeTopic,
  DomainError,
  takeTopicName,
  topicDecider,
  topicSlug,
  type Authority,
  type ChangeTopic as Change,
  type TopicState,
} from '@nimo/domain';
import { stepOf, type CommandContext } from '../../../platform/commands/command-context.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';
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
    const home = aggregate(topicDecider, subjectId, slug);
    const { topicName } = change.change;
    const named = topicName === undefined ? home : aggregate(topicDecider, subjectId, topicSlug(topicName));
    const decideChange = (topic: TopicState, nameHolderId: string | null) =>
      changeTopic({ by: context.by, ...change, nameHolderId }, topic);
    if (named.streamId !== home.streamId && topicName !== undefined)
      await this.commands.run(stepOf(context, 'name'), {
        on: named,
        reads: [home],
        decide: (state, streams) => {
          const topic = streams.state(home);
          if (!topic) throw new DomainError('TOPIC_NOT_FOUND');
          // A name is not taken for a change that would be refused then.
          decideChange(topic, topic.topicId);
          return takeTopicName({ by: context.by, topic, topicName }, state);
        },
      });
    await this.commands.run(context, {
      on: home,
      reads: [named],
      decide: (topic, streams) => decideChange(topic, streams.state(named)?.topicId ?? null),
      visibleIn: ['spaces', ...ACT_VISIBLE_IN],
    });
  }
}
