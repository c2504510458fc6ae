import { Field, ObjectType, Int } from '@nestjs/graphql';
import { DomainError, type DomainErrorCode } from '@nimo/domain';
import { toApiError } from './format-error.js';

@ObjectType()
class RefusalParam {
  @Field(() => String) readonly name!: string;
  @Field(() => String) readonly value!: string;
}

/** A refusal returned as data next to a flag, with the content of the corresponding error. */
@ObjectType()
export class Refusal {
  @Field(() => String) readonly message!: string;
  @Field(() => String) readonly code!: string;
  @Field(() => String) readonly rule!: string;
  @Field(() => String, { nullable: true }) readonly field!: string | null;
  @Field(() => [RefusalParam]) readonly params!: readonly RefusalParam[];
}

/** 1 for success, 0 for refusal. */
@ObjectType()
export class FlagResult {
  @Field(() => Int) readonly flag!: number;
  @Field(() => Refusal, {
    nullable: true,
    description: 'Why flag is 0, if a product rule is the reason; set by sendOTP and changePassword.',
  })
  readonly refusal?: Refusal | null;
}

/** The refusal by one of the rules; any other error is rethrown. */
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
