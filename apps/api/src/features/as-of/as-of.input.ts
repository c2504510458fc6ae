import { Field, InputType, Int } from '@nestjs/graphql';
import type { AsOf } from '@nimo/projections';
import { ApiError } from '../../platform/errors/api-error.js';
import { DateTimeScalar } from '../../platform/graphql/scalars.js';

@InputType({ description: 'A point in the past: exactly one of the two.' })
export class AsOfInput {
  @Field(() => Int, { nullable: true, description: 'All up to this place in the log.' })
  readonly ordinal?: number | null;
  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'All that had happened by this moment, whenever it was logged.',
  })
  readonly at?: string | null;
}

/** Before anything that a log could tell of. */
const EARLIEST = '1900-01-01T00:00:00.000Z';
/** Clocks differ a little; nobody is refused for asking for now. */
const CLOCKS_DIFFER_MS = 60_000;

/** @throws ApiError naming the field and the rule. */
export function asOfPoint(
  { ordinal, at }: AsOfInput,
  { lastOrdinal, now }: { readonly lastOrdinal: number; readonly now: Date },
): AsOf {
  const [hasOrdinal, hasMoment] = [typeof ordinal === 'number', typeof at === 'string'];
  if (hasOrdinal === hasMoment)
    throw refused('asOf', 'AS_OF_EXACTLY_ONE', 'asOf must have exactly one of ordinal and at.');
  if (typeof ordinal === 'number') {
    if (ordinal < 1 || ordinal > lastOrdinal)
      throw refused('ordinal', 'AS_OF_OUTSIDE_THE_LOG', `ordinal must be between 1 and ${lastOrdinal}.`);
    return { by: 'ordinal', ordinal };
  }
  const moment = at ?? now.toISOString();
  if (Date.parse(moment) > now.getTime() + CLOCKS_DIFFER_MS)
    throw refused('at', 'AS_OF_NOT_YET', 'at must not be later than now.');
  if (Date.parse(moment) < Date.parse(EARLIEST))
    throw refused('at', 'AS_OF_OUTSIDE_THE_LOG', `at must not be earlier than ${EARLIEST.slice(0, 10)}.`);
  return { by: 'moment', at: moment };
}

const refused = (field: string, rule: string, message: string): ApiError =>
  new ApiError('VALIDATION_FAILED', message, { field, rule });
