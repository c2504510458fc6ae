import { Field, ID, Int, ObjectType } from '@nestjs/graphql';

@ObjectType()
export class Space {
  @Field(() => ID) readonly _id!: string;
  @Field(() => String) readonly name!: string;
  @Field(() => String) readonly description!: string;
  @Field(() => String) readonly scope!: string;
  @Field(() => String, { nullable: true }) readonly bannerImageUrl!: string | null;
  @Field(() => String, { description: 'Hex without #.' }) readonly color!: string;
  @Field(() => Boolean, { description: 'The caller is a member.' }) readonly joined!: boolean;
  @Field(() => Int) readonly memberCount!: number;
}
