import { Inject, Injectable } from '@nestjs/common';
import { CONFIRM_LINK_TTL_MINUTES } from '@nimo/domain';
import { Pool } from 'pg';
import { Credentials } from '../../platform/auth/credentials.js';
import { hashToken, isTokenShaped } from '../../platform/auth/viewer.js';
import { ClaimHasher } from '../../platform/personal-data/key-uses.js';
import { type MasterKeySettings, decryptionKeys } from '../../platform/personal-data/master-keys.js';
import { openText, sealText } from '../../platform/personal-data/sealed-values.js';
import { SETTINGS } from '../../platform/config/tokens.js';
import type { ClaimedValue } from '../accounts/claims.js';

export interface PendingRegistration {
  readonly registrationId: string;
  readonly email: string;
  readonly userName: string;
}

/**
 * Unconfirmed registrations, in `state.pending_registration`, by a key derived from name and password. Stored whether or not the
 * address is registered, and several per address, so that no one learns about another person's registration.
 */
@Injectable()
export class PendingRegistrations {
  constructor(
    private readonly pool: Pool,
    private readonly credentials: Credentials,
    private readonly hasher: ClaimHasher,
    @Inject(SETTINGS) private readonly settings: MasterKeySettings,
  ) {}

  async save(registration: PendingRegistration, password: string): Promise<void> {
    const { registrationId, email, userName } = registration;
    for (const name of [
      { kind: 'email', value: email },
      { kind: 'username', value: userName },
    ] as const) {
      const key = await this.keyOf(this.hasher.hash(name.kind, name.value), password);
      const hash = hashToken(key);
      await this.pool.query(
        `insert into state.pending_registration as p (key_hash, registration_id, sealed, expires_at)
         values ($1, $2, $3, now() + $4 * interval '1 minute')
         on conflict (key_hash) do update
           set registration_id = excluded.registration_id, sealed = excluded.sealed, expires_at = excluded.expires_at`,
        [hash, registrationId, this.seal(hash, registration), CONFIRM_LINK_TTL_MINUTES],
      );
    }
  }

  /** Does the same work for every name and password. @returns the key for `of` */
  async find(name: ClaimedValue, password: string): Promise<string | undefined> {
    let found: string | undefined;
    // Two hashes during a key rotation.
    for (const claim of this.hasher.hashes(name.kind, name.value)) {
      const key = await this.keyOf(claim, password);
      if (await this.findByKey(key)) found = key;
    }
    return found;
  }

  async findByKey(key: string): Promise<PendingRegistration | undefined> {
    const hash = isTokenShaped(key) ? hashToken(key) : '';
    const { rows } = await this.pool.query<{ sealed: string }>(
      'select sealed from state.pending_registration where key_hash = $1 and expires_at > now()',
      [hash],
    );
    const row = rows[0];
    if (!row) return undefined;
    return JSON.parse(
      openText(decryptionKeys(this.settings), row.sealed, sealContext(hash)),
    ) as PendingRegistration;
  }

  async delete(registrationId: string): Promise<void> {
    await this.pool.query('delete from state.pending_registration where registration_id = $1', [
      registrationId,
    ]);
  }

  /** @param claim keyed hash of the name */
  private async keyOf(claim: string, password: string): Promise<string> {
    return (await this.credentials.deriveKey(password, Buffer.from(claim, 'hex'))).toString('base64url');
  }

  private seal(hash: string, registration: PendingRegistration): string {
    return sealText(this.settings.masterKey, JSON.stringify(registration), sealContext(hash));
  }
}

const sealContext = (hash: string): string => `pending-registration:${hash}`;
