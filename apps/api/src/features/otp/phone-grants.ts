import { Injectable } from '@nestjs/common';
import { DomainError, GRANT_TTL_MINUTES } from '@nimo/domain';
import { Pool } from 'pg';
import { hashToken, isTokenShaped, newToken } from '../../platform/auth/viewer.js';

/** Grants that a verified phone earns for half an hour: to complete the account, or to set its password. */
@Injectable()
export class PhoneGrants {
  constructor(private readonly pool: Pool) {}

  async issue(studentId: string): Promise<string> {
    const grant = newToken();
    await this.pool.query(
      `with old as (delete from state.phone_grant where expires_at < now())
       insert into state.phone_grant (grant_hash, student_id, expires_at) values ($1, $2, now() + $3 * interval '1 minute')`,
      [hashToken(grant), studentId, GRANT_TTL_MINUTES],
    );
    return grant;
  }

  /** Owner of an unused grant. @throws DomainError GRANT_INVALID */
  async ownerOf(grant: string): Promise<string> {
    const { rows } = await this.pool.query<{ student_id: string }>(
      'select student_id from state.phone_grant where grant_hash = $1 and expires_at > now() and used_by is null',
      [isTokenShaped(grant) ? hashToken(grant) : ''],
    );
    if (!rows[0]) throw new DomainError('GRANT_INVALID');
    return rows[0].student_id;
  }

  /**
   * Runs work under the grant. Only success uses the grant up, and only one of two concurrent commands gets it. A repeated command does
   * nothing: the password may have changed since.
   * @throws DomainError GRANT_INVALID
   */
  async use(grant: string, commandId: string, studentId: string, work: () => Promise<void>): Promise<void> {
    const hash = isTokenShaped(grant) ? hashToken(grant) : '';
    const { rowCount } = await this.pool.query(
      `update state.phone_grant set used_by = $2
       where grant_hash = $1 and student_id = $3 and expires_at > now() and done_at is null
         and (used_by is null or used_by = $2)`,
      [hash, commandId, studentId],
    );
    if (rowCount !== 1) return this.assertUsedBy(hash, commandId, studentId);
    try {
      await work();
    } catch (error) {
      await this.pool.query(
        'update state.phone_grant set used_by = null where grant_hash = $1 and used_by = $2 and done_at is null',
        [hash, commandId],
      );
      throw error;
    }
    await this.pool.query('update state.phone_grant set done_at = now() where grant_hash = $1', [hash]);
  }

  private async assertUsedBy(hash: string, commandId: string, studentId: string): Promise<void> {
    const { rowCount } = await this.pool.query(
      `select from state.phone_grant
       where grant_hash = $1 and used_by = $2 and student_id = $3 and done_at is not null`,
      [hash, commandId, studentId],
    );
    if (rowCount !== 1) throw new DomainError('GRANT_INVALID');
  }
}
