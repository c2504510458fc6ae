import { Field, ID, Int, ObjectType } from '@nestjs/graphql';
import { DateTimeScalar } from '../../platform/graphql/scalars.js';
import { Author } from '../students/author.type.js';

const ACT =
  'Where the mutation that answers stands in the audit; null otherwise, where nothing changed, and while the audit lags.';

@ObjectType()
class NewspostSpace {
  @Field(() => ID) readonly _id!: string;
  @Field(() => String) readonly name!: string;
}

@ObjectType()
export class Newspost {
  @Field(() => ID) readonly _id!: string;
  @Field(() => String) readonly title!: string;
  @Field(() => String, { description: 'Sanitised HTML.' }) readonly body!: string;
  @Field(() => Boolean, { description: 'By the caller.' }) readonly liked!: boolean;
  @Field(() => Boolean, { description: 'By the caller.' }) readonly saved!: boolean;
  @Field(() => Int) readonly likeCount!: number;
  @Field(() => DateTimeScalar) readonly createdAt!: string;
  @Field(() => DateTimeScalar, { nullable: true }) readonly editedAt!: string | null;
  @Field(() => Author) readonly author!: Author;
  @Field(() => NewspostSpace, { nullable: true, description: 'Null: for everybody.' })
  readonly space!: NewspostSpace | null;
  @Field(() => Boolean, { description: 'The caller may edit and remove it.' }) readonly isEditable!: boolean;
  @Field(() => Int, { nullable: true, description: ACT }) readonly act?: number | null;
}

@ObjectType()
export class RemovedNewspost {
  @Field(() => ID) readonly _id!: string;
  @Field(() => Int, { nullable: true, description: ACT }) readonly act!: number | null;
}

@ObjectType()
export class NewspostPage {
  @Field(() => [Newspost]) readonly docs!: readonly Newspost[];
  @Field(() => Int) readonly page!: number;
  @Field(() => Int) readonly totalPages!: number;
  @Field(() => Int) readonly total!: number;
}

@ObjectType()
export class ManagedNewspost extends Newspost {
  @Field(() => Boolean) readonly isRemoved!: boolean;
}

@ObjectType()
export class ManagedNewspostPage {
  @Field(() => [ManagedNewspost]) readonly docs!: readonly ManagedNewspost[];
  @Field(() => Int) readonly page!: number;
  @Field(() => Boolean) readonly hasNext!: boolean;
}
