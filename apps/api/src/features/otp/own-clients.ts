import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { clientKey, type ClientKey } from '../../platform/callers/client-address.js';

/** Where an account is signed in: what its owner does from there, strangers elsewhere cannot use up. */
@Injectable()
export class OwnClients {
  constructor(private readonly pool: Pool) {}

  async has(studentId: string | undefined, client: ClientKey): Promise<boolean> {
    if (studentId === undefined) return false;
    const { rows } = await this.pool.query<{ address: string }>(
      'select distinct address from state.session where student_id = $1 and expires_at > now()',
      [studentId],
    );
    return rows.some(({ address }) => clientKey(address) === client);
  }
}
