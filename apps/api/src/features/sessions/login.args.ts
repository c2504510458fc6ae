import { ArgsType, Field } from '@nestjs/graphql';
import { PhoneScalar } from '../../platform/graphql/scalars.js';

@ArgsType()
export class LoginArgs {
  @Field(() => String) readonly password!: string;
  @Field(() => String, { nullable: true }) readonly userName?: string | null;
  @Field(() => PhoneScalar, { nullable: true }) readonly phone?: string | null;
  @Field(() => String, { nullable: true }) readonly userType?: string | null;
  @Field(() => Boolean, { nullable: true }) readonly rememberMe?: boolean | null;
}
