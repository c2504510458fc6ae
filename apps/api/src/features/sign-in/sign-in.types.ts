import { Field, ID, ObjectType } from '@nestjs/graphql';
import { SecondFactorStep } from '../second-factor/second-factor.types.js';

@ObjectType({ description: 'Another account that one can sign in with.' })
export class SignInProvider {
  @Field(() => ID) readonly _id!: string;
  @Field(() => String) readonly label!: string;
  @Field(() => Boolean, { description: 'Whether it has been set up here.' }) readonly isEnabled!: boolean;
}

@ObjectType()
export class StartedSignIn {
  @Field(() => String, { description: 'Where the browser goes next.' }) readonly url!: string;
  @Field(() => String, { description: 'Stays in the tab that began, and comes back with the code.' })
  readonly secret!: string;
}

@ObjectType({
  description:
    'A session; or the second factor that it still needs; or, for somebody new, the grant that completes the profile.',
})
export class FinishedSignIn {
  @Field(() => String, { nullable: true }) readonly accessToken!: string | null;
  @Field(() => Boolean) readonly remember!: boolean;
  @Field(() => ID, { nullable: true }) readonly id!: string | null;
  @Field(() => String, { nullable: true }) readonly grant!: string | null;
  @Field(() => SecondFactorStep, { nullable: true, description: 'Go on with `finishSecondFactor`.' })
  readonly secondFactor!: SecondFactorStep | null;
}
