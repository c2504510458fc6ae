import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { confirmedContacts, type Contact, emailDomain } from '@nimo/domain';
import { GROUPS_TTL, type Identity } from '../../platform/auth/identities.js';
import { ClaimHasher } from '../../platform/personal-data/key-uses.js';
import { Accounts } from '../accounts/accounts.js';
import { invitedHashes } from './invitations.js';

const ruleOf = (provider: string, group: string): string => `${provider}:${group}`;

/**
 * Group invitations that a student matched at the last login with a provider, in `state.matched_group`. For privacy, groups without an
 * invitation are not stored. Rows are deleted with their identity or invitation.
 */
@Injectable()
export class MatchedGroups {
  constructor(private readonly pool: Pool) {}

  /** Whether any invitation is for groups of this provider. */
  async hasInvitations(provider: string): Promise<boolean> {
    const { rowCount } = await this.pool.query(
      `select from state.invitation where kind = 'GROUP' and revoked_at is null and starts_with(rule, $1) limit 1`,
      [ruleOf(provider, '')],
    );
    return rowCount === 1;
  }

  /** Replaces the matches stored at an earlier login with this provider. */
  async replace({ issuer, subject }: Identity, provider: string, groups: readonly string[]): Promise<void> {
    await this.pool.query(
      `with gone as (
         delete from state.matched_group g using state.invitation i
         where g.issuer = $1 and g.subject = $2 and i.id = g.invitation_id and starts_with(i.rule, $3)
           and not i.rule = any($4::text[]))
       insert into state.matched_group (issuer, subject, invitation_id)
       select d.issuer, d.subject, i.id from state.identity d, state.invitation i
       where d.issuer = $1 and d.subject = $2 and i.kind = 'GROUP' and i.revoked_at is null and i.rule = any($4::text[])
         and not exists (
           select from read.memberships m where m.student_id = d.student_id and m.space_id = i.space_id and m.left_at is null)
       on conflict (issuer, subject, invitation_id) do update set seen_at = now()`,
      [issuer, subject, ruleOf(provider, ''), groups.map((group) => ruleOf(provider, group))],
    );
  }

  /** Deletes the match once the student has joined. */
  async remove(invitationId: string, studentId: string): Promise<void> {
    await this.pool.query(
      `delete from state.matched_group g using state.identity d
       where g.invitation_id = $1 and d.student_id = $2 and g.issuer = d.issuer and g.subject = d.subject`,
      [invitationId, studentId],
    );
  }
}

const RULES = `from state.invitation i
  where i.kind not in ('LINK', 'CODE') and i.revoked_at is null and (i.expires_at is null or i.expires_at > now())`;

/** Invitations that match a student's confirmed contacts, email domain or groups at a provider. */
@Injectable()
export class MatchingInvitations {
  constructor(
    private readonly pool: Pool,
    private readonly hasher: ClaimHasher,
    private readonly accounts: Accounts,
    private readonly groups: MatchedGroups,
  ) {}

  /** @returns invitation ID by space ID */
  async findBySpace(studentId: string): Promise<ReadonlyMap<string, string>> {
    // Most installations have none; skip reading the account then.
    const { rowCount } = await this.pool.query(`select 1 ${RULES} limit 1`);
    if (rowCount === 0) return new Map();
    const contacts = await this.contactsOf(studentId);
    const domains = contacts.flatMap(({ kind, value }) => (kind === 'email' ? [emailDomain(value)] : []));
    const { rows } = await this.pool.query<{ space_id: string; id: string }>(
      `select distinct on (i.space_id) i.space_id, i.id ${RULES} and (
         i.kind = 'DOMAIN' and i.rule = any($1::text[]) or
         i.kind = 'LIST' and exists (
           select from state.invited_contact c where c.invitation_id = i.id and c.hash = any($2::bytea[])) or
         i.kind = 'GROUP' and exists (
           select from state.identity d join state.matched_group g on g.issuer = d.issuer and g.subject = d.subject
           where d.student_id = $3 and g.invitation_id = i.id and g.seen_at > now() - interval '${GROUPS_TTL}'))
       order by i.space_id, i.created_at, i.id`,
      [domains, this.hashesOf(contacts), studentId],
    );
    return new Map(rows.map(({ space_id, id }) => [space_id, id]));
  }

  /** Counts a use and removes the student's contacts from the list. */
  async recordUse(invitationId: string, studentId: string): Promise<void> {
    const contacts = await this.contactsOf(studentId);
    await this.groups.remove(invitationId, studentId);
    await this.pool.query(
      `with gone as (
         delete from state.invited_contact where invitation_id = $1 and hash = any($2::bytea[]) returning 1)
       update state.invitation i set used = i.used + case i.kind when 'LIST' then (select count(*) from gone) else 1 end
       where i.id = $1`,
      [invitationId, this.hashesOf(contacts)],
    );
  }

  private hashesOf(contacts: readonly Contact[]): readonly Buffer[] {
    return contacts.flatMap((contact) => invitedHashes(this.hasher, contact));
  }

  private async contactsOf(studentId: string): Promise<readonly Contact[]> {
    const student = await this.accounts.findById(studentId);
    return student ? confirmedContacts(student) : [];
  }
}
