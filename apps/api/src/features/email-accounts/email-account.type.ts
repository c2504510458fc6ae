import { Field, ObjectType } from '@nestjs/graphql';

@ObjectType({ description: 'An account that can log in now.' })
export class ConfirmedAccount {
  @Field(() => String) readonly userName!: string;
}
