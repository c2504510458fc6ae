import { Injectable, type ArgumentMetadata, type PipeTransform } from '@nestjs/common';
import { validate } from 'uuid';
import { ApiError } from '../errors/api-error.js';

/** Ids are UUIDs: anything else is refused before it names a stream or reaches a statement. */
export function idOf(field: string, value: string): string {
  const id = value.toLowerCase();
  if (!validate(id)) {
    throw new ApiError('VALIDATION_FAILED', `${field} is not a valid id.`, { field, rule: 'ID_MALFORMED' });
  }
  return id;
}

export const optionalIdOf = (field: string, value: string | null | undefined): string | undefined =>
  value === null || value === undefined ? undefined : idOf(field, value);

const MAX_IDS = 100;

export function idsOf(field: string, values: readonly string[]): string[] {
  if (values.length > MAX_IDS) {
    throw new ApiError('VALIDATION_FAILED', `${field} may name at most ${MAX_IDS} ids.`, {
      field,
      rule: 'TOO_MANY_IDS',
    });
  }
  return values.map((value) => idOf(field, value));
}

/** `@Args('questionId', { type: () => ID }, IdPipe)`. */
@Injectable()
export class IdPipe implements PipeTransform<string, string> {
  transform(value: string, { data }: ArgumentMetadata): string {
    return idOf(data ?? 'id', value);
  }
}

type Value = string | boolean | null | undefined;

/** Left out or `only`: anything else is refused, not passed over. */
export function assertOnly(field: string, given: Value, only: string | boolean): void {
  if (given === undefined || given === null || given === only) return;
  throw new ApiError('VALIDATION_FAILED', `${field} is ${String(only)}, or left out.`, {
    field,
    rule: 'VALUE_UNKNOWN',
  });
}

/** `@Args('scope', { type: () => String, nullable: true }, new OnlyValuePipe('world'))`, for an argument that former clients send. */
export class OnlyValuePipe implements PipeTransform<string | null | undefined, string | null | undefined> {
  constructor(private readonly only: string) {}

  transform(value: string | null | undefined, { data }: ArgumentMetadata): string | null | undefined {
    assertOnly(data ?? 'value', value, this.only);
    return value;
  }
}

type Given<Input> = { readonly [Key in keyof Input]?: NonNullable<Input[Key]> };

/** The fields of an input that say something: null is as good as left out. */
export const given = <Input extends object>(input: Input): Given<Input> =>
  Object.fromEntries(
    Object.entries(input).filter(([, value]) => value !== null && value !== undefined),
  ) as Given<Input>;
