import { Field, ID, InputType, Int, ObjectType } from '@nestjs/graphql';
import { DateTimeScalar } from '../../platform/graphql/scalars.js';

const ACT = {
  nullable: true,
  description: 'Ordinal of the act in the audit; null: nothing changed.',
} as const;
const HEX = { description: 'Hex without #.' } as const;

@ObjectType({ description: 'A space as maintainers see it.' })
export class ManagedSpace {
  @Field(() => ID) readonly _id!: string;
  @Field(() => String) readonly name!: string;
  @Field(() => String) readonly description!: string;
  @Field(() => String, { nullable: true }) readonly bannerImageUrl!: string | null;
  @Field(() => String, HEX) readonly color!: string;
  @Field(() => Boolean) readonly hiddenFromSearchEngines!: boolean;
  @Field(() => DateTimeScalar) readonly createdAt!: string;
  @Field(() => Int) readonly memberCount!: number;
  @Field(() => Int) readonly subjectCount!: number;
  @Field(() => Int) readonly topicCount!: number;
}

@ObjectType()
export class ManagedSubject {
  @Field(() => ID) readonly _id!: string;
  @Field(() => String) readonly subjectName!: string;
  @Field(() => String, HEX) readonly color!: string;
  @Field(() => Int) readonly topicCount!: number;
}

@ObjectType()
export class SavedSpaceResult {
  @Field(() => ManagedSpace) readonly space!: ManagedSpace;
  @Field(() => Int, ACT) readonly act!: number | null;
}

@ObjectType()
export class SavedSubjectResult {
  @Field(() => ManagedSubject) readonly subject!: ManagedSubject;
  @Field(() => Int, ACT) readonly act!: number | null;
}

@InputType()
export class NewSpace {
  @Field(() => String) readonly name!: string;
  @Field(() => String, { nullable: true }) readonly description?: string | null;
  @Field(() => String, { nullable: true, description: 'An upload of the caller.' })
  readonly bannerImageUrl?: string | null;
  @Field(() => String, HEX) readonly color!: string;
  @Field(() => Boolean, { nullable: true }) readonly hiddenFromSearchEngines?: boolean | null;
}

@InputType({ description: 'What is left out stays; a banner that is null is taken off.' })
export class SpaceChange {
  @Field(() => String, { nullable: true }) readonly name?: string | null;
  @Field(() => String, { nullable: true }) readonly description?: string | null;
  @Field(() => String, { nullable: true }) readonly bannerImageUrl?: string | null;
  @Field(() => String, { nullable: true, ...HEX }) readonly color?: string | null;
  @Field(() => Boolean, { nullable: true }) readonly hiddenFromSearchEngines?: boolean | null;
}

@InputType({ description: 'What is left out stays.' })
export class SubjectChange {
  @Field(() => String, { nullable: true }) readonly subjectName?: string | null;
  @Field(() => String, { nullable: true, ...HEX }) readonly color?: string | null;
}
