import { Field, ID, InputType, Int, ObjectType } from '@nestjs/graphql';
import type { SpaceEntry } from '@nimo/domain';
import { DateTimeScalar } from '../../platform/graphql/scalars.js';
import { SpaceEntryEnum } from './space.type.js';

const ACT = {
  nullable: true,
  description: 'Ordinal of the act in the audit; null: nothing changed.',
} as const;
const PUBLIC_PAGES = {
  description: 'Questions can be read without an account, by whoever has the link. Of open spaces only.',
} as const;
const CONSENT_AGE = {
  nullable: true,
  description: 'Whoever is younger joins with a guardian’s consent, in years; null: nobody is asked.',
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
  @Field(() => SpaceEntryEnum) readonly entry!: SpaceEntry;
  @Field(() => Boolean, PUBLIC_PAGES) readonly publicPages!: boolean;
  @Field(() => Int, CONSENT_AGE) readonly consentAge!: number | null;
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
  @Field(() => SpaceEntryEnum, { nullable: true }) readonly entry?: SpaceEntry | null;
  @Field(() => Boolean, { nullable: true, ...PUBLIC_PAGES }) readonly publicPages?: boolean | null;
  @Field(() => Int, CONSENT_AGE) readonly consentAge?: number | null;
}

@InputType({
  description:
    'What is left out stays; a banner that is null is taken off, and an age that is null is not asked any more.',
})
export class SpaceChange {
  @Field(() => String, { nullable: true }) readonly name?: string | null;
  @Field(() => String, { nullable: true }) readonly description?: string | null;
  @Field(() => String, { nullable: true }) readonly bannerImageUrl?: string | null;
  @Field(() => String, { nullable: true, ...HEX }) readonly color?: string | null;
  @Field(() => Boolean, { nullable: true }) readonly hiddenFromSearchEngines?: boolean | null;
  @Field(() => SpaceEntryEnum, { nullable: true }) readonly entry?: SpaceEntry | null;
  @Field(() => Boolean, { nullable: true, ...PUBLIC_PAGES }) readonly publicPages?: boolean | null;
  @Field(() => Int, CONSENT_AGE) readonly consentAge?: number | null;
}

@InputType({ description: 'What is left out stays.' })
export class SubjectChange {
  @Field(() => String, { nullable: true }) readonly subjectName?: string | null;
  @Field(() => String, { nullable: true, ...HEX }) readonly color?: string | null;
}
