import { Field, Int, ObjectType } from '@nestjs/graphql';
import { CaseSpace } from './invalidation-case.type.js';

@ObjectType()
export class VotePatternCount {
  @Field(() => CaseSpace) readonly space!: CaseSpace;
  @Field(() => Int) readonly untriaged!: number;
  @Field(() => Int) readonly seen!: number;
  @Field(() => Int) readonly watched!: number;
  @Field(() => Int) readonly watchedAndGrown!: number;
  @Field(() => Int) readonly harmless!: number;
}
