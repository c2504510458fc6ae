import { Field, ID, Int, ObjectType } from '@nestjs/graphql';
import { DateTimeScalar } from '../../platform/graphql/scalars.js';
import { Author } from '../students/author.type.js';

@ObjectType({ description: 'A student who asks to join a space.' })
export class EntryRequest {
  @Field(() => ID, { description: 'The student’s.' }) readonly _id!: string;
  @Field(() => Author) readonly student!: Author;
  @Field(() => String, { nullable: true }) readonly text!: string | null;
  @Field(() => DateTimeScalar) readonly requestedAt!: string;
}

@ObjectType()
export class EntryRequestPage {
  @Field(() => [EntryRequest]) readonly docs!: readonly EntryRequest[];
  @Field(() => Int) readonly page!: number;
  @Field(() => Boolean) readonly hasNext!: boolean;
}
