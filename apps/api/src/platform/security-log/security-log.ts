import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { type ClientOrigin, currentOrigin } from '../callers/client-address.js';

/** What the security log of an account tells. A new one needs its sentence in every language of the web app. */
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

interface SecurityLogEntry {
  readonly _id: string;
  readonly kind: SecurityKind;
  readonly at: string;
  readonly browser: string | null;
  readonly system: string | null;
  readonly network: string | null;
}

/** What an event says. */
interface ToldByEvent {
  readonly kind: SecurityKind;
  readonly eventId: string;
  /** When it happened, which may be long before a worker comes to it. */
  readonly at: string;
}

interface PageOfSecurityLog {
  readonly docs: readonly SecurityLogEntry[];
  readonly page: number;
  readonly hasNext: boolean;
}

type EntryRow = Omit<SecurityLogEntry, '_id' | 'at'> & { readonly id: string; readonly at: Date | string };

/** Whose account it is not known to be. */
export const NOBODY = '';

/**
 * What happened to the access to an account, in `state.security_log`. Most entries are written by the statement that does what they
 * tell (`noted`). Personal, so not in the log of events: it is kept for some months, and goes with its owner.
 */
@Injectable()
export class SecurityLog {
  constructor(private readonly pool: Pool) {}

  /**
   * For what leaves no row to go with, as a wrong password.
   * @param studentId undefined where there is no such account: as much is written, so that the time does not tell
   */
  async note(studentId: string | undefined, kind: SecurityKind): Promise<void> {
    await this.pool.query(
      'insert into state.security_log (student_id, kind, browser, system, network) values ($1, $2, $3, $4, $5)',
      [studentId ?? NOBODY, ...noteOf(kind)],
    );
  }

  /** What an event says, once, however often it is handled. Without a client origin, which is that of its author. */
  async tell(studentId: string, { kind, eventId, at }: ToldByEvent): Promise<void> {
    await this.pool.query(
      'insert into state.security_log (student_id, kind, event_id, at) values ($1, $2, $3, $4) on conflict (event_id) do nothing',
      [studentId, kind, eventId, at],
    );
  }

  /** The newest first. */
  async pageOf(
    studentId: string,
    { page, limit, offset }: { readonly page: number; readonly limit: number; readonly offset: number },
  ): Promise<PageOfSecurityLog> {
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

/** The right to be forgotten. Nothing else knows what was in it. */
export async function forgetSecurityLog(pool: Pick<Pool, 'query'>, studentId: string): Promise<void> {
  await pool.query('delete from state.security_log where student_id = $1', [studentId]);
}
