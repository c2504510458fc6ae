import { Field, ID, ObjectType } from '@nestjs/graphql';

@ObjectType()
export class Reference {
  @Field(() => ID) readonly _id!: string;
}

@ObjectType()
export class PersonReference {
  @Field(() => ID) readonly _id!: string;
}

@ObjectType()
export class Confirmation {
  @Field(() => ID) readonly _id!: string;
}
