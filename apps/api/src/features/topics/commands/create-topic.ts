import { CommandHandler, Command, type ICommandHandler } from '@nestjs/cqrs';
import {
  aggregate,
  createTopic,
  findSubject,
  membershipDecider,
  spaceDecider,
  topicDecider,
  topicSlug,
  type Authority,
  type TopicCreated,
  type TopicType,
} from '@nimo/domain';
import { createdId, type CommandContext } from '../../../platform/commands/command-context.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';
import { isMember } from '../../posts/post-standing.js';

export interface NewTopic {
  readonly spaceId: string;
  readonly subjectId: string;
  readonly topicName: string;
  readonly topicType: TopicType;
}

/** Answers with the topic of that name: the new one, or the one that the subject has already. */
export class CreateTopic extends Command<TopicCreated['data']> {
  constructor(
    readonly context: CommandContext<Authority>,
    readonly topic: NewTopic,
  ) {
    super();
  }
}

@CommandHandler(CreateTopic)
export class CreateTopicHandler implements ICommandHandler<CreateTopic> {
  constructor(private readonly commands: CommandRunner) {}

  async execute({ context, topic }: CreateTopic): Promise<TopicCreated['data']> {
    const { by } = context;
    const { spaceId, subjectId, topicName, topicType } = topic;
    const membership = by.kind === 'student' ? [aggregate(membershipDecider, spaceId, by.studentId)] : [];
    let existing: TopicCreated['data'] | undefined;
    const { events } = await this.commands.run(context, {
      on: aggregate(topicDecider, subjectId, topicSlug(topicName)),
      reads: [aggregate(spaceDecider, spaceId), ...membership],
      decide: (state, streams) => {
        existing = state;
        const space = streams.state(aggregate(spaceDecider, spaceId));
        return createTopic(
          {
            by,
            isMember: by.kind === 'student' && isMember(streams, spaceId, by.studentId),
            topicId: createdId(context, 'topic'),
            subject: findSubject(space, subjectId) ?? null,
            topicName,
            topicType,
            imageS3Url: null,
          },
          existing,
        );
      },
      visibleIn: ['spaces'],
    });
    const created = events[0]?.data as TopicCreated['data'] | undefined;
    const found = existing ?? created;
    if (!found) throw new Error('a topic was neither found nor created');
    return found;
  }
}
