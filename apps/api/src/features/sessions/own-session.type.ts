import { Field, ID, ObjectType } from '@nestjs/graphql';

@ObjectType({ description: 'A place where the student is signed in.' })
export class OwnSession {
  @Field(() => ID) readonly _id!: string;
  @Field(() => String, { nullable: true }) readonly browser!: string | null;
  @Field(() => String, { nullable: true }) readonly system!: string | null;
  @Field(() => String) readonly address!: string;
  @Field(() => String) readonly createdAt!: string;
  @Field(() => String, { description: 'To the minute.' }) readonly lastUsedAt!: string;
  @Field(() => String) readonly expiresAt!: string;
  @Field(() => String, { nullable: true, description: 'When the second factor was given in it last.' })
  readonly factorAt!: string | null;
  @Field(() => Boolean, { description: 'The one that asks.' }) readonly isCurrent!: boolean;
}
