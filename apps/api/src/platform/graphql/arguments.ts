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

/** What there is one value of, and former clients name. Another asks for something that there is not. */
const ONLY_VALUES = { scope: 'world', registrationType: 'SELF' } as const;

export type OnlyValued = keyof typeof ONLY_VALUES;

type Value = string | boolean | null | undefined;

/** Left out or `only`: anything else is refused, not passed over. */
export function assertOnly(field: string, given: Value, only: string | boolean): void {
  if (given === undefined || given === null || given === only) return;
  throw new ApiError('VALIDATION_FAILED', `${field} is ${String(only)}, or left out.`, {
    field,
    rule: 'VALUE_UNKNOWN',
  });
}

export const assertOnlyValueOf = (field: OnlyValued, given: Value): void =>
  assertOnly(field, given, ONLY_VALUES[field]);

/** `@Args('scope', { type: () => String, nullable: true }, OnlyValuePipe)`. */
@Injectable()
export class OnlyValuePipe implements PipeTransform<string | null | undefined, string | null | undefined> {
  transform(value: string | null | undefined, { data }: ArgumentMetadata): string | null | undefined {
    if (data !== 'scope' && data !== 'registrationType')
      throw new TypeError(`${String(data)} has more values than one`);
    assertOnlyValueOf(data, value);
    return value;
  }
}

type Given<Input> = { readonly [Key in keyof Input]?: NonNullable<Input[Key]> };

/** The fields of an input that say something: null is as good as left out. */
export const given = <Input extends object>(input: Input): Given<Input> =>
  Object.fromEntries(
    Object.entries(input).filter(([, value]) => value !== null && value !== undefined),
  ) as Given<Input>;
