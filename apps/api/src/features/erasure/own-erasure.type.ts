import { Field, ObjectType } from '@nestjs/graphql';

@ObjectType({ description: "That the caller's own account is going to be deleted." })
export class OwnErasure {
  @Field(() => String, { description: 'From when on. Until then it can be kept.' })
  readonly dueAt!: string;
  @Field(() => Boolean, { description: 'With what the caller wrote.' })
  readonly withWords!: boolean;
}
