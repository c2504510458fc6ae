import { Field, ObjectType } from '@nestjs/graphql';

@ObjectType()
export class UploadSlot {
  @Field(() => String) readonly url!: string;
  @Field(() => String) readonly key!: string;
}
