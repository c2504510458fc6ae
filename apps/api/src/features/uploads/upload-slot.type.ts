import { Field, ObjectType } from '@nestjs/graphql';

@ObjectType()
export class UploadSlot {
  @Field(() => String, { description: 'For one PUT of the file, with the type that was announced.' })
  readonly url!: string;
  @Field(() => String) readonly key!: string;
  @Field(() => String, {
    nullable: true,
    description:
      'To be POSTed when the PUT is done, where that goes straight to a store; it answers as the PUT would. Null where the PUT answers itself.',
  })
  readonly doneUrl!: string | null;
}
