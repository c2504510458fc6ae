import { Injectable, type ArgumentMetadata, type PipeTransform } from '@nestjs/common';
import { validate } from 'uuid';
import { ApiError } from '../errors/api-error.js';

/** @throws ApiError unless the value is a UUID, before it can name a stream or reach a query */
export function parseId(field: string, value: string): string {
  const id = value.toLowerCase();
  if (!validate(id)) {
    throw new ApiError('VALIDATION_FAILED', `${field} is not a valid id.`, { field, rule: 'ID_MALFORMED' });
  }
  return id;
}

export const parseOptionalId = (field: string, value: string | null | undefined): string | undefined =>
  value === null || value === undefined ? undefined : parseId(field, value);

const MAX_IDS = 100;

export function parseIds(field: string, values: readonly string[]): string[] {
  if (values.length > MAX_IDS) {
    throw new ApiError('VALIDATION_FAILED', `${field} accepts at most ${MAX_IDS} ids.`, {
      field,
      rule: 'TOO_MANY_IDS',
    });
  }
  return values.map((value) => parseId(field, value));
}

/** `@Args('questionId', { type: () => ID }, IdPipe)`. */
@Injectable()
export class IdPipe implements PipeTransform<string, string> {
  transform(value: string, { data }: ArgumentMetadata): string {
    return parseId(data ?? 'id', value);
  }
}

type Value = string | boolean | null | undefined;

/** @throws ApiError for a value other than `only`, instead of ignoring it */
export function assertFixedValue(field: string, value: Value, only: string | boolean): void {
  if (value === undefined || value === null || value === only) return;
  throw new ApiError('VALIDATION_FAILED', `${field} must be ${String(only)} or omitted.`, {
    field,
    rule: 'VALUE_UNKNOWN',
  });
}

/** `@Args('scope', { type: () => String, nullable: true }, new FixedValuePipe('world'))`: for arguments kept for older clients. */
export class FixedValuePipe implements PipeTransform<string | null | undefined, string | null | undefined> {
  constructor(private readonly only: string) {}

  transform(value: string | null | undefined, { data }: ArgumentMetadata): string | null | undefined {
    assertFixedValue(data ?? 'value', value, this.only);
    return value;
  }
}

type DefinedFields<Input> = { readonly [Key in keyof Input]?: NonNullable<Input[Key]> };

/** An input without its null and undefined fields. */
export const omitNullish = <Input extends object>(input: Input): DefinedFields<Input> =>
  Object.fromEntries(
    Object.entries(input).filter(([, value]) => value !== null && value !== undefined),
  ) as DefinedFields<Input>;
