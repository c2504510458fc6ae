import { Field, ID, ObjectType } from '@nestjs/graphql';
import { DateTimeScalar } from '../../platform/graphql/scalars.js';
import { Author } from '../students/author.type.js';

@ObjectType({ description: 'For moderators of the space and maintainers. Never shown to whom it is about.' })
export class StudentNote {
  @Field(() => ID) readonly _id!: string;
  @Field(() => String, { description: 'Plain text.' }) readonly text!: string;
  @Field(() => DateTimeScalar) readonly writtenAt!: string;
  @Field(() => Author, { nullable: true, description: 'Null for somebody who was erased.' })
  readonly author!: Author | null;
}
