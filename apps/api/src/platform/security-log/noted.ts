import { type ClientOrigin, currentOrigin } from '../web/client-address.js';
import type { SecurityKind } from './security-kind.js';

/**
 * A part of a `with`, for the statement that does what is noted: both or neither is written. An entry for each student that `source`
 * (the name of another part, with what it returns) has a row of; `noteOf` are its values.
 *
 * @param first place of the first of these among the values of the statement
 */
export const noted = (source: string, first: number): string =>
  `noted as (
     insert into state.security_log (student_id, kind, browser, system, network)
     select distinct s.student_id, $${first}::text, $${first + 1}::text, $${first + 2}::text, $${first + 3}::text
     from ${source} s)`;

export const noteOf = (
  kind: SecurityKind,
  { browser, system, network }: ClientOrigin = currentOrigin(),
): [SecurityKind, string | null, string | null, string | null] => [kind, browser, system, network];
