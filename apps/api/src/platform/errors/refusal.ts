import { Field, ObjectType, Int } from '@nestjs/graphql';
import { DomainError, type DomainErrorCode } from '@nimo/domain';
import { toApiError } from './format-error.js';

@ObjectType()
class RefusalParam {
  @Field(() => String) readonly name!: string;
  @Field(() => String) readonly value!: string;
}

/** A refusal as data, where a flag tells of it: what an error of the same rule would say. */
@ObjectType()
export class Refusal {
  @Field(() => String) readonly message!: string;
  @Field(() => String) readonly code!: string;
  @Field(() => String) readonly rule!: string;
  @Field(() => String, { nullable: true }) readonly field!: string | null;
  @Field(() => [RefusalParam]) readonly params!: readonly RefusalParam[];
}

/** 1 is success, 0 is refused. */
@ObjectType()
export class FlagResult {
  @Field(() => Int) readonly flag!: number;
  @Field(() => Refusal, {
    nullable: true,
    description: 'Why it is 0, where a rule of the product says so: of sendOTP and changePassword.',
  })
  readonly refusal?: Refusal | null;
}

/** What a rule of these refused; anything else stays an error. */
export async function refusalOf(
  attempt: Promise<unknown>,
  rules: readonly DomainErrorCode[],
): Promise<Refusal | null> {
  try {
    await attempt;
    return null;
  } catch (error) {
    const refused =
      error instanceof DomainError && rules.includes(error.code) ? toApiError(error) : undefined;
    if (!refused) throw error;
    const { message, code, details } = refused;
    const params = Object.entries(details.params ?? {});
    return {
      message,
      code,
      rule: details.rule ?? code,
      field: details.field ?? null,
      params: params.map(([name, value]) => ({ name, value: String(value) })),
    };
  }
}
