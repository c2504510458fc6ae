import type { Role } from '@nimo/domain';
import { Field, ID, Int, ObjectType, registerEnumType } from '@nestjs/graphql';
import { PhoneScalar } from '../../platform/graphql/scalars.js';

type AccountStatus = 'ACTIVE' | 'BLOCKED';

export const RoleEnum: { readonly [R in Role]: R } = { MODERATOR: 'MODERATOR', MAINTAINER: 'MAINTAINER' };
registerEnumType(RoleEnum, { name: 'Role' });
export const AccountStatusEnum: { readonly [S in AccountStatus]: S } = {
  ACTIVE: 'ACTIVE',
  BLOCKED: 'BLOCKED',
};
registerEnumType(AccountStatusEnum, { name: 'AccountStatus' });

@ObjectType()
export class RoleAssignment {
  @Field(() => RoleEnum) readonly role!: Role;
  @Field(() => ID, { nullable: true, description: 'Null: in all spaces.' }) readonly space!: string | null;
}

/** The account as its owner sees it; others get `_id` and `isRegistered`. Lists are fields of the resolver. */
@ObjectType()
export class Student {
  @Field(() => ID) readonly _id!: string;
  @Field(() => String, { nullable: true }) readonly userName!: string | null;
  @Field(() => String, { nullable: true }) readonly firstName!: string | null;
  @Field(() => String, { nullable: true }) readonly lastName!: string | null;
  @Field(() => Boolean) readonly isFirstTimeLogin!: boolean;
  @Field(() => Boolean) readonly isPhoneVerified!: boolean;
  @Field(() => String, { nullable: true }) readonly realProfilePicUrl!: string | null;
  @Field(() => String, { nullable: true }) readonly profileDesc!: string | null;
  @Field(() => PhoneScalar, { nullable: true }) readonly phone!: string | null;
  @Field(() => String, { nullable: true }) readonly email!: string | null;
  @Field(() => String, { nullable: true }) readonly registrationType!: string | null;
  @Field(() => String, { nullable: true }) readonly approvalStatusHome!: string | null;
  @Field(() => AccountStatusEnum, { nullable: true }) readonly accountStatus!: AccountStatus | null;
  @Field(() => Int, { nullable: true }) readonly countQuestions!: number | null;
  @Field(() => Boolean) readonly isRegistered!: boolean;
  @Field(() => [RoleAssignment]) readonly roles!: readonly RoleAssignment[];
}
