import { Field, ID, Int, ObjectType } from '@nestjs/graphql';
import { DateTimeScalar } from '../../platform/graphql/scalars.js';

@ObjectType({ description: 'What a sign-in still needs: the second factor, for this ticket.' })
export class SecondFactorStep {
  @Field(() => String) readonly ticket!: string;
  @Field(() => Boolean, { description: 'Codes of an app.' }) readonly hasTotp!: boolean;
  @Field(() => Boolean) readonly hasPasskey!: boolean;
}

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

@ObjectType()
export class Passkey {
  @Field(() => ID) readonly _id!: string;
  @Field(() => String) readonly name!: string;
  @Field(() => DateTimeScalar) readonly createdAt!: string;
  @Field(() => DateTimeScalar, { nullable: true }) readonly lastUsedAt!: string | null;
}

@ObjectType({ description: 'A reset by a maintainer or at the command line.' })
export class SecondFactorResetNotice {
  @Field(() => DateTimeScalar) readonly at!: string;
  @Field(() => String) readonly reason!: string;
}

@ObjectType({ description: "The caller's second factor. Secrets are never part of it." })
export class SecondFactor {
  @Field(() => Boolean, { description: 'The caller holds a role, and staff need a second factor here.' })
  readonly isRequired!: boolean;
  @Field(() => Boolean, { description: 'Nothing stands between this session and the areas of its roles.' })
  readonly opensStaffAreas!: boolean;
  @Field(() => Boolean, {
    description: 'Given in this session a moment ago, so that factors can be changed.',
  })
  readonly isRecent!: boolean;
  @Field(() => Boolean) readonly hasTotp!: boolean;
  @Field(() => String, { nullable: true, description: 'Of the app; null until it was given one.' })
  readonly totpName!: string | null;
  @Field(() => [Passkey]) readonly passkeys!: readonly Passkey[];
  @Field(() => Int) readonly recoveryCodesLeft!: number;
  @Field(() => String, { description: 'The host name under which passkeys of this installation work.' })
  readonly passkeyHost!: string;
  @Field(() => SecondFactorResetNotice, { nullable: true, description: 'Until the caller has read it.' })
  readonly reset!: SecondFactorResetNotice | null;
}

@ObjectType()
export class StartedTotp {
  @Field(() => String, { description: 'In base32, to be typed into an app. Shown this once.' })
  readonly secret!: string;
  @Field(() => String, { description: 'The same as an otpauth address, for a QR code.' })
  readonly address!: string;
}

@ObjectType()
export class AddedSecondFactor {
  @Field(() => [String], {
    nullable: true,
    description: 'New recovery codes, shown this once; null where there are some already.',
  })
  readonly recoveryCodes!: readonly string[] | null;
}
