import { Field, Int, ObjectType } from '@nestjs/graphql';

@ObjectType()
export class LoginResult {
  @Field(() => String, { nullable: true }) readonly accessToken!: string | null;
  @Field(() => String, { nullable: true }) readonly error!: string | null;
  @Field(() => String, { nullable: true, description: 'The rule that was broken, as in `extensions.rule`.' })
  readonly rule!: string | null;
}

/** 1 is success, 0 is refused. */
@ObjectType()
export class FlagResult {
  @Field(() => Int) readonly flag!: number;
}
