import { Field, Int, ObjectType } from '@nestjs/graphql';

@ObjectType({ description: 'Find the number whose SHA-256 behind the salt is the challenge (ALTCHA).' })
export class SendChallenge {
  @Field(() => String) readonly algorithm!: string;
  @Field(() => String) readonly challenge!: string;
  @Field(() => String) readonly salt!: string;
  @Field(() => String) readonly signature!: string;
  @Field(() => Int, { description: 'The number is not greater.' }) readonly maxNumber!: number;
}
