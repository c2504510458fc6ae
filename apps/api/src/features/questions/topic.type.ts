import type { TopicType } from '@nimo/domain';
import { Field, ID, ObjectType, registerEnumType } from '@nestjs/graphql';
import { Subject } from '../spaces/space.types.js';

export const TopicTypeEnum: { readonly [T in TopicType]: T } = { PRIMARY: 'PRIMARY', SECONDARY: 'SECONDARY' };
registerEnumType(TopicTypeEnum, { name: 'TopicType' });

@ObjectType()
export class Topic {
  @Field(() => ID) readonly _id!: string;
  @Field(() => String) readonly topicName!: string;
  @Field(() => TopicTypeEnum) readonly topicType!: TopicType;
  @Field(() => Subject) readonly subject!: Subject;
  @Field(() => String, { nullable: true }) readonly imageS3Url!: string | null;
}

@ObjectType()
export class TopicHits {
  @Field(() => [Topic]) readonly hits!: Topic[];
}
