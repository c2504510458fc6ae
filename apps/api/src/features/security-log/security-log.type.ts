import { Field, ID, Int, ObjectType, registerEnumType } from '@nestjs/graphql';
import { DateTimeScalar } from '../../platform/graphql/scalars.js';
import { SECURITY_KINDS, type SecurityKind } from '../../platform/security-log/security-log.js';

const SecurityKindEnum = Object.fromEntries(SECURITY_KINDS.map((kind) => [kind, kind]));
registerEnumType(SecurityKindEnum, {
  name: 'SecurityKind',
  description: 'What happened to the access to an account.',
});

@ObjectType()
export class SecurityLogEntry {
  @Field(() => ID) readonly _id!: string;
  @Field(() => SecurityKindEnum) readonly kind!: SecurityKind;
  @Field(() => DateTimeScalar) readonly at!: string;
  @Field(() => String, { nullable: true }) readonly browser!: string | null;
  @Field(() => String, { nullable: true }) readonly system!: string | null;
  @Field(() => String, {
    nullable: true,
    description: 'Not the address: `192.0.2.0/24`, or the /48 of IPv6. Null for what others did.',
  })
  readonly network!: string | null;
}

@ObjectType()
export class SecurityLogPage {
  @Field(() => [SecurityLogEntry]) readonly docs!: readonly SecurityLogEntry[];
  @Field(() => Int) readonly page!: number;
  @Field(() => Boolean) readonly hasNext!: boolean;
}
