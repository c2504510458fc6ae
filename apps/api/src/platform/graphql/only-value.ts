import { Injectable, type ArgumentMetadata, type PipeTransform } from '@nestjs/common';
import { ApiError } from '../errors/api-error.js';

/** What there is one value of, and former clients name. Another asks for something that there is not. */
const ONLY_VALUES = { scope: 'world', registrationType: 'SELF' } as const;

export type OnlyValued = keyof typeof ONLY_VALUES;

type Given = string | boolean | null | undefined;

/** Left out or `only`: anything else is refused, not passed over. */
export function assertOnly(field: string, given: Given, only: string | boolean): void {
  if (given === undefined || given === null || given === only) return;
  throw new ApiError('VALIDATION_FAILED', `${field} is ${String(only)}, or left out.`, {
    field,
    rule: 'VALUE_UNKNOWN',
  });
}

export const assertOnlyValueOf = (field: OnlyValued, given: Given): void =>
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
