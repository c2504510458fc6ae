import { Field, ID, Int, ObjectType } from '@nestjs/graphql';
import { DateTimeScalar } from '../../platform/graphql/scalars.js';
import { GuardianConsentStateEnum, type GuardianConsentState } from '../spaces/space.types.js';
import { Author } from '../students/student.types.js';

@ObjectType({ description: 'What a guardian is asked, by the link in the mail.' })
export class GuardianConsent {
  @Field(() => String, { description: 'The user name of the student.' }) readonly userName!: string;
  @Field(() => String) readonly spaceName!: string;
  @Field(() => String) readonly spaceDescription!: string;
  @Field(() => Int, { description: 'In years, which the student says to be younger than.' })
  readonly consentAge!: number;
  @Field(() => GuardianConsentStateEnum) readonly state!: GuardianConsentState;
  @Field(() => String, { description: 'Of the terms of use that are in force.' })
  readonly termsVersion!: string;
}

@ObjectType({ description: 'A student who is younger than the space asks about.' })
export class YoungerStudent {
  @Field(() => ID, { description: 'The student’s.' }) readonly _id!: string;
  @Field(() => Author) readonly student!: Author;
  @Field(() => Int, { description: 'In years, as the space asked.' }) readonly age!: number;
  @Field(() => DateTimeScalar) readonly statedAt!: string;
  @Field(() => GuardianConsentStateEnum, { nullable: true, description: 'Null: nobody was asked.' })
  readonly consent!: GuardianConsentState | null;
  @Field(() => DateTimeScalar, { nullable: true, description: 'Of the latest question or answer.' })
  readonly consentAt!: string | null;
  @Field(() => String, { nullable: true, description: 'Of the terms that the guardian agreed to.' })
  readonly termsVersion!: string | null;
  @Field(() => Boolean) readonly isMember!: boolean;
}

@ObjectType()
export class YoungerStudentPage {
  @Field(() => [YoungerStudent]) readonly docs!: readonly YoungerStudent[];
  @Field(() => Int) readonly page!: number;
  @Field(() => Boolean) readonly hasNext!: boolean;
}
