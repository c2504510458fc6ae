import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { hashToken, isTokenShaped, newToken } from '../../platform/auth/viewer.js';
import { type MasterKeySettings, decryptionKeys } from '../../platform/personal-data/master-keys.js';
import { openText, sealText } from '../../platform/personal-data/sealed-values.js';
import { SETTINGS } from '../../platform/config/tokens.js';
import type { AuthorizationSecrets } from './open-id.js';

const ATTEMPT_TTL = '10 minutes';
/** The browser exchanges the code immediately. */
const CODE_TTL = '1 minute';

export interface PendingAttempt {
  readonly secretHash: string;
  readonly secrets: AuthorizationSecrets;
}

export interface FinishedAttempt {
  readonly studentId: string;
  readonly remember: boolean;
}

const hashIfTokenShaped = (token: string): string => (isTokenShaped(token) ? hashToken(token) : '');

/**
 * Pending sign-ins in `state.sign_in_attempt`. Three single-use secrets: the provider returns the state, our redirect carries the
 * code, and the tab that started keeps the secret. The code is useless without the secret, which prevents login CSRF.
 */
@Injectable()
export class SignInAttempts {
  constructor(
    private readonly pool: Pool,
    @Inject(SETTINGS) private readonly settings: MasterKeySettings,
  ) {}

  /** @returns the secret for the tab that started the sign-in */
  async begin(provider: string, secrets: AuthorizationSecrets, remember: boolean): Promise<string> {
    const secret = newToken();
    const secretHash = hashToken(secret);
    await this.pool.query(
      `with old as (delete from state.sign_in_attempt where expires_at < now())
       insert into state.sign_in_attempt (secret_hash, state_hash, provider, sealed, remember, expires_at)
       values ($1, $2, $3, $4, $5, now() + interval '${ATTEMPT_TTL}')`,
      [
        secretHash,
        hashToken(secrets.state),
        provider,
        sealText(this.settings.masterKey, JSON.stringify(secrets), sealContext(secretHash)),
        remember,
      ],
    );
    return secret;
  }

  /** Consumes the state. */
  async consumeState(provider: string, state: string): Promise<PendingAttempt | undefined> {
    const { rows } = await this.pool.query<{ secret_hash: string; sealed: string }>(
      `update state.sign_in_attempt set state_hash = null
       where state_hash = $1 and provider = $2 and expires_at > now() returning secret_hash, sealed`,
      [hashToken(state), provider],
    );
    const row = rows[0];
    if (!row) return undefined;
    const secrets = JSON.parse(
      openText(decryptionKeys(this.settings), row.sealed, sealContext(row.secret_hash)),
    ) as AuthorizationSecrets;
    return { secretHash: row.secret_hash, secrets };
  }

  /** @returns the code for the redirect */
  async issueCode({ secretHash }: PendingAttempt, studentId: string): Promise<string> {
    const code = newToken();
    await this.pool.query(
      `update state.sign_in_attempt set code_hash = $2, student_id = $3, expires_at = now() + interval '${CODE_TTL}'
       where secret_hash = $1`,
      [secretHash, hashToken(code), studentId],
    );
    return code;
  }

  /** Consumes the code if it comes with the secret of its tab. */
  async redeemCode(code: string, secret: string): Promise<FinishedAttempt | undefined> {
    const { rows } = await this.pool.query<{ student_id: string; remember: boolean }>(
      `delete from state.sign_in_attempt
       where code_hash = $1 and secret_hash = $2 and expires_at > now() returning student_id, remember`,
      [hashIfTokenShaped(code), hashIfTokenShaped(secret)],
    );
    const row = rows[0];
    return row && { studentId: row.student_id, remember: row.remember };
  }
}

const sealContext = (secretHash: string): string => `sign-in:${secretHash}`;
