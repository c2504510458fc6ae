import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { noteOf } from './noted.js';
import type { SecurityKind } from './security-kind.js';

export interface SecurityLogEntry {
  readonly _id: string;
  readonly kind: SecurityKind;
  readonly at: string;
  readonly browser: string | null;
  readonly system: string | null;
  readonly network: string | null;
}

/** What an event says. */
export interface ToldByEvent {
  readonly kind: SecurityKind;
  readonly eventId: string;
  /** When it happened, which may be long before a worker comes to it. */
  readonly at: string;
}

export interface PageOfSecurityLog {
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
