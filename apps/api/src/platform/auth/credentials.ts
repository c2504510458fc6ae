import { DomainError, MIN_PASSWORD_LENGTH } from '@nimo/domain';
import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Algorithm, hash, hashRaw, verify } from '@node-rs/argon2';
import { Pool } from 'pg';
import { securityLogCte, securityLogParams, type SecurityKind } from '../security-log/security-log.js';
import { ExpensiveWork } from '../callers/expensive-work.js';

/**
 * The 49,000 most common passwords of known breaches, as far as they are long enough. Bundled, so no service is queried, and loaded on the
 * first password change: most processes never need it.
 */
let breached: Promise<ReadonlySet<string>> | undefined;

async function readBreached(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set(dictionary.passwords.filter((password) => password.length >= MIN_PASSWORD_LENGTH));
}

/** Ignores case. @throws DomainError PASSWORD_BREACHED */
export async function assertNotBreached(password: string): Promise<void> {
  breached ??= readBreached();
  if ((await breached).has(password.toLowerCase())) throw new DomainError('PASSWORD_BREACHED');
}

/** How a password was set, for the security log. */
type PasswordKind = Extract<SecurityKind, 'PASSWORD_SET' | 'PASSWORD_CHANGED' | 'PASSWORD_RESET'>;

/** OWASP's minimum for argon2id: 19 MiB, two passes. */
const ARGON2ID = {
  // oxlint-disable-next-line typescript/no-unsafe-enum-assignment -- an ambient const enum has no value to import
  algorithm: 2 satisfies Algorithm.Argon2id,
  memoryCost: 19_456,
  timeCost: 2,
  parallelism: 1,
} as const;

/** Password hashes, stored in rows and never in the event log. */
@Injectable()
export class Credentials {
  /** Compared for unknown students, so that they take as long as a wrong password. */
  private readonly dummyHash: Promise<string>;

  constructor(
    private readonly pool: Pool,
    private readonly work: ExpensiveWork,
  ) {
    this.dummyHash = this.hashOf(randomUUID());
  }

  /** @throws DomainError PASSWORD_BREACHED */
  async set(studentId: string, password: string, kind: PasswordKind = 'PASSWORD_SET'): Promise<void> {
    await assertNotBreached(password);
    await this.setHash(studentId, await this.hashOf(password), kind);
  }

  /** Hashes a password to be stored before the account exists. */
  hashOf(password: string): Promise<string> {
    return this.work.run('password', () => hash(password, ARGON2ID));
  }

  /** Derives a key deterministically, for look-ups. */
  deriveKey(password: string, salt: Buffer): Promise<Buffer> {
    return this.work.run('password', () => hashRaw(password, { ...ARGON2ID, salt }));
  }

  /** Also revokes unused phone grants, which could replace the password. */
  async setHash(studentId: string, passwordHash: string, kind: PasswordKind = 'PASSWORD_SET'): Promise<void> {
    await this.pool.query(
      `with others as (delete from state.phone_grant where student_id = $1 and used_by is null),
       changed as (
         insert into state.credential (student_id, password_hash) values ($1, $2)
         on conflict (student_id) do update set password_hash = excluded.password_hash, changed_at = now()
         returning student_id),
       ${securityLogCte('changed', 3)}
       select from changed`,
      [studentId, passwordHash, ...securityLogParams(kind)],
    );
  }

  async has(studentId: string): Promise<boolean> {
    const { rowCount } = await this.pool.query('select from state.credential where student_id = $1', [
      studentId,
    ]);
    return rowCount === 1;
  }

  /** Also removes grants, mailed links and identities that could open the account. */
  async remove(studentId: string): Promise<void> {
    await this.pool.query(
      `with grants as (delete from state.phone_grant where student_id = $1),
            links as (delete from state.mailed_link where student_id = $1),
            identities as (delete from state.identity where student_id = $1)
       delete from state.credential where student_id = $1`,
      [studentId],
    );
  }

  /** @param studentId undefined for an unknown student: false, after the same work */
  async matches(studentId: string | undefined, password: string): Promise<boolean> {
    const { rows } = await this.pool.query<{ password_hash: string }>(
      'select password_hash from state.credential where student_id = $1',
      [studentId ?? ''],
    );
    const stored = rows[0]?.password_hash;
    const known = stored ?? (await this.dummyHash);
    const isCorrect = await this.work.run('password', () => verify(known, password));
    return stored !== undefined && isCorrect;
  }
}
