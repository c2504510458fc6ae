import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { noted, noteOf } from '../../platform/security-log/noted.js';
import type { Statements } from './second-factors.js';

export interface NewPasskey {
  readonly credentialId: string;
  readonly name: string;
  readonly publicKey: Uint8Array<ArrayBuffer>;
  readonly counter: number;
  readonly transports: readonly string[];
}

export interface StoredPasskey extends NewPasskey {
  /** For naming it; the browser's own id is for the ceremony alone. */
  readonly id: string;
  readonly createdAt: string;
  readonly lastUsedAt: string | null;
}

interface PasskeyRow {
  readonly id: string;
  readonly credential_id: string;
  readonly name: string;
  readonly public_key: Buffer;
  readonly counter: string;
  readonly transports: readonly string[];
  readonly created_at: Date | string;
  readonly last_used_at: Date | string | null;
}

const COLUMNS = 'id, credential_id, name, public_key, counter, transports, created_at, last_used_at';

/** The public halves of passkeys, in `state.passkey`. */
@Injectable()
export class PasskeyStore {
  constructor(private readonly pool: Pool) {}

  /** The oldest first. */
  async listOf(studentId: string, db: Statements = this.pool): Promise<readonly StoredPasskey[]> {
    const { rows } = await db.query<PasskeyRow>(
      `select ${COLUMNS} from state.passkey where student_id = $1 order by created_at, id`,
      [studentId],
    );
    return rows.map(passkeyOf);
  }

  async find(studentId: string, credentialId: string): Promise<StoredPasskey | undefined> {
    const { rows } = await this.pool.query<PasskeyRow>(
      `select ${COLUMNS} from state.passkey where student_id = $1 and credential_id = $2`,
      [studentId, credentialId],
    );
    return rows[0] && passkeyOf(rows[0]);
  }

  /** @returns false where that passkey is known already, whoever has it */
  async add(studentId: string, passkey: NewPasskey, db: Statements = this.pool): Promise<boolean> {
    const { credentialId, name, publicKey, counter, transports } = passkey;
    const { rowCount } = await db.query(
      `with added as (
         insert into state.passkey (credential_id, student_id, name, public_key, counter, transports)
         values ($1, $2, $3, $4, $5, $6) on conflict (credential_id) do nothing returning student_id),
       ${noted('added', 7)}
       select from added`,
      [credentialId, studentId, name, Buffer.from(publicKey), counter, transports, ...noteOf('FACTOR_ADDED')],
    );
    return rowCount === 1;
  }

  /** @returns false where the counter was passed meanwhile; devices without one always say zero */
  async noteUse(credentialId: string, counter: number): Promise<boolean> {
    const { rowCount } = await this.pool.query(
      `with used as (
         update state.passkey set counter = $2, last_used_at = now()
         where credential_id = $1 and (counter < $2 or (counter = 0 and $2 = 0)) returning student_id),
       ${noted('used', 3)}
       select from used`,
      [credentialId, counter, ...noteOf('FACTOR_USED')],
    );
    return rowCount === 1;
  }

  /** @returns whether there is one */
  async rename(studentId: string, id: string, name: string): Promise<boolean> {
    const { rowCount } = await this.pool.query(
      `with renamed as (
         update state.passkey set name = $3 where student_id = $1 and id::text = $2 returning student_id),
       ${noted('renamed', 4)}
       select from renamed`,
      [studentId, id, name, ...noteOf('FACTOR_RENAMED')],
    );
    return rowCount === 1;
  }

  /** @returns whether there was one */
  async remove(studentId: string, id: string, db: Statements = this.pool): Promise<boolean> {
    const { rowCount } = await db.query(
      `with removed as (
         delete from state.passkey where student_id = $1 and id::text = $2 returning student_id),
       ${noted('removed', 3)}
       select from removed`,
      [studentId, id, ...noteOf('FACTOR_REMOVED')],
    );
    return rowCount === 1;
  }
}

const passkeyOf = (row: PasskeyRow): StoredPasskey => ({
  id: row.id,
  credentialId: row.credential_id,
  name: row.name,
  publicKey: new Uint8Array(row.public_key),
  counter: Number(row.counter),
  transports: row.transports,
  createdAt: new Date(row.created_at).toISOString(),
  lastUsedAt: row.last_used_at === null ? null : new Date(row.last_used_at).toISOString(),
});
