import { Field, ID, Int, ObjectType } from '@nestjs/graphql';
import { DateTimeScalar } from '../../platform/graphql/scalars.js';

@ObjectType({ description: 'The second factor that completes the sign-in of this ticket.' })
export class SecondFactorStep {
  @Field(() => String) readonly ticket!: string;
  @Field(() => Boolean, { description: 'Whether an authenticator app is set up.' })
  readonly hasTotp!: boolean;
  @Field(() => Boolean) readonly hasPasskey!: boolean;
}

@ObjectType()
export class LoginResult {
  @Field(() => String, { nullable: true }) readonly accessToken!: string | null;
  @Field(() => String, { nullable: true }) readonly error!: string | null;
  @Field(() => String, { nullable: true, description: 'The violated rule, as in `extensions.rule`.' })
  readonly rule!: string | null;
  @Field(() => SecondFactorStep, {
    nullable: true,
    description:
      'Set with the rule SECOND_FACTOR_REQUIRED: the password was correct, continue with `finishSecondFactor`.',
  })
  readonly secondFactor!: SecondFactorStep | null;
  @Field(() => String, {
    nullable: true,
    description:
      'Set with the rule EMAIL_UNCONFIRMED: the password was correct, `sendConfirmation` mails the link again.',
  })
  readonly confirmation!: string | null;
}

@ObjectType()
export class Passkey {
  @Field(() => ID) readonly _id!: string;
  @Field(() => String) readonly name!: string;
  @Field(() => DateTimeScalar) readonly createdAt!: string;
  @Field(() => DateTimeScalar, { nullable: true }) readonly lastUsedAt!: string | null;
}

@ObjectType({ description: 'A reset by a maintainer or from the command line.' })
export class SecondFactorResetNotice {
  @Field(() => DateTimeScalar) readonly at!: string;
  @Field(() => String) readonly reason!: string;
}

@ObjectType({ description: "The caller's second factor, without secrets." })
export class SecondFactor {
  @Field(() => Boolean, {
    description:
      'Whether the caller holds a role in an installation that requires a second factor from staff.',
  })
  readonly isRequired!: boolean;
  @Field(() => Boolean, { description: 'Whether this session may use all of its roles.' })
  readonly opensStaffAreas!: boolean;
  @Field(() => Boolean, {
    description: 'Whether this session confirmed it recently enough to change factors.',
  })
  readonly isRecent!: boolean;
  @Field(() => Boolean) readonly hasTotp!: boolean;
  @Field(() => String, { nullable: true, description: 'Name of the authenticator app; null if it has none.' })
  readonly totpName!: string | null;
  @Field(() => [Passkey]) readonly passkeys!: readonly Passkey[];
  @Field(() => Int) readonly recoveryCodesLeft!: number;
  @Field(() => String, { description: 'The host name that passkeys are bound to.' })
  readonly passkeyHost!: string;
  @Field(() => SecondFactorResetNotice, {
    nullable: true,
    description: 'Null once the caller has dismissed it.',
  })
  readonly reset!: SecondFactorResetNotice | null;
}

@ObjectType()
export class StartedTotp {
  @Field(() => String, { description: 'Base32, for manual entry. Shown only once.' })
  readonly secret!: string;
  @Field(() => String, { description: 'The same as an `otpauth://` URI, for a QR code.' })
  readonly address!: string;
}

@ObjectType()
export class AddedSecondFactor {
  @Field(() => [String], {
    nullable: true,
    description: 'New recovery codes, shown only once; null if the caller already has some.',
  })
  readonly recoveryCodes!: readonly string[] | null;
}
