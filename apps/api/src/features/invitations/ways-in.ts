import { Injectable } from '@nestjs/common';
import { confirmedContacts, emailDomain, type Contact } from '@nimo/domain';
import { Pool } from 'pg';
import { GROUPS_BELIEVED } from '../../platform/auth/open-id-providers.js';
import { ClaimHasher } from '../../platform/personal-data/claim-hash.js';
import { Accounts } from '../students/accounts.js';
import { CarriedGroups } from './carried-groups.js';
import { invitedHashes } from './invitation-secrets.js';

const RULES = `from state.invitation i
  where i.kind not in ('LINK', 'CODE') and i.revoked_at is null and (i.expires_at is null or i.expires_at > now())`;

/** Where somebody is invited by what the account proved: an address or a number on a list, the domain of the address, or a group at a provider. */
@Injectable()
export class WaysIn {
  constructor(
    private readonly pool: Pool,
    private readonly hasher: ClaimHasher,
    private readonly accounts: Accounts,
    private readonly groups: CarriedGroups,
  ) {}

  /** @returns the invitation by the space */
  async of(studentId: string): Promise<ReadonlyMap<string, string>> {
    // Most installations have none, and nobody's account is read for it then.
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
           select from state.identity d join state.carried_group c on c.issuer = d.issuer and c.subject = d.subject
           where d.student_id = $3 and c.invitation_id = i.id and c.seen_at > now() - interval '${GROUPS_BELIEVED}'))
       order by i.space_id, i.created_at, i.id`,
      [domains, this.hashesOf(contacts), studentId],
    );
    return new Map(rows.map(({ space_id, id }) => [space_id, id]));
  }

  /** Whoever joined by a list does not stand on it any more. */
  async used(invitationId: string, studentId: string): Promise<void> {
    const contacts = await this.contactsOf(studentId);
    await this.groups.used(invitationId, studentId);
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
