import { Field, ID, InputType, Int, ObjectType } from '@nestjs/graphql';

@ObjectType()
export class ManagedAvatar {
  @Field(() => ID) readonly _id!: string;
  @Field(() => String) readonly group!: string;
  @Field(() => String) readonly label!: string;
  @Field(() => String) readonly imageUrl!: string;
  @Field(() => Boolean, { description: 'Not offered any more.' }) readonly isRetired!: boolean;
  @Field(() => Boolean, { description: 'Comes with the product.' }) readonly isBuiltIn!: boolean;
}

@ObjectType()
export class SavedAvatarResult {
  @Field(() => ManagedAvatar) readonly avatar!: ManagedAvatar;
  @Field(() => Int, {
    nullable: true,
    description: 'Ordinal of the act in the audit; null: nothing changed.',
  })
  readonly act!: number | null;
}

@InputType({ description: 'What is left out stays.' })
export class AvatarChange {
  @Field(() => String, { nullable: true }) readonly group?: string | null;
  @Field(() => String, { nullable: true }) readonly label?: string | null;
  @Field(() => String, { nullable: true }) readonly imageUrl?: string | null;
}
