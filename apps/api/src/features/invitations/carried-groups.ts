import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import type { Identity } from '../../platform/auth/identities.js';

const ruleOf = (provider: string, group: string): string => `${provider}:${group}`;

/**
 * Which rules of spaces somebody's groups at a provider fulfilled when they last logged in there, in `state.carried_group`. No other group is
 * kept, under no name: whom no rule asks about is nobody's business here. It hangs on the identity and on the rule, and goes with either.
 */
@Injectable()
export class CarriedGroups {
  constructor(private readonly pool: Pool) {}

  /** Whether any rule is about groups of that provider. */
  async areAskedFor(provider: string): Promise<boolean> {
    const { rowCount } = await this.pool.query(
      `select from state.invitation where kind = 'GROUP' and revoked_at is null and starts_with(rule, $1) limit 1`,
      [ruleOf(provider, '')],
    );
    return rowCount === 1;
  }

  /** What was carried at an earlier log-in and is no more, is forgotten. */
  async renew({ issuer, subject }: Identity, provider: string, groups: readonly string[]): Promise<void> {
    await this.pool.query(
      `with gone as (
         delete from state.carried_group c using state.invitation i
         where c.issuer = $1 and c.subject = $2 and i.id = c.invitation_id and starts_with(i.rule, $3)
           and not i.rule = any($4::text[]))
       insert into state.carried_group (issuer, subject, invitation_id)
       select d.issuer, d.subject, i.id from state.identity d, state.invitation i
       where d.issuer = $1 and d.subject = $2 and i.kind = 'GROUP' and i.revoked_at is null and i.rule = any($4::text[])
         and not exists (
           select from read.memberships m where m.student_id = d.student_id and m.space_id = i.space_id and m.left_at is null)
       on conflict (issuer, subject, invitation_id) do update set seen_at = now()`,
      [issuer, subject, ruleOf(provider, ''), groups.map((group) => ruleOf(provider, group))],
    );
  }

  /** Whoever joined by it needs it no more. */
  async used(invitationId: string, studentId: string): Promise<void> {
    await this.pool.query(
      `delete from state.carried_group c using state.identity d
       where c.invitation_id = $1 and d.student_id = $2 and c.issuer = d.issuer and c.subject = d.subject`,
      [invitationId, studentId],
    );
  }
}
