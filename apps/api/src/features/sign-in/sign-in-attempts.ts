import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { hashOfToken, isTokenShaped, newToken } from '../../platform/auth/viewer.js';
import { type MasterKeySettings, masterKeysOf } from '../../platform/personal-data/master-keys.js';
import { openText, sealText } from '../../platform/personal-data/sealed-values.js';
import { SETTINGS } from '../../platform/config/tokens.js';
import type { AuthorizationSecrets } from './open-id.js';

const AT_THE_PROVIDER = '10 minutes';
/** The browser exchanges the code at once. */
const CODE_LIVES = '1 minute';

export interface ReturnedAttempt {
  readonly secretHash: string;
  readonly secrets: AuthorizationSecrets;
}

export interface FinishedAttempt {
  readonly studentId: string;
  readonly remember: boolean;
}

const hashed = (token: string): string => (isTokenShaped(token) ? hashOfToken(token) : '');

/**
 * Sign-ins on their way, in `state.sign_in_attempt`. Three secrets, each good once: the provider returns the state, our redirect
 * carries the code, and the tab that began keeps the secret. The code alone opens nothing, so nobody can be signed in by a link.
 */
@Injectable()
export class SignInAttempts {
  constructor(
    private readonly pool: Pool,
    @Inject(SETTINGS) private readonly settings: MasterKeySettings,
  ) {}

  /** @returns the secret for the tab that begins */
  async begin(provider: string, secrets: AuthorizationSecrets, remember: boolean): Promise<string> {
    const secret = newToken();
    const secretHash = hashOfToken(secret);
    await this.pool.query(
      `with old as (delete from state.sign_in_attempt where expires_at < now())
       insert into state.sign_in_attempt (secret_hash, state_hash, provider, sealed, remember, expires_at)
       values ($1, $2, $3, $4, $5, now() + interval '${AT_THE_PROVIDER}')`,
      [
        secretHash,
        hashOfToken(secrets.state),
        provider,
        sealText(this.settings.masterKey, JSON.stringify(secrets), boundTo(secretHash)),
        remember,
      ],
    );
    return secret;
  }

  /** Takes the state, once. */
  async returned(provider: string, state: string): Promise<ReturnedAttempt | undefined> {
    const { rows } = await this.pool.query<{ secret_hash: string; sealed: string }>(
      `update state.sign_in_attempt set state_hash = null
       where state_hash = $1 and provider = $2 and expires_at > now() returning secret_hash, sealed`,
      [hashOfToken(state), provider],
    );
    const row = rows[0];
    if (!row) return undefined;
    const secrets = JSON.parse(
      openText(masterKeysOf(this.settings), row.sealed, boundTo(row.secret_hash)),
    ) as AuthorizationSecrets;
    return { secretHash: row.secret_hash, secrets };
  }

  /** @returns the code for the redirect */
  async proven({ secretHash }: ReturnedAttempt, studentId: string): Promise<string> {
    const code = newToken();
    await this.pool.query(
      `update state.sign_in_attempt set code_hash = $2, student_id = $3, expires_at = now() + interval '${CODE_LIVES}'
       where secret_hash = $1`,
      [secretHash, hashOfToken(code), studentId],
    );
    return code;
  }

  /** Takes the code, once, where it comes with the secret of its own tab. */
  async finish(code: string, secret: string): Promise<FinishedAttempt | undefined> {
    const { rows } = await this.pool.query<{ student_id: string; remember: boolean }>(
      `delete from state.sign_in_attempt
       where code_hash = $1 and secret_hash = $2 and expires_at > now() returning student_id, remember`,
      [hashed(code), hashed(secret)],
    );
    const row = rows[0];
    return row && { studentId: row.student_id, remember: row.remember };
  }
}

const boundTo = (secretHash: string): string => `sign-in:${secretHash}`;
