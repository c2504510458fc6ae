import type { TopicType } from '@nimo/domain';
import { Field, InputType, Int, ObjectType } from '@nestjs/graphql';
import { Topic, TopicTypeEnum } from './topic.type.js';

@ObjectType({ description: 'A topic as maintainers see it.' })
export class ManagedTopic extends Topic {
  @Field(() => Int, { description: 'Questions that are not removed.' }) readonly questionCount!: number;
}

@ObjectType()
export class ManagedTopicPage {
  @Field(() => [ManagedTopic]) readonly docs!: readonly ManagedTopic[];
  @Field(() => Int) readonly page!: number;
  @Field(() => Boolean) readonly hasNext!: boolean;
}

@ObjectType()
export class SavedTopicResult {
  @Field(() => ManagedTopic) readonly topic!: ManagedTopic;
  @Field(() => Int, {
    nullable: true,
    description: 'Ordinal of the act in the audit; null: nothing changed.',
  })
  readonly act!: number | null;
}

@InputType({ description: 'What is left out stays; a picture that is null is taken off.' })
export class TopicChange {
  @Field(() => String, { nullable: true }) readonly topicName?: string | null;
  @Field(() => TopicTypeEnum, { nullable: true }) readonly topicType?: TopicType | null;
  @Field(() => String, { nullable: true }) readonly imageS3Url?: string | null;
}
