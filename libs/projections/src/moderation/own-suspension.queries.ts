import { isoTime, type Queryable } from '../queryable.js';
import { notOfRemovedSpace } from '../removed-space.sql.js';
import { isInForce } from '../suspension-in-force.sql.js';
import { staffWordsOf } from './staff-words.table.js';

/** A suspension as its subject sees it: it does not name the moderator. */
export interface OwnSuspensionView {
  readonly since: string;
  /** Null if it has to be lifted. */
  readonly until: string | null;
  /** Empty if it was given before reasons were shown. */
  readonly reason: string;
}

/** Null unless the student is suspended in the space now. */
export async function findOwnSuspension(
  db: Queryable,
  { spaceId, studentId }: { readonly spaceId: string; readonly studentId: string },
): Promise<OwnSuspensionView | null> {
  const { rows } = await db.query<OwnSuspensionView>({
    name: 'own-suspension',
    text: `
      select ${isoTime('u.since')} as since, ${isoTime('u.ends_at')} as until,
        coalesce(${staffWordsOf('u.student_id', 'u.reason_ordinal')}, '') as reason
      from read.suspensions u where u.space_id = $1 and u.student_id = $2 and ${isInForce('u')}
        and ${notOfRemovedSpace('u.space_id')}`,
    values: [spaceId, studentId],
  });
  return rows[0] ?? null;
}
