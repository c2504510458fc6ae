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
