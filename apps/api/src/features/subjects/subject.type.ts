import { Field, ID, ObjectType } from '@nestjs/graphql';

@ObjectType()
export class Subject {
  @Field(() => ID) readonly _id!: string;
  @Field(() => String) readonly subjectName!: string;
  @Field(() => String, { description: 'Hex without #.' }) readonly color!: string;
}
