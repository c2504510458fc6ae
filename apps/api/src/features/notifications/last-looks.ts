import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';

/** Up to when a student has looked at the notifications of a space. */
@Injectable()
export class LastLooks {
  constructor(private readonly pool: Pool) {}

  /** @returns null before the first look */
  async find(studentId: string, spaceId: string): Promise<string | null> {
    const { rows } = await this.pool.query<{ seen_at: Date | string }>({
      name: 'last-look',
      text: 'select seen_at from state.last_look where student_id = $1 and space_id = $2',
      values: [studentId, spaceId],
    });
    return rows[0] ? new Date(rows[0].seen_at).toISOString() : null;
  }

  /** Never back: a slower tab does not make things new again. */
  async move(studentId: string, spaceId: string, seenAt: string): Promise<void> {
    await this.pool.query({
      name: 'move-last-look',
      text: `insert into state.last_look as l (student_id, space_id, seen_at) values ($1, $2, $3)
             on conflict (student_id, space_id) do update set seen_at = greatest(l.seen_at, excluded.seen_at)`,
      values: [studentId, spaceId, seenAt],
    });
  }
}
