import type { SendOtpMutation } from '../generated/graphql';
import { GraphqlError } from './graphql-fetch';

type Refusal = NonNullable<SendOtpMutation['sendOTP']['refusal']>;

/** A refusal that came as data, beside a flag of 0, as the error that it would be elsewhere. */
export function errorOf({ message, code, rule, field, params }: Refusal): GraphqlError {
  const values = Object.fromEntries(params.map(({ name, value }) => [name, value]));
  return new GraphqlError(message, { code, rule, field, params: values });
}
