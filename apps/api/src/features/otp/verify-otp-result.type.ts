import { Field, ID, Int, ObjectType } from '@nestjs/graphql';
import { PhoneScalar } from '../../platform/graphql/scalars.js';

@ObjectType()
export class VerifyOtpResult {
  @Field(() => Int) readonly flag!: number;
  @Field(() => ID, { nullable: true }) readonly id!: string | null;
  @Field(() => PhoneScalar, { nullable: true }) readonly phone!: string | null;
  @Field(() => String, { nullable: true }) readonly grant!: string | null;
}
