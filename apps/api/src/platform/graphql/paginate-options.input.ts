import { Field, InputType, Int } from '@nestjs/graphql';

@InputType()
export class PaginateOptions {
  @Field(() => Int, { nullable: true, defaultValue: 1 }) readonly page?: number | null;
  @Field(() => Int, { nullable: true }) readonly limit?: number | null;
  @Field(() => Int, { nullable: true, defaultValue: 1, description: '1 newest first, 2 most answers first.' })
  readonly sort?: number | null;
}
