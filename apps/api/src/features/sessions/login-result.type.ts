import { Field, Int, ObjectType } from '@nestjs/graphql';
import { Refusal } from '../../platform/errors/refusal.js';
import { SecondFactorStep } from '../second-factor/second-factor.types.js';

@ObjectType()
export class LoginResult {
  @Field(() => String, { nullable: true }) readonly accessToken!: string | null;
  @Field(() => String, { nullable: true }) readonly error!: string | null;
  @Field(() => String, { nullable: true, description: 'The rule that was broken, as in `extensions.rule`.' })
  readonly rule!: string | null;
  @Field(() => SecondFactorStep, {
    nullable: true,
    description:
      'Beside the rule SECOND_FACTOR_REQUIRED: the password was right, go on with `finishSecondFactor`.',
  })
  readonly secondFactor!: SecondFactorStep | null;
  @Field(() => String, {
    nullable: true,
    description:
      'Beside the rule EMAIL_UNCONFIRMED: the password was right, `sendConfirmation` mails the link again.',
  })
  readonly confirmation!: string | null;
}

/** 1 is success, 0 is refused. */
@ObjectType()
export class FlagResult {
  @Field(() => Int) readonly flag!: number;
  @Field(() => Refusal, {
    nullable: true,
    description: 'Why it is 0, where a rule of the product says so: of sendOTP and changePassword.',
  })
  readonly refusal?: Refusal | null;
}
