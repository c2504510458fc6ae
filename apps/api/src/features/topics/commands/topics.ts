import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import {
  addTopic,
  aggregate,
  type Authority,
  changeTopic,
  type ChangeTopic as Change,
  createTopic,
  DomainError,
  findSubject,
  membershipDecider,
  spaceDecider,
  takeTopicName,
  type TopicCreated,
  topicDecider,
  topicSlug,
  type TopicState,
  type TopicType,
} from '@nimo/domain';
import {
  type CommandContext,
  deterministicId,
  commandStep,
} from '../../../platform/commands/command-context.js';
import { CommandRunner } from '../../../platform/commands/command-runner.js';
import { isMember } from '../../posts/post-facts.js';
import { STAFF_ACTION_PROJECTIONS } from '../../staff-actions/own-staff-actions.js';

export interface NewTopic {
  readonly spaceId: string;
  readonly subjectId: string;
  readonly topicName: string;
  readonly topicType: TopicType;
}

/** Returns the topic of that name, new or existing. */
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
            topicId: deterministicId(context, 'topic'),
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

export interface NewPrimaryTopic {
  readonly spaceId: string;
  readonly subjectId: string;
  readonly topicName: string;
  readonly imageS3Url: string | null;
}

/** Returns the id of the topic. */
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
    const topicId = deterministicId(context, 'topic');
    await this.commands.run(context, {
      on: aggregate(topicDecider, subjectId, topicSlug(topicName)),
      reads: [aggregate(spaceDecider, spaceId)],
      decide: (state, streams) => {
        const space = streams.state(aggregate(spaceDecider, spaceId));
        const subject = findSubject(space, subjectId) ?? null;
        return addTopic({ by: context.by, topicId, subject, topicName, imageS3Url }, state);
      },
      visibleIn: ['spaces', ...STAFF_ACTION_PROJECTIONS],
    });
    return topicId;
  }
}

/** Identifies the stream of a topic. */
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

/** Takes the new name in its own stream first, then changes the topic, because an append cannot span streams. */
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
      await this.commands.run(commandStep(context, 'name'), {
        on: named,
        reads: [home],
        decide: (state, streams) => {
          const topic = streams.state(home);
          if (!topic) throw new DomainError('TOPIC_NOT_FOUND');
          // Do not take the name for a change that would be rejected.
          decideChange(topic, topic.topicId);
          return takeTopicName({ by: context.by, topic, topicName }, state);
        },
      });
    await this.commands.run(context, {
      on: home,
      reads: [named],
      decide: (topic, streams) => decideChange(topic, streams.state(named)?.topicId ?? null),
      visibleIn: ['spaces', ...STAFF_ACTION_PROJECTIONS],
    });
  }
}
