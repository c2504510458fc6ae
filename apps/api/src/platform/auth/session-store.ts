import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { hashOfToken, newToken } from './session-token.js';
import type { RoleAssignment } from '@nimo/domain';

/** `NOTIFY` payloads on this channel are ids of sessions that ended, or of students all whose sessions ended. */
export const SESSION_ENDED_CHANNEL = 'nimo_session_ended';

const LIFETIMES = { ordinary: '1 day', remembered: '60 days' } as const;

export interface Session {
  readonly sessionId: string;
  readonly studentId: string;
  readonly expiresAt: number;
  readonly roles: readonly RoleAssignment[];
}

interface SessionRow {
  readonly student_id: string;
  readonly expires_at: Date | string;
  readonly roles: readonly { readonly role: RoleAssignment['role']; readonly space_id: string }[];
}

/** Sessions are rows of `state.session`, known by the hash of their token. */
@Injectable()
export class SessionStore {
  private readonly forgetters: ((id: string) => void)[] = [];

  constructor(private readonly pool: Pool) {}

  /** For this process, which does not wait to be notified of what it did itself. */
  whenEnded(forget: (id: string) => void): void {
    this.forgetters.push(forget);
  }

  /** @returns the token, which exists nowhere but with the client */
  async open(
    studentId: string,
    options: { readonly remember: boolean; readonly address: string; readonly userAgent: string },
  ): Promise<string> {
    const token = newToken();
    await this.pool.query(
      `insert into state.session (token_hash, student_id, expires_at, address, user_agent)
       values ($1, $2, now() + $3::interval, $4, $5)`,
      [
        hashOfToken(token),
        studentId,
        options.remember ? LIFETIMES.remembered : LIFETIMES.ordinary,
        options.address,
        options.userAgent.slice(0, 300),
      ],
    );
    return token;
  }

  /** A live session of a student who is not blocked. */
  async find(tokenHash: string): Promise<Session | null> {
    const { rows } = await this.pool.query<SessionRow>({
      name: 'find-session',
      text: `select s.student_id, s.expires_at,
               coalesce((select jsonb_agg(jsonb_build_object('role', r.role, 'space_id', r.space_id))
                         from read.student_roles r where r.student_id = s.student_id), '[]') as roles
             from state.session s
             where s.token_hash = $1 and s.expires_at > now()
               and not exists (select 1 from read.students p
                               where p.student_id = s.student_id and (p.is_blocked or p.is_erased))`,
      values: [tokenHash],
    });
    const row = rows[0];
    if (!row) return null;
    return {
      sessionId: tokenHash,
      studentId: row.student_id,
      expiresAt: new Date(row.expires_at).getTime(),
      roles: row.roles.map(({ role, space_id }) => ({ role, spaceId: space_id === '' ? null : space_id })),
    };
  }

  async end(sessionId: string): Promise<void> {
    await this.pool.query(
      `with ended as (delete from state.session where token_hash = $1 returning token_hash)
       select pg_notify('${SESSION_ENDED_CHANNEL}', token_hash) from ended`,
      [sessionId],
    );
    this.forgetters.forEach((forget) => forget(sessionId));
  }

  async endAllOf(studentId: string): Promise<void> {
    await this.pool.query(
      `with ended as (delete from state.session where student_id = $1)
       select pg_notify('${SESSION_ENDED_CHANNEL}', $1)`,
      [studentId],
    );
    this.forgetters.forEach((forget) => forget(studentId));
  }

  /** Housekeeping; an expired session is dead already. */
  async purgeExpired(): Promise<void> {
    await this.pool.query(`delete from state.session where expires_at < now()`);
  }
}
