import { MAX_INVITED_SHOWN } from '@nimo/domain';
import type { ModeratorScope } from '../moderator-scope.js';
import { isoTime, openPage, type OpenPage, type Queryable } from '../queryable.js';
import { notOfRemovedSpace } from '../removed-space.sql.js';
import {
  authorColumns,
  type AuthorColumns,
  authorFrom,
  type AuthorView,
} from '../students/students.queries.js';

export interface EntryRequestView {
  readonly _id: string;
  readonly student: AuthorView;
  readonly text: string | null;
  readonly requestedAt: string;
}

export interface EntryRequestPageOptions {
  readonly spaceId: string;
  readonly page?: number;
  readonly limit?: number;
}

interface RequestColumns extends AuthorColumns {
  readonly text: string | null;
  readonly requested: string;
}

/** Open requests to join a space, oldest first. */
export async function pageOfEntryRequests(
  db: Queryable,
  { spaceId, page = 1, limit = 20 }: EntryRequestPageOptions,
): Promise<OpenPage<EntryRequestView>> {
  const { rows } = await db.query<RequestColumns>({
    name: 'entry-requests',
    text: `
      select request->>'text' as text, ${isoTime('asked.at')} as requested, ${authorColumns('a', 'r.student_id')}
      from read.entry_requests r
      cross join jsonb_array_elements(r.requests) request
      cross join lateral (select (request->>'requestedAt')::timestamptz as at) asked
      join read.students a on a.student_id = r.student_id and not a.is_blocked
      where r.open_space_ids @> array[$1::text] and request->>'spaceId' = $1
      order by asked.at, r.student_id offset $2 limit $3`,
    values: [spaceId, (page - 1) * limit, limit + 1],
  });
  return openPage(rows.map(viewOf), page, limit);
}

const viewOf = (row: RequestColumns): EntryRequestView => ({
  _id: row.author_id,
  student: authorFrom(row),
  text: row.text,
  requestedAt: row.requested,
});

/** Number of open requests to join spaces of a moderator, without their own. */
export async function countEntryRequests(
  db: Queryable,
  { moderatorId, spaces }: ModeratorScope,
): Promise<number> {
  const { rows } = await db.query<{ n: number }>({
    name: 'open-entry-requests',
    text: `select count(*)::int as n from read.entry_requests r
           cross join unnest(r.open_space_ids) as open (space_id)
           join read.students a on a.student_id = r.student_id and not a.is_blocked and not a.is_erased
           where r.open_space_ids <> '{}' and r.student_id <> $1 and ${notOfRemovedSpace('open.space_id')} and ($2 or open.space_id = any($3::text[]))
             and ($2 or r.open_space_ids && $3::text[])`,
    values: [moderatorId, spaces === 'all', spaces === 'all' ? [] : spaces],
  });
  return rows[0]?.n ?? 0;
}

/** Students with an open invitation, by user name. */
export async function listInvitedStudents(db: Queryable, spaceId: string): Promise<AuthorView[]> {
  const { rows } = await db.query<AuthorColumns>({
    name: 'invited-students',
    text: `select ${authorColumns('a', 'r.student_id')} from read.entry_requests r
           join read.students a on a.student_id = r.student_id
           where r.invited_space_ids @> array[$1::text]
           order by lower(a.user_name), r.student_id limit ${MAX_INVITED_SHOWN}`,
    values: [spaceId],
  });
  return rows.map(authorFrom);
}
