import { setTimeout as delay } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIRM_LINK_TTL_MINUTES, DomainError, RESET_LINK_TTL_MINUTES } from '@nimo/domain';
import { Pool } from 'pg';
import { hashOfToken, isTokenShaped, newToken } from '../../platform/auth/viewer.js';
import { ApiError, SOMETHING_WENT_WRONG } from '../../platform/errors/api-error.js';
import { type MasterKeySettings, masterKeysOf } from '../../platform/personal-data/master-keys.js';
import { openText, sealText } from '../../platform/personal-data/sealed-values.js';
import { SETTINGS } from '../../platform/config/tokens.js';
import { noted, noteOf } from '../../platform/security-log/security-log.js';

/** What a link carries, by its purpose. */
export interface MailedContents {
  readonly CONFIRM_EMAIL: {
    readonly email: string;
    readonly userName: string;
    readonly registrationId: string;
  };
  readonly RESET_PASSWORD: object;
}

/** What its use is answered with. */
export interface MailedAnswers {
  readonly CONFIRM_EMAIL: { readonly userName: string };
  readonly RESET_PASSWORD: { readonly studentId: string };
}
export type LinkPurpose = keyof MailedContents;

export interface MailedLink<Purpose extends LinkPurpose> {
  readonly studentId: string;
  readonly content: MailedContents[Purpose];
}

const TTL_MINUTES: Readonly<Record<LinkPurpose, number>> = {
  CONFIRM_EMAIL: CONFIRM_LINK_TTL_MINUTES,
  RESET_PASSWORD: RESET_LINK_TTL_MINUTES,
};

/** After it whoever began the work is taken for gone. */
const CLAIM_SECONDS = 60;
/** For a twin that is at the same work. */
const PATIENCE_MS = 10_000;
const LOOK_EVERY_MS = 100;

interface LinkRow {
  readonly student_id: string;
  readonly sealed: string;
  /** Tells this claim from a twin's that came later. */
  readonly claim: string;
}

/** Links that go out by mail, in `state.mailed_link`: known by the hash of their token, each good for one success. */
@Injectable()
export class MailedLinks {
  constructor(
    private readonly pool: Pool,
    @Inject(SETTINGS) private readonly settings: MasterKeySettings,
  ) {}

  /** @returns the token, which exists nowhere but in the mail */
  async make<Purpose extends LinkPurpose>(
    purpose: Purpose,
    { studentId, content }: MailedLink<Purpose>,
  ): Promise<string> {
    const token = newToken();
    const hash = hashOfToken(token);
    await this.pool.query(
      // A link that makes an account is nobody's yet.
      `with old as (delete from state.mailed_link where expires_at < now()),
       made as (
         insert into state.mailed_link (token_hash, purpose, student_id, sealed, expires_at)
         values ($1, $2, $3, $4, now() + $5 * interval '1 minute') returning student_id, purpose),
       resets as (select student_id from made where purpose = 'RESET_PASSWORD'),
       ${noted('resets', 6)}
       select from made`,
      [hash, purpose, studentId, this.sealed(hash, content), TTL_MINUTES[purpose], ...noteOf('RESET_ASKED')],
    );
    return token;
  }

  /** @throws DomainError MAIL_LINK_INVALID: it never was, or is over */
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
   * Does the work that the link is for. Only a success uses it up, and of two at once one gets it. The same command that comes again
   * is answered as before and does nothing: by then the password may have been changed otherwise, which ends every link to reset it. Where it
   * comes while the first is at work it waits for that one's answer.
   * @throws DomainError MAIL_LINK_INVALID
   */
  async use<Purpose extends LinkPurpose>(
    purpose: Purpose,
    token: string,
    commandId: string,
    work: (link: MailedLink<Purpose>) => Promise<MailedAnswers[Purpose]>,
  ): Promise<MailedAnswers[Purpose]> {
    const hash = hashOf(token);
    const row = await this.claim(purpose, hash, commandId);
    if (!row) return this.answerOf(purpose, hash, commandId);
    const content = this.opened<MailedContents[Purpose]>(hash, row.sealed);
    try {
      const answer = await work({ studentId: row.student_id, content });
      await this.pool.query(
        'update state.mailed_link set done_at = now(), sealed = $2 where token_hash = $1',
        [hash, this.sealed(hash, answer)],
      );
      return answer;
    } catch (error) {
      await this.pool.query(
        // A twin that took it over meanwhile keeps it.
        `update state.mailed_link set used_by = null
         where token_hash = $1 and used_by = $2 and claimed_at = $3::timestamptz and done_at is null`,
        [hash, commandId, row.claim],
      );
      throw error;
    }
  }

  /** @returns undefined where it is not to be used, or was used */
  private async claim(purpose: LinkPurpose, hash: string, commandId: string): Promise<LinkRow | undefined> {
    const deadline = Date.now() + PATIENCE_MS;
    for (let wasFree = false; ;) {
      const { rows } = await this.pool.query<LinkRow>(
        `update state.mailed_link l set used_by = $2, claimed_at = now()
         where token_hash = $1 and purpose = $3 and expires_at > now() and done_at is null
           and (used_by is null
             or used_by = $2 and coalesce(claimed_at, '-infinity') < now() - $4 * interval '1 second')
           and (purpose <> 'RESET_PASSWORD' or not exists (
             select 1 from state.credential c where c.student_id = l.student_id and c.changed_at > l.created_at))
         returning student_id, sealed, claimed_at::text as claim`,
        [hash, commandId, purpose, CLAIM_SECONDS],
      );
      if (rows[0]) return rows[0];
      if (await this.isTwinAtWork(hash, commandId)) await delay(LOOK_EVERY_MS);
      // A twin may have failed in between.
      else if (wasFree) return undefined;
      else wasFree = true;
      if (Date.now() > deadline) throw new ApiError('UNAVAILABLE', SOMETHING_WENT_WRONG);
    }
  }

  private async isTwinAtWork(hash: string, commandId: string): Promise<boolean> {
    const { rowCount } = await this.pool.query(
      `select from state.mailed_link where token_hash = $1 and used_by = $2 and done_at is null and expires_at > now()
         and claimed_at > now() - $3 * interval '1 second'`,
      [hash, commandId, CLAIM_SECONDS],
    );
    return rowCount === 1;
  }

  /** In place of what the link carried, once it was used. */
  private async answerOf<Purpose extends LinkPurpose>(
    purpose: Purpose,
    hash: string,
    commandId: string,
  ): Promise<MailedAnswers[Purpose]> {
    const { rows } = await this.pool.query<Pick<LinkRow, 'sealed'>>(
      `select sealed from state.mailed_link
       where token_hash = $1 and purpose = $3 and used_by = $2 and done_at is not null`,
      [hash, commandId, purpose],
    );
    if (!rows[0]) throw new DomainError('MAIL_LINK_INVALID');
    return this.opened<MailedAnswers[Purpose]>(hash, rows[0].sealed);
  }

  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- what was sealed under that hash
  private opened<Content>(hash: string, sealed: string): Content {
    return JSON.parse(openText(masterKeysOf(this.settings), sealed, boundTo(hash))) as Content;
  }

  private sealed(hash: string, content: object): string {
    return sealText(this.settings.masterKey, JSON.stringify(content), boundTo(hash));
  }
}

const hashOf = (token: string): string => (isTokenShaped(token) ? hashOfToken(token) : '');
const boundTo = (hash: string): string => `mailed-link:${hash}`;
