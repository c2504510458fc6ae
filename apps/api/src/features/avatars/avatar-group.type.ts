import { Field, ObjectType } from '@nestjs/graphql';

@ObjectType()
export class AvatarGroup {
  @Field(() => String) readonly category!: string;
  @Field(() => [String]) readonly urls!: readonly string[];
}
