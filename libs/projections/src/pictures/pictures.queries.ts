import type { Position } from '@nimo/event-store';
import { isPublic, type Queryable } from '../queryable.js';

/** Holders joined with the answer and question that determine whether they are visible. */
const HOLDERS = `
  read.pictures p
  left join read.answers a on p.holder_type = 'ANSWER' and a.answer_id = p.holder_id
  left join read.questions q on p.holder_type in ('QUESTION', 'ANSWER') and q.question_id = coalesce(a.question_id, p.holder_id)`;

const IS_SHOWN =
  '$1 = any(p.shown) and not coalesce(q.is_removed, false) and not coalesce(a.is_removed, false)';

/** Pictures of students, topics and avatars are public, as are banners of open spaces. */
const IS_PUBLIC = `case when q.question_id is not null then ${isPublic('q.space_id')}
  when p.holder_type = 'SPACE' then exists (select from read.spaces s where s.space_id = p.holder_id and s.entry = 'OPEN')
  else p.holder_type not in ('QUESTION', 'ANSWER') end`;

export interface PictureUsage {
  /** A visible holder shows the picture. */
  readonly isShown: boolean;
  /** One of these holders is visible to everyone. */
  readonly isPublic: boolean;
  /** A holder shows the picture or once did. */
  readonly wasUsed: boolean;
}

export async function findPictureUsage(db: Queryable, location: string): Promise<PictureUsage> {
  const { rows } = await db.query<PictureUsage>({
    name: 'picture-standing',
    text: `
      select count(*) > 0 as "wasUsed", count(*) filter (where ${IS_SHOWN}) > 0 as "isShown",
        count(*) filter (where ${IS_SHOWN} and ${IS_PUBLIC}) > 0 as "isPublic"
      from ${HOLDERS} where p.seen @> array[$1::text]`,
    values: [location],
  });
  return rows[0] ?? { isShown: false, isPublic: false, wasUsed: false };
}

/** The pictures that no holder can show any more. Posts removed by upheld reports can come back, deleted posts cannot. */
export async function findUnusedPictures(db: Queryable, locations: readonly string[]): Promise<string[]> {
  const { rows } = await db.query<{ location: string }>({
    name: 'pictures-without-use',
    text: `
      select location from unnest($1::text[]) as location
      where not exists (
        select from ${HOLDERS} where p.seen @> array[location] and location = any(p.shown)
          and not coalesce(q.is_deleted, false) and not coalesce(a.is_deleted, false))`,
    values: [locations],
  });
  return rows.map(({ location }) => location);
}

/** Whether the read side has processed the log up to that position. One that is still filling may not know a picture yet. */
export async function hasPicturesUpTo(db: Queryable, head: Position): Promise<boolean> {
  const { rows } = await db.query<{ count: number }>({
    text: `select count(*)::int as count from read.projection_generations
           where status = 'live' and name in ('pictures', 'questions') and position >= $1`,
    values: [head],
  });
  return rows[0]?.count === 2;
}
