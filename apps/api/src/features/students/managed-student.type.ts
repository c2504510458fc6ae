import type { Role } from '@nimo/domain';
import { Field, ID, Int, ObjectType } from '@nestjs/graphql';
import { DateTimeScalar } from '../../platform/graphql/scalars.js';
import { Author } from './author.type.js';
import { RoleEnum } from './student.type.js';

@ObjectType()
class RoleSpace {
  @Field(() => ID) readonly _id!: string;
  @Field(() => String) readonly name!: string;
}

@ObjectType()
export class HeldRole {
  @Field(() => RoleEnum) readonly role!: Role;
  @Field(() => RoleSpace, { nullable: true, description: 'Null: in all spaces.' })
  readonly space!: RoleSpace | null;
}

@ObjectType({ description: 'A student as maintainers see one.' })
export class ManagedStudent extends Author {
  @Field(() => DateTimeScalar) readonly createdAt!: string;
  @Field(() => Boolean) readonly isBlocked!: boolean;
  @Field(() => Int, { description: 'How many spaces the student is in.' }) readonly spaceCount!: number;
  @Field(() => [HeldRole]) readonly roles!: readonly HeldRole[];
}

@ObjectType()
export class ManagedStudentPage {
  @Field(() => [ManagedStudent]) readonly docs!: readonly ManagedStudent[];
  @Field(() => Int) readonly page!: number;
  @Field(() => Boolean) readonly hasNext!: boolean;
}

@ObjectType()
export class SavedStudentResult {
  @Field(() => ManagedStudent) readonly student!: ManagedStudent;
  @Field(() => Int, {
    nullable: true,
    description: 'Ordinal of the act in the audit; null: nothing changed.',
  })
  readonly act!: number | null;
}
