import { Inject, Injectable } from '@nestjs/common';
import { CONFIRM_LINK_TTL_MINUTES, DomainError, RESET_LINK_TTL_MINUTES } from '@nimo/domain';
import { Pool } from 'pg';
import { hashOfToken, isTokenShaped, newToken } from '../../platform/auth/session-token.js';
import type { Settings } from '../../platform/config/load-settings.js';
import { openText, sealText } from '../../platform/personal-data/sealed-value.js';
import { SETTINGS } from '../../platform/runtime/tokens.js';

/** What a link carries, by its purpose. */
export interface MailedContents {
  readonly CONFIRM_EMAIL: {
    readonly email: string;
    readonly userName: string;
    readonly passwordHash: string;
  };
  readonly RESET_PASSWORD: object;
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

interface LinkRow {
  readonly student_id: string;
  readonly sealed: string;
}

/** Links that go out by mail, in `state.mailed_link`: known by the hash of their token, each good for one success. */
@Injectable()
export class MailedLinks {
  constructor(
    private readonly pool: Pool,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'masterKey'>,
  ) {}

  /** @returns the token, which exists nowhere but in the mail */
  async make<Purpose extends LinkPurpose>(
    purpose: Purpose,
    { studentId, content }: MailedLink<Purpose>,
  ): Promise<string> {
    const token = newToken();
    const hash = hashOfToken(token);
    await this.pool.query(
      `with old as (delete from state.mailed_link where expires_at < now())
       insert into state.mailed_link (token_hash, purpose, student_id, sealed, expires_at)
       values ($1, $2, $3, $4, now() + $5 * interval '1 minute')`,
      [hash, purpose, studentId, this.sealed(hash, content), TTL_MINUTES[purpose]],
    );
    return token;
  }

  /**
   * Does the work that the link is for. Only a success uses it up, and of two at once one gets it; the same command may come again.
   * A password that was changed since the mail went out ends every link to reset it.
   * @throws DomainError MAIL_LINK_INVALID
   */
  async use<Purpose extends LinkPurpose, Result>(
    purpose: Purpose,
    token: string,
    commandId: string,
    work: (link: MailedLink<Purpose>) => Promise<Result>,
  ): Promise<Result> {
    const hash = isTokenShaped(token) ? hashOfToken(token) : '';
    const { rows } = await this.pool.query<LinkRow>(
      `update state.mailed_link l set used_by = $2
       where token_hash = $1 and purpose = $3 and expires_at > now() and (used_by = $2 or used_by is null and not exists (
         select 1 from state.credential c where c.student_id = l.student_id and c.changed_at > l.created_at))
       returning student_id, sealed`,
      [hash, commandId, purpose],
    );
    const row = rows[0];
    if (!row) throw new DomainError('MAIL_LINK_INVALID');
    const content = JSON.parse(
      openText(this.settings.masterKey, row.sealed, boundTo(hash)),
    ) as MailedContents[Purpose];
    try {
      return await work({ studentId: row.student_id, content });
    } catch (error) {
      await this.pool.query(
        'update state.mailed_link set used_by = null where token_hash = $1 and used_by = $2',
        [hash, commandId],
      );
      throw error;
    }
  }

  private sealed(hash: string, content: object): string {
    return sealText(this.settings.masterKey, JSON.stringify(content), boundTo(hash));
  }
}

const boundTo = (hash: string): string => `mailed-link:${hash}`;
