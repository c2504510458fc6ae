import { ArgsType, Field, ID } from '@nestjs/graphql';

/** `isRegistered`, `registrationType` and `isPhoneVerified` are part of the wire; what they say is decided by the server, which refuses another. */
@ArgsType()
export class UpdateStudentArgs {
  @Field(() => ID) readonly id!: string;
  @Field(() => String, { nullable: true }) readonly userName?: string | null;
  @Field(() => String, { nullable: true }) readonly firstName?: string | null;
  @Field(() => String, { nullable: true }) readonly lastName?: string | null;
  @Field(() => String, { nullable: true }) readonly profileDesc?: string | null;
  @Field(() => String, { nullable: true }) readonly realProfilePicUrl?: string | null;
  @Field(() => String, { nullable: true }) readonly password?: string | null;
  @Field(() => Boolean, { nullable: true }) readonly isRegistered?: boolean | null;
  @Field(() => String, { nullable: true }) readonly registrationType?: string | null;
  @Field(() => Boolean, { nullable: true }) readonly isPhoneVerified?: boolean | null;
  @Field(() => String, { nullable: true }) readonly grant?: string | null;
}
