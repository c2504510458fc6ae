import type { ValueTransformer } from 'typeorm';

const readOnly = (): never => {
  throw new TypeError('read models are written by their projections alone');
};

/** timestamptz as the product writes times: ISO 8601 in UTC with milliseconds. */
export const ISO_TIME: ValueTransformer = {
  from: (time: Date | string | null) => (time === null ? null : new Date(time).toISOString()),
  to: readOnly,
};

/** bigint as a number; PostgreSQL sends it as text. */
export const NUMBER: ValueTransformer = {
  from: (digits: string | number | null) => (digits === null ? null : Number(digits)),
  to: readOnly,
};
