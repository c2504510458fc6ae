import type { Position } from '@nimo/event-store';
import type { Queryable } from '../queryable.js';

/** A post's own standing and that of all it stands under; other holders have none. */
const HELD = `
  read.pictures p
  left join read.answers a on p.holder_type = 'ANSWER' and a.answer_id = p.holder_id
  left join read.questions q on p.holder_type in ('QUESTION', 'ANSWER') and q.question_id = coalesce(a.question_id, p.holder_id)`;

export interface PictureStanding {
  /** Somebody shows it who is still there to be seen. */
  readonly isShown: boolean;
  /** Something showed it once, whether or not it still does. */
  readonly wasUsed: boolean;
}

export async function findPictureStanding(db: Queryable, location: string): Promise<PictureStanding> {
  const { rows } = await db.query<PictureStanding>({
    name: 'picture-standing',
    text: `
      select count(*) > 0 as "wasUsed", count(*) filter (where $1 = any(p.shown)
        and not coalesce(q.is_removed, false) and not coalesce(a.is_removed, false)) > 0 as "isShown"
      from ${HELD} where p.seen @> array[$1::text]`,
    values: [location],
  });
  return rows[0] ?? { isShown: false, wasUsed: false };
}

/** Those of the locations that nothing shows, nor can show again: an upheld post may come back, a deleted one is gone for good. */
export async function picturesWithoutUse(db: Queryable, locations: readonly string[]): Promise<string[]> {
  const { rows } = await db.query<{ location: string }>({
    name: 'pictures-without-use',
    text: `
      select location from unnest($1::text[]) as location
      where not exists (
        select from ${HELD} where p.seen @> array[location] and location = any(p.shown)
          and not coalesce(q.is_deleted, false) and not coalesce(a.is_deleted, false))`,
    values: [locations],
  });
  return rows.map(({ location }) => location);
}

/** Whether what the read side says of pictures is of that moment of the log or later: an emptied one that fills again knows of none. */
export async function knowsPicturesUpTo(db: Queryable, head: Position): Promise<boolean> {
  const { rows } = await db.query<{ count: number }>({
    text: `select count(*)::int as count from read.projection_generations
           where status = 'live' and name in ('pictures', 'questions') and position >= $1`,
    values: [head],
  });
  return rows[0]?.count === 2;
}
