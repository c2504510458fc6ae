import { Field, ID, ObjectType } from '@nestjs/graphql';

@ObjectType({ description: 'A person as others see it.' })
export class Author {
  @Field(() => ID) readonly _id!: string;
  @Field(() => String) readonly userName!: string;
  @Field(() => String) readonly firstName!: string;
  @Field(() => String) readonly lastName!: string;
  @Field(() => String, { nullable: true }) readonly realProfilePicUrl!: string | null;
  @Field(() => String) readonly profileDesc!: string;
}
