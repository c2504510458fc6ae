import { Injectable } from '@nestjs/common';
import type { Reactor, ReactorEvent } from '@nimo/projections';
import { Pool } from 'pg';

const TYPES = ['ErasureAsked', 'ErasureWithdrawn'] as const;
type Noted = (typeof TYPES)[number];

/** Notes what is asked for, so that it is found when it is due. */
@Injectable()
export class ErasureReactor implements Reactor<Noted> {
  readonly name = 'erasures';
  readonly startsAt = 'beginning';
  readonly types = TYPES;

  constructor(private readonly pool: Pool) {}

  async handle({ type, data }: ReactorEvent<Noted>): Promise<void> {
    if (type === 'ErasureAsked') await noteErasure(this.pool, data.studentId, data.dueAt);
    else
      await this.pool.query(`delete from state.erasure where student_id = $1 and done = '{}'`, [
        data.studentId,
      ]);
  }
}

const noteErasure = (pool: Pool, studentId: string, dueAt: string): Promise<unknown> =>
  pool.query(
    `insert into state.erasure as e (student_id, due_at) values ($1, $2)
     on conflict (student_id) do update set due_at = excluded.due_at where e.done = '{}'`,
    [studentId, dueAt],
  );
