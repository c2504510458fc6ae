import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { type ClientOrigin, currentOrigin } from '../callers/client-address.js';

/** Kinds of security log entries. A new one needs a translation in every language of the web app. */
export const SECURITY_KINDS = [
  'LOGGED_IN',
  'LOG_IN_FAILED',
  'LOGGED_OUT',
  'SESSION_ENDED',
  'OTHER_SESSIONS_ENDED',
  'ALL_SESSIONS_ENDED',
  'CODE_SENT',
  'CODE_FAILED',
  'RESET_ASKED',
  'PASSWORD_SET',
  'PASSWORD_CHANGED',
  'PASSWORD_RESET',
  'PASSWORD_CHECK_FAILED',
  'EMAIL_CONFIRMED',
  'CONTACT_CHANGE_ASKED',
  'PHONE_CHANGED',
  'EMAIL_CHANGED',
  'PROVIDER_LINKED',
  'FACTOR_ADDED',
  'FACTOR_REMOVED',
  'FACTOR_RENAMED',
  'FACTOR_ASKED',
  'FACTOR_USED',
  'FACTOR_FAILED',
  'FACTOR_RESET',
  'RECOVERY_CODE_USED',
  'RECOVERY_CODES_MADE',
  'ROLE_GRANTED',
  'ROLE_REVOKED',
  'BLOCKED',
  'UNBLOCKED',
  'SUSPENDED',
  'SUSPENSION_LIFTED',
] as const;
export type SecurityKind = (typeof SECURITY_KINDS)[number];

/**
 * A CTE that adds log entries to the statement that performs the change, so that both are written atomically. Adds an entry for each student
 * returned by the CTE `source`; `securityLogParams` provides the parameters.
 *
 * @param first number of the first parameter
 */
export const securityLogCte = (source: string, first: number): string =>
  `noted as (
     insert into state.security_log (student_id, kind, browser, system, network)
     select distinct s.student_id, $${first}::text, $${first + 1}::text, $${first + 2}::text, $${first + 3}::text
     from ${source} s)`;

export const securityLogParams = (
  kind: SecurityKind,
  { browser, system, network }: ClientOrigin = currentOrigin(),
): [SecurityKind, string | null, string | null, string | null] => [kind, browser, system, network];

interface SecurityLogEntry {
  readonly _id: string;
  readonly kind: SecurityKind;
  readonly at: string;
  readonly browser: string | null;
  readonly system: string | null;
  readonly network: string | null;
}

/** An entry derived from an event. */
interface EventEntry {
  readonly kind: SecurityKind;
  readonly eventId: string;
  /** Time of the event, which may be long before it is handled. */
  readonly at: string;
}

interface SecurityLogPage {
  readonly docs: readonly SecurityLogEntry[];
  readonly page: number;
  readonly hasNext: boolean;
}

type EntryRow = Omit<SecurityLogEntry, '_id' | 'at'> & { readonly id: string; readonly at: Date | string };

/** Student id of entries for unknown accounts. */
export const UNKNOWN_ACCOUNT = '';

/**
 * Logins and access changes of an account, in `state.security_log`. Most entries are written by the statement that performs the change
 * (`noted`). Personal data, so not in the event log: kept for some months and erased with the owner.
 */
@Injectable()
export class SecurityLog {
  constructor(private readonly pool: Pool) {}

  /**
   * Adds an entry without a related change, such as a wrong password.
   * @param studentId undefined for an unknown account: writes an entry all the same, to keep the timing equal
   */
  async record(studentId: string | undefined, kind: SecurityKind): Promise<void> {
    await this.pool.query(
      'insert into state.security_log (student_id, kind, browser, system, network) values ($1, $2, $3, $4, $5)',
      [studentId ?? UNKNOWN_ACCOUNT, ...securityLogParams(kind)],
    );
  }

  /** Adds the entry of an event, idempotently. Without a client origin, which would be that of the event's author. */
  async recordEvent(studentId: string, { kind, eventId, at }: EventEntry): Promise<void> {
    await this.pool.query(
      'insert into state.security_log (student_id, kind, event_id, at) values ($1, $2, $3, $4) on conflict (event_id) do nothing',
      [studentId, kind, eventId, at],
    );
  }

  /** Newest first. */
  async page(
    studentId: string,
    { page, limit, offset }: { readonly page: number; readonly limit: number; readonly offset: number },
  ): Promise<SecurityLogPage> {
    const { rows } = await this.pool.query<EntryRow>(
      `select id, kind, at, browser, system, network from state.security_log
       where student_id = $1 order by at desc, id limit $2 offset $3`,
      [studentId, limit + 1, offset],
    );
    const docs = rows
      .slice(0, limit)
      .map(({ id, at, ...entry }) => ({ _id: id, at: new Date(at).toISOString(), ...entry }));
    return { docs, page, hasNext: rows.length > limit };
  }
}

/** Deletes a student's security log on erasure. */
export async function forgetSecurityLog(pool: Pick<Pool, 'query'>, studentId: string): Promise<void> {
  await pool.query('delete from state.security_log where student_id = $1', [studentId]);
}
