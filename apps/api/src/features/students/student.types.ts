import { Field, ID, Int, ObjectType, registerEnumType } from '@nestjs/graphql';
import { type Role, DomainError } from '@nimo/domain';
import { type StudentView, findManagedStudent, type AuthorView } from '@nimo/projections';
import { DateTimeScalar, PhoneScalar } from '../../platform/graphql/scalars.js';
import type { Pool } from 'pg';
import type { CommandContext } from '../../platform/commands/command-context.js';
import { StaffActionResult, type OwnStaffActions } from '../staff-actions/own-staff-actions.js';
import type { Viewer } from '../../platform/auth/viewer.js';

@ObjectType({ description: 'Public profile of a user.' })
export class Author {
  @Field(() => ID) readonly _id!: string;
  @Field(() => String) readonly userName!: string;
  @Field(() => String) readonly firstName!: string;
  @Field(() => String) readonly lastName!: string;
  @Field(() => String, { nullable: true }) readonly realProfilePicUrl!: string | null;
  @Field(() => String) readonly profileDesc!: string;
}

interface Authored {
  readonly author: AuthorView;
}

const withoutFullName = (author: AuthorView): AuthorView => ({
  ...author,
  firstName: '',
  lastName: '',
  profileDesc: '',
});

/** Removes full names for anonymous readers, who see only user names. */
export const visibleTo = <Post extends Authored>(viewer: Viewer | null, post: Post): Post =>
  viewer ? post : { ...post, author: withoutFullName(post.author) };

export const pageVisibleTo = <Page extends { readonly docs: readonly Authored[] }>(
  viewer: Viewer | null,
  page: Page,
): Page => (viewer ? page : { ...page, docs: page.docs.map((post) => visibleTo(viewer, post)) });

type AccountStatus = 'ACTIVE' | 'BLOCKED';

export const RoleEnum: { readonly [R in Role]: R } = { MODERATOR: 'MODERATOR', MAINTAINER: 'MAINTAINER' };
registerEnumType(RoleEnum, { name: 'Role' });
export const AccountStatusEnum: { readonly [S in AccountStatus]: S } = {
  ACTIVE: 'ACTIVE',
  BLOCKED: 'BLOCKED',
};
registerEnumType(AccountStatusEnum, { name: 'AccountStatus' });

@ObjectType()
class RoleAssignment {
  @Field(() => RoleEnum) readonly role!: Role;
  @Field(() => ID, { nullable: true, description: 'Null for all spaces.' }) readonly space!: string | null;
}

/** The account as its owner sees it. Others get only `_id` and `isRegistered`. Lists are field resolvers. */
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

type Account = { readonly [Field in keyof Student]: Student[Field] };

/** The account as anyone but its owner sees it, as if it had never logged in. */
export const redactedAccount = (studentId: string, isRegistered: boolean): Account => ({
  _id: studentId,
  isRegistered,
  userName: null,
  firstName: null,
  lastName: null,
  isFirstTimeLogin: true,
  isPhoneVerified: false,
  realProfilePicUrl: null,
  profileDesc: null,
  phone: null,
  email: null,
  registrationType: null,
  approvalStatusHome: null,
  accountStatus: null,
  countQuestions: null,
  roles: [],
});

export const ownAccountOf = (student: StudentView): Account => ({
  ...redactedAccount(student._id, student.isRegistered),
  userName: student.userName,
  firstName: student.firstName,
  lastName: student.lastName,
  isFirstTimeLogin: student.isFirstTimeLogin,
  isPhoneVerified: student.isPhoneVerified,
  realProfilePicUrl: student.realProfilePicUrl,
  profileDesc: student.profileDesc,
  phone: student.phone,
  email: student.email,
  registrationType: student.registrationType,
  approvalStatusHome: 'APPROVED',
  accountStatus: student.accountStatus,
  countQuestions: student.countQuestions,
  roles: student.roles,
});

@ObjectType()
class RoleSpace {
  @Field(() => ID) readonly _id!: string;
  @Field(() => String) readonly name!: string;
}

@ObjectType()
class HeldRole {
  @Field(() => RoleEnum) readonly role!: Role;
  @Field(() => RoleSpace, { nullable: true, description: 'Null for all spaces.' })
  readonly space!: RoleSpace | null;
}

@ObjectType({ description: 'A student as maintainers see them.' })
export class ManagedStudent extends Author {
  @Field(() => DateTimeScalar) readonly createdAt!: string;
  @Field(() => Boolean) readonly isBlocked!: boolean;
  @Field(() => Int, { description: 'Number of spaces joined.' }) readonly spaceCount!: number;
  @Field(() => [HeldRole]) readonly roles!: readonly HeldRole[];
}

@ObjectType()
export class ManagedStudentPage {
  @Field(() => [ManagedStudent]) readonly docs!: readonly ManagedStudent[];
  @Field(() => Int) readonly page!: number;
  @Field(() => Boolean) readonly hasNext!: boolean;
}

@ObjectType()
export class SavedStudentResult extends StaffActionResult {
  @Field(() => ManagedStudent) readonly student!: ManagedStudent;
}

/** The student after a maintenance command, with the command's log position. */
export async function savedStudent(
  { pool, acts }: { readonly pool: Pool; readonly acts: OwnStaffActions },
  context: CommandContext,
  studentId: string,
): Promise<SavedStudentResult> {
  const student = await findManagedStudent(pool, studentId);
  if (!student) throw new DomainError('STUDENT_NOT_FOUND');
  return { student, act: await acts.positionOf(context) };
}
