import { Inject, Injectable } from '@nestjs/common';
import {
  aggregate,
  DomainError,
  GUARDIAN_LINK_TTL_DAYS,
  hasVerifiedContact,
  requireEmail,
  spaceDecider,
} from '@nimo/domain';
import { Pool } from 'pg';
import { CommandBus } from '@nestjs/cqrs';
import { hashToken, isTokenShaped } from '../../platform/auth/viewer.js';
import { ClaimHasher } from '../../platform/personal-data/key-uses.js';
import { type MasterKeySettings, decryptionKeys } from '../../platform/personal-data/master-keys.js';
import { openText, sealText } from '../../platform/personal-data/sealed-values.js';
import { SETTINGS } from '../../platform/config/tokens.js';
import type { CommandContext } from '../../platform/commands/command-context.js';
import { CommandRunner } from '../../platform/commands/command-runner.js';
import { PublicAddress } from '../../platform/web/public-address.js';
import { AccountMailJobs, countMailTo } from '../account-mail/account-mail.js';
import { RateLimiter } from '../../platform/rate-limit/rate-limiter.js';
import { Accounts } from '../accounts/accounts.js';
import { AskGuardian, type GuardianLink } from './commands/ask-guardian.js';
import type { ClientKey } from '../../platform/callers/client-address.js';

/** Links for guardians, in `state.guardian_link`. Stores only the hash of each token. */
@Injectable()
export class GuardianLinks {
  constructor(
    private readonly pool: Pool,
    private readonly hasher: ClaimHasher,
    @Inject(SETTINGS) private readonly settings: MasterKeySettings,
  ) {}

  /**
   * Replaces the student's previous link in the space. Deterministic: the same request always gets the same token.
   * @returns the token, which is stored nowhere
   */
  async create({ id, spaceId, studentId }: GuardianLink, email: string): Promise<string> {
    const token = this.hasher.hashSecret('guardian-link', id).toString('base64url');
    await this.pool.query(
      `with previous as (delete from state.guardian_link where space_id = $2 and student_id = $3 and id <> $1)
       insert into state.guardian_link (id, space_id, student_id, token_hash, sealed, expires_at)
       values ($1, $2, $3, $4, $5, now() + $6 * interval '1 day') on conflict (id) do nothing`,
      [
        id,
        spaceId,
        studentId,
        hashToken(token),
        sealText(this.settings.masterKey, email, sealContext(id)),
        GUARDIAN_LINK_TTL_DAYS,
      ],
    );
    return token;
  }

  /** @throws DomainError CONSENT_LINK_ENDED if the link is unknown or expired */
  async find(token: string): Promise<GuardianLink> {
    const { rows } = await this.pool.query<GuardianLink>(
      `select id, space_id as "spaceId", student_id as "studentId" from state.guardian_link
       where token_hash = $1 and (expires_at is null or expires_at > now())`,
      [isTokenShaped(token) ? hashToken(token) : ''],
    );
    if (!rows[0]) throw new DomainError('CONSENT_LINK_ENDED');
    return rows[0];
  }

  /** Deletes the address, including from the outbox. The link stays, so that consent can be withdrawn. */
  async complete({ id, studentId }: GuardianLink): Promise<void> {
    await forgetGuardianMails(this.pool, this.settings, studentId);
    await this.pool.query('update state.guardian_link set sealed = null, expires_at = null where id = $1', [
      id,
    ]);
  }
}

/** Deletes emails to a student's guardians from the outbox, as long as their addresses are stored. */
export async function forgetGuardianMails(
  pool: Pool,
  settings: MasterKeySettings,
  studentId: string,
): Promise<void> {
  const { rows } = await pool.query<{ id: string; sealed: string }>(
    'select id, sealed from state.guardian_link where student_id = $1 and sealed is not null',
    [studentId],
  );
  const addresses = rows.map(({ id, sealed }) =>
    openText(decryptionKeys(settings), sealed, sealContext(id)).toLowerCase(),
  );
  await pool.query('delete from state.outbox where lower(recipient) = any($1::text[])', [addresses]);
}

const sealContext = (id: string): string => `guardian-link:${id}`;

interface GuardianRequest {
  readonly context: CommandContext;
  readonly spaceId: string;
  readonly email: string;
  readonly client: ClientKey;
}

/** Requests consent from a guardian by email. */
@Injectable()
export class GuardianRequests {
  constructor(
    private readonly commands: CommandBus,
    private readonly runner: CommandRunner,
    private readonly accounts: Accounts,
    private readonly links: GuardianLinks,
    private readonly limiter: RateLimiter,
    private readonly mails: AccountMailJobs,
    private readonly own: PublicAddress,
  ) {}

  /** Appends the event first. If interrupted after that, the student asks again, which replaces the link. */
  async ask({ context, spaceId, email: rawEmail, client }: GuardianRequest): Promise<void> {
    const { studentId } = context.by;
    const email = requireEmail(rawEmail);
    const student = await this.accounts.findById(studentId);
    if (!student?.profile) throw new DomainError('NOT_REGISTERED');
    if (hasVerifiedContact({ kind: 'email', value: email }, student))
      throw new DomainError('GUARDIAN_IS_SELF');
    await this.limiter.use('mailsPerAddress', client);
    await countMailTo(this.limiter, email);
    const id = await this.commands.execute(new AskGuardian(context, spaceId));
    const token = await this.links.create({ id, spaceId, studentId }, email);
    const space = await this.runner.state(aggregate(spaceDecider, spaceId));
    const { userName } = student.profile;
    const details = { email, token, userName, spaceName: space?.name ?? '', age: space?.consentAge ?? 0 };
    await this.mails.add({ kind: 'guardian', ...details, origin: this.own.origin() }, id);
  }
}
