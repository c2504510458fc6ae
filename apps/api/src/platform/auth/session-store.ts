import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { Messages } from '../pubsub/messages.js';
import { securityLogCte, securityLogParams, type SecurityKind } from '../security-log/security-log.js';
import { currentLanguage, NO_ORIGIN, type ClientOrigin, originOf } from '../callers/client-address.js';
import { isLanguage, type Language } from '../texts/language.js';
import { hashToken, newToken } from './viewer.js';
import type { RoleAssignment } from '@nimo/domain';
import { notOfRemovedSpace } from '@nimo/projections';

/** Messages are ids of ended sessions, or of students whose sessions all ended. */
export const SESSION_ENDED_CHANNEL = 'nimo_session_ended';

/** Messages are ids of students whose roles changed. */
export const ROLES_CHANGED_CHANNEL = 'nimo_roles_changed';

/** Resolution of `last_used_at`: not every request should cost a write. */
const LAST_USED_RESOLUTION = '1 minute';

/** How long a second factor opens the staff areas. */
const STAFF_FACTOR_HOURS = 12;
/** How long it permits changes to the factors themselves. */
const RECENT_FACTOR_AGE = '10 minutes';

const MAX_LISTED = 100;

const LIFETIMES = { ordinary: '1 day', remembered: '60 days' } as const;
/** Idle timeouts, for devices lost or passed on. */
const IDLE_TIMEOUTS = { ordinary: '12 hours', remembered: '14 days' } as const;

/** Condition on a row `s`. */
const IS_LIVE = `(s.expires_at > now() and s.last_used_at > now() - case
  when s.expires_at - s.created_at > interval '${LIFETIMES.ordinary}' then interval '${IDLE_TIMEOUTS.remembered}'
  else interval '${IDLE_TIMEOUTS.ordinary}' end)`;

/** A `with` query that keeps the language in parameter `first`, unless it is null, for the students of `source`. */
const languageKept = (source: string, first: number): string =>
  `kept as (
     insert into state.student_language as l (student_id, language)
     select student_id, $${first}::text from ${source} where $${first}::text is not null
     on conflict (student_id) do update set language = excluded.language where l.language <> excluded.language)`;

export interface Session {
  readonly sessionId: string;
  readonly studentId: string;
  readonly expiresAt: number;
  /** When the second factor expires; null without one. */
  readonly factorUntil: number | null;
  readonly roles: readonly RoleAssignment[];
}

export interface SessionOptions {
  readonly remember: boolean;
  readonly address: string;
  readonly userAgent: string;
  /** Whether the second factor was just verified. */
  readonly withFactor?: boolean;
}

/** A session as its owner sees it. */
export interface SessionEntry {
  /** Public id; `sessionId` never leaves the server. */
  readonly id: string;
  readonly sessionId: string;
  readonly address: string;
  readonly userAgent: string;
  readonly createdAt: string;
  readonly lastUsedAt: string;
  readonly expiresAt: string;
  /** When the second factor was last verified. */
  readonly factorAt: string | null;
}

interface SessionRow {
  readonly student_id: string;
  readonly expires_at: Date | string;
  readonly factor_until: Date | string | null;
  readonly is_touched: boolean;
  readonly roles: readonly { readonly role: RoleAssignment['role']; readonly space_id: string }[];
}

interface EntryRow {
  readonly id: string;
  readonly token_hash: string;
  readonly address: string;
  readonly user_agent: string;
  readonly created_at: Date | string;
  readonly last_used_at: Date | string;
  readonly expires_at: Date | string;
  readonly factor_at: Date | string | null;
}

const toIso = (time: Date | string): string => new Date(time).toISOString();

/** Sessions, stored as rows of `state.session` by the hash of their token. */
@Injectable()
export class SessionStore {
  private readonly endListeners: ((id: string) => void)[] = [];
  private readonly roleListeners: ((studentId: string) => void)[] = [];

  constructor(
    private readonly pool: Pool,
    private readonly messages: Messages,
  ) {}

  /** Called immediately for sessions this process ends, without waiting for the notification. */
  onSessionEnd(forget: (id: string) => void): void {
    this.endListeners.push(forget);
  }

  /** Like `onSessionEnd`, for role changes. */
  onRolesChange(reread: (studentId: string) => void): void {
    this.roleListeners.push(reread);
  }

  /** Makes every process reload the student's roles, which must be projected by now. */
  async publishRolesChanged(studentId: string): Promise<void> {
    this.roleListeners.forEach((reread) => reread(studentId));
    await this.messages.publish(ROLES_CHANGED_CHANNEL, studentId);
  }

  /** @returns the token, which is not stored */
  async open(studentId: string, options: SessionOptions): Promise<string> {
    const token = newToken();
    await this.pool.query(
      `with opened as (
         insert into state.session (token_hash, student_id, expires_at, address, user_agent, factor_at)
         values ($1, $2, now() + $3::interval, $4, $5, case when $6 then now() end) returning student_id),
       ${securityLogCte('opened', 7)}, ${languageKept('opened', 11)}
       select from opened`,
      [
        hashToken(token),
        studentId,
        options.remember ? LIFETIMES.remembered : LIFETIMES.ordinary,
        options.address,
        options.userAgent.slice(0, 300),
        options.withFactor ?? false,
        ...securityLogParams('LOGGED_IN', originOf(options)),
        currentLanguage() ?? null,
      ],
    );
    return token;
  }

  /** A live session of a student who is neither blocked nor erased. */
  async find(tokenHash: string): Promise<Session | null> {
    const { rows } = await this.pool.query<SessionRow>({
      name: 'find-session',
      text: `select s.student_id, s.expires_at, s.factor_at + interval '${STAFF_FACTOR_HOURS} hours' as factor_until,
               s.last_used_at > now() - interval '${LAST_USED_RESOLUTION}' as is_touched,
               coalesce((select jsonb_agg(jsonb_build_object('role', r.role, 'space_id', r.space_id))
                         from read.student_roles r
                         where r.student_id = s.student_id and ${notOfRemovedSpace('r.space_id')}), '[]') as roles
             from state.session s
             where s.token_hash = $1 and ${IS_LIVE}
               and not exists (select 1 from read.students p
                               where p.student_id = s.student_id and (p.is_blocked or p.is_erased))`,
      values: [tokenHash],
    });
    const row = rows[0];
    if (!row) return null;
    if (!row.is_touched) await this.touch(tokenHash);
    return {
      sessionId: tokenHash,
      studentId: row.student_id,
      expiresAt: new Date(row.expires_at).getTime(),
      factorUntil: row.factor_until === null ? null : new Date(row.factor_until).getTime(),
      roles: row.roles.map(({ role, space_id }) => ({ role, spaceId: space_id === '' ? null : space_id })),
    };
  }

  /** The subset of sessions that `find` would return. */
  async filterLive(sessionIds: readonly string[]): Promise<ReadonlySet<string>> {
    const { rows } = await this.pool.query<{ token_hash: string }>({
      name: 'live-sessions',
      text: `select s.token_hash from state.session s
             where s.token_hash = any($1::text[]) and ${IS_LIVE}
               and not exists (select 1 from read.students p
                               where p.student_id = s.student_id and (p.is_blocked or p.is_erased))`,
      values: [sessionIds],
    });
    return new Set(rows.map(({ token_hash }) => token_hash));
  }

  /** Ends the caller's own session. */
  async end(sessionId: string): Promise<void> {
    await this.pool.query(
      `with ended as (delete from state.session where token_hash = $1 returning student_id), ${securityLogCte('ended', 2)}
       select from ended`,
      [sessionId, ...securityLogParams('LOGGED_OUT')],
    );
    await this.publishEnded([sessionId]);
  }

  /** Live sessions, most recently used first, at most `MAX_LISTED`. */
  async list(studentId: string): Promise<SessionEntry[]> {
    const { rows } = await this.pool.query<EntryRow>(
      `select id, token_hash, address, user_agent, created_at, last_used_at, expires_at, factor_at
       from state.session s
       where student_id = $1 and ${IS_LIVE} order by last_used_at desc, id limit ${MAX_LISTED}`,
      [studentId],
    );
    return rows.map((row) => ({
      id: row.id,
      sessionId: row.token_hash,
      address: row.address,
      userAgent: row.user_agent,
      createdAt: toIso(row.created_at),
      lastUsedAt: toIso(row.last_used_at),
      expiresAt: toIso(row.expires_at),
      factorAt: row.factor_at === null ? null : toIso(row.factor_at),
    }));
  }

  /** Records that the second factor was verified in a session. */
  async recordSecondFactor(studentId: string, sessionId: string): Promise<void> {
    await this.pool.query('update state.session set factor_at = now() where token_hash = $1', [sessionId]);
    await this.publishRolesChanged(studentId);
  }

  /** Called when the student's last second factor is removed. */
  async clearSecondFactors(studentId: string): Promise<void> {
    await this.pool.query('update state.session set factor_at = null where student_id = $1', [studentId]);
    await this.publishRolesChanged(studentId);
  }

  /** Whether the second factor was verified within `RECENT_FACTOR`. */
  async hasRecentFactor(sessionId: string): Promise<boolean> {
    const { rowCount } = await this.pool.query(
      `select 1 from state.session where token_hash = $1 and factor_at > now() - interval '${RECENT_FACTOR_AGE}'`,
      [sessionId],
    );
    return rowCount === 1;
  }

  /** @returns false when the student has no such session */
  async endOne(studentId: string, id: string): Promise<boolean> {
    return (await this.endWhere('id::text = $2', studentId, id, 'SESSION_ENDED')) > 0;
  }

  async endOthers(studentId: string, keptSessionId: string): Promise<void> {
    await this.endWhere('token_hash <> $2', studentId, keptSessionId, 'OTHER_SESSIONS_ENDED');
  }

  private async endWhere(
    condition: string,
    studentId: string,
    value: string,
    kind: SecurityKind,
  ): Promise<number> {
    const { rows } = await this.pool.query<{ token_hash: string }>(
      `with ended as (
         delete from state.session where student_id = $1 and ${condition} returning student_id, token_hash),
       ${securityLogCte('ended', 3)}
       select token_hash from ended`,
      [studentId, value, ...securityLogParams(kind)],
    );
    await this.publishEnded(rows.map(({ token_hash }) => token_hash));
    return rows.length;
  }

  private async touch(sessionId: string): Promise<void> {
    await this.pool.query(
      `with used as (
         update state.session set last_used_at = now()
         where token_hash = $1 and last_used_at <= now() - interval '${LAST_USED_RESOLUTION}' returning student_id),
       ${languageKept('used', 2)}
       select from used`,
      [sessionId, currentLanguage() ?? null],
    );
  }

  /** @param origin of the owner; omitted when staff end the sessions, whose location is private */
  async endAll(studentId: string, origin: ClientOrigin = NO_ORIGIN): Promise<void> {
    await this.pool.query(
      `with ended as (delete from state.session where student_id = $1 returning student_id), ${securityLogCte('ended', 2)}
       select from ended`,
      [studentId, ...securityLogParams('ALL_SESSIONS_ENDED', origin)],
    );
    await this.publishEnded([studentId]);
  }

  /** If this process dies before publishing, the others use their caches for a few more seconds: see SessionReader. */
  private async publishEnded(ids: readonly string[]): Promise<void> {
    for (const id of ids) this.endListeners.forEach((forget) => forget(id));
    await Promise.all(ids.map((id) => this.messages.publish(SESSION_ENDED_CHANNEL, id)));
  }

  /** The language the student chose last in any session. */
  async languageOf(studentId: string): Promise<Language | undefined> {
    const { rows } = await this.pool.query<{ language: string }>(
      'select language from state.student_language where student_id = $1',
      [studentId],
    );
    const language = rows[0]?.language;
    return isLanguage(language) ? language : undefined;
  }

  /** Housekeeping only: expired sessions are already unusable. */
  async purgeExpired(): Promise<void> {
    await this.pool.query(`delete from state.session s where not ${IS_LIVE}`);
  }
}
