import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { noted, noteOf } from '../security-log/noted.js';

/** Somebody at an OpenID provider: the only two claims that together never change. */
export interface Identity {
  readonly issuer: string;
  readonly subject: string;
}

/** Whose account an identity opens, in `state.identity`. As passwords, they are never in the log. */
@Injectable()
export class Identities {
  constructor(private readonly pool: Pool) {}

  async ownerOf({ issuer, subject }: Identity): Promise<string | undefined> {
    const { rows } = await this.pool.query<{ student_id: string }>(
      'select student_id from state.identity where issuer = $1 and subject = $2',
      [issuer, subject],
    );
    return rows[0]?.student_id;
  }

  /** @returns whose it is: of two who link it at once, the first */
  async link({ issuer, subject }: Identity, studentId: string): Promise<string> {
    const { rows } = await this.pool.query<{ student_id: string }>(
      // A row that was there already is locked by this very statement, which xmax tells.
      `with linked as (
         insert into state.identity (issuer, subject, student_id) values ($1, $2, $3)
         on conflict (issuer, subject) do update set student_id = state.identity.student_id
         returning student_id, xmax = 0 as is_new),
       added as (select student_id from linked where is_new),
       ${noted('added', 4)}
       select student_id from linked`,
      [issuer, subject, studentId, ...noteOf('PROVIDER_LINKED')],
    );
    return rows[0]?.student_id ?? studentId;
  }

  async hasAny(studentId: string): Promise<boolean> {
    const { rowCount } = await this.pool.query('select 1 from state.identity where student_id = $1 limit 1', [
      studentId,
    ]);
    return rowCount === 1;
  }
}
