import { setTimeout as delay } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIRM_LINK_TTL_MINUTES, DomainError, RESET_LINK_TTL_MINUTES } from '@nimo/domain';
import { Pool } from 'pg';
import { hashToken, isTokenShaped, newToken } from '../../platform/auth/viewer.js';
import { ApiError, SOMETHING_WENT_WRONG } from '../../platform/errors/api-error.js';
import { type MasterKeySettings, decryptionKeys } from '../../platform/personal-data/master-keys.js';
import { openText, sealText } from '../../platform/personal-data/sealed-values.js';
import { SETTINGS } from '../../platform/config/tokens.js';
import { securityLogCte, securityLogParams } from '../../platform/security-log/security-log.js';

/** Payload of a link by purpose. */
export interface LinkPayloads {
  readonly CONFIRM_EMAIL: {
    readonly email: string;
    readonly userName: string;
    readonly registrationId: string;
  };
  readonly RESET_PASSWORD: object;
}

/** Result of using a link by purpose. */
export interface LinkResults {
  readonly CONFIRM_EMAIL: { readonly userName: string };
  readonly RESET_PASSWORD: { readonly studentId: string };
}
export type LinkPurpose = keyof LinkPayloads;

export interface MailedLink<Purpose extends LinkPurpose> {
  readonly studentId: string;
  readonly content: LinkPayloads[Purpose];
}

const TTL_MINUTES: Readonly<Record<LinkPurpose, number>> = {
  CONFIRM_EMAIL: CONFIRM_LINK_TTL_MINUTES,
  RESET_PASSWORD: RESET_LINK_TTL_MINUTES,
};

/** After this, a claim counts as abandoned. */
const CLAIM_TTL_SECONDS = 60;
/** How long a retry waits for the same command to finish elsewhere. */
const CLAIM_TIMEOUT_MS = 10_000;
const POLL_INTERVAL_MS = 100;

interface LinkRow {
  readonly student_id: string;
  readonly sealed: string;
  /** Distinguishes this claim from a later one by the same command. */
  readonly claim: string;
}

/** Single-use links sent by email, in `state.mailed_link`. Stores only the hash of each token. */
@Injectable()
export class MailedLinks {
  constructor(
    private readonly pool: Pool,
    @Inject(SETTINGS) private readonly settings: MasterKeySettings,
  ) {}

  /** @returns the token, which is stored nowhere */
  async create<Purpose extends LinkPurpose>(
    purpose: Purpose,
    { studentId, content }: MailedLink<Purpose>,
  ): Promise<string> {
    const token = newToken();
    const hash = hashToken(token);
    await this.pool.query(
      // Only resets are logged: a confirmation link has no account yet.
      `with old as (delete from state.mailed_link where expires_at < now()),
       made as (
         insert into state.mailed_link (token_hash, purpose, student_id, sealed, expires_at)
         values ($1, $2, $3, $4, now() + $5 * interval '1 minute') returning student_id, purpose),
       resets as (select student_id from made where purpose = 'RESET_PASSWORD'),
       ${securityLogCte('resets', 6)}
       select from made`,
      [
        hash,
        purpose,
        studentId,
        this.seal(hash, content),
        TTL_MINUTES[purpose],
        ...securityLogParams('RESET_ASKED'),
      ],
    );
    return token;
  }

  /** @throws DomainError MAIL_LINK_INVALID if the link is unknown or expired */
  async isUsed(purpose: LinkPurpose, token: string): Promise<boolean> {
    const { rows } = await this.pool.query<{ isUsed: boolean }>(
      `select done_at is not null as "isUsed" from state.mailed_link
       where token_hash = $1 and purpose = $2 and expires_at > now()`,
      [hashOf(token), purpose],
    );
    if (!rows[0]) throw new DomainError('MAIL_LINK_INVALID');
    return rows[0].isUsed;
  }

  /**
   * Runs `work` at most once per link; only success consumes the link. A repeated command returns the stored result, waiting if the
   * first run is still in progress. It must not run again: the password may have been changed since.
   * @throws DomainError MAIL_LINK_INVALID
   */
  async use<Purpose extends LinkPurpose>(
    purpose: Purpose,
    token: string,
    commandId: string,
    work: (link: MailedLink<Purpose>) => Promise<LinkResults[Purpose]>,
  ): Promise<LinkResults[Purpose]> {
    const hash = hashOf(token);
    const row = await this.claim(purpose, hash, commandId);
    if (!row) return this.storedResult(purpose, hash, commandId);
    const content = this.unseal<LinkPayloads[Purpose]>(hash, row.sealed);
    try {
      const answer = await work({ studentId: row.student_id, content });
      await this.pool.query(
        'update state.mailed_link set done_at = now(), sealed = $2 where token_hash = $1',
        [hash, this.seal(hash, answer)],
      );
      return answer;
    } catch (error) {
      await this.pool.query(
        // Leaves a claim that a retry has taken over.
        `update state.mailed_link set used_by = null
         where token_hash = $1 and used_by = $2 and claimed_at = $3::timestamptz and done_at is null`,
        [hash, commandId, row.claim],
      );
      throw error;
    }
  }

  /** @returns undefined if the link is invalid or already used */
  private async claim(purpose: LinkPurpose, hash: string, commandId: string): Promise<LinkRow | undefined> {
    const deadline = Date.now() + CLAIM_TIMEOUT_MS;
    for (let wasFree = false; ;) {
      const { rows } = await this.pool.query<LinkRow>(
        `update state.mailed_link l set used_by = $2, claimed_at = now()
         where token_hash = $1 and purpose = $3 and expires_at > now() and done_at is null
           and (used_by is null
             or used_by = $2 and coalesce(claimed_at, '-infinity') < now() - $4 * interval '1 second')
           and (purpose <> 'RESET_PASSWORD' or not exists (
             select 1 from state.credential c where c.student_id = l.student_id and c.changed_at > l.created_at))
         returning student_id, sealed, claimed_at::text as claim`,
        [hash, commandId, purpose, CLAIM_TTL_SECONDS],
      );
      if (rows[0]) return rows[0];
      if (await this.isSameCommandRunning(hash, commandId)) await delay(POLL_INTERVAL_MS);
      // Retry once: the same command may have failed between the two queries.
      else if (wasFree) return undefined;
      else wasFree = true;
      if (Date.now() > deadline) throw new ApiError('UNAVAILABLE', SOMETHING_WENT_WRONG);
    }
  }

  private async isSameCommandRunning(hash: string, commandId: string): Promise<boolean> {
    const { rowCount } = await this.pool.query(
      `select from state.mailed_link where token_hash = $1 and used_by = $2 and done_at is null and expires_at > now()
         and claimed_at > now() - $3 * interval '1 second'`,
      [hash, commandId, CLAIM_TTL_SECONDS],
    );
    return rowCount === 1;
  }

  /** Result of an earlier run, stored in place of the payload. */
  private async storedResult<Purpose extends LinkPurpose>(
    purpose: Purpose,
    hash: string,
    commandId: string,
  ): Promise<LinkResults[Purpose]> {
    const { rows } = await this.pool.query<Pick<LinkRow, 'sealed'>>(
      `select sealed from state.mailed_link
       where token_hash = $1 and purpose = $3 and used_by = $2 and done_at is not null`,
      [hash, commandId, purpose],
    );
    if (!rows[0]) throw new DomainError('MAIL_LINK_INVALID');
    return this.unseal<LinkResults[Purpose]>(hash, rows[0].sealed);
  }

  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller knows what was sealed under that hash
  private unseal<Content>(hash: string, sealed: string): Content {
    return JSON.parse(openText(decryptionKeys(this.settings), sealed, sealContext(hash))) as Content;
  }

  private seal(hash: string, content: object): string {
    return sealText(this.settings.masterKey, JSON.stringify(content), sealContext(hash));
  }
}

const hashOf = (token: string): string => (isTokenShaped(token) ? hashToken(token) : '');
const sealContext = (hash: string): string => `mailed-link:${hash}`;
