import type { Role } from '@nimo/domain';
import { isoTime, escapeLikePattern, openPage, type OpenPage, type Queryable } from '../queryable.js';
import { notOfRemovedSpace } from '../removed-space.sql.js';
import { authorColumns, type AuthorColumns, authorFrom, type AuthorView } from './students.queries.js';

/** A student, as staff sees them. Phone and e-mail are searchable but not shown. */
export interface ManagedStudentView extends AuthorView {
  readonly createdAt: string;
  readonly isBlocked: boolean;
  readonly spaceCount: number;
  readonly roles: readonly HeldRole[];
}

/** A `space` of null means all spaces. */
export interface HeldRole {
  readonly role: Role;
  readonly space: { readonly _id: string; readonly name: string } | null;
}

type ManagedStudentColumns = AuthorColumns & {
  created: string;
  is_blocked: boolean;
  spaces: number;
  roles: readonly { role: Role; space_id: string; space_name: string | null }[];
};

const MANAGED_STUDENT = `
  select ${authorColumns('s', 's.student_id')}, ${isoTime('s.created_at')} as created, s.is_blocked,
    (select count(*) from unnest(s.space_ids) as own (space_id) where ${notOfRemovedSpace('own.space_id')})::int as spaces,
    (select coalesce(json_agg(json_build_object('role', r.role, 'space_id', r.space_id, 'space_name', p.name)
              order by r.role, p.name nulls first, r.space_id), '[]')
       from read.student_roles r left join read.spaces p on p.space_id = r.space_id
       where r.student_id = s.student_id and ${notOfRemovedSpace('r.space_id')}) as roles
  from read.students s`;
const PEOPLE = 's.is_registered and not s.is_stand_in and not s.is_erased';

const managedStudentFrom = (row: ManagedStudentColumns): ManagedStudentView => ({
  ...authorFrom(row),
  createdAt: row.created,
  isBlocked: row.is_blocked,
  spaceCount: row.spaces,
  roles: row.roles.map(({ role, space_id, space_name }) => ({
    role,
    space: space_id === '' ? null : { _id: space_id, name: space_name ?? '' },
  })),
});

export interface StudentSearch {
  /** Name prefix, or a complete phone number, e-mail address or id. */
  readonly search?: string | undefined;
  readonly isBlocked?: boolean | undefined;
  readonly page?: number;
  readonly limit?: number;
}

const hasPrefix = (column: string): string => `lower(s.${column}) collate "C" like $1`;
const MATCHES = `(${['user_name', 'first_name', 'last_name'].map(hasPrefix).join(' or ')}
  or s.phone = $2 or lower(s.email) = lower($2) or s.student_id = $2)`;

/** Sorted by user name. */
export async function pageOfStudents(
  db: Queryable,
  { search = '', isBlocked, page = 1, limit = 20 }: StudentSearch,
): Promise<OpenPage<ManagedStudentView>> {
  const text = search.trim();
  const { rows } = await db.query<ManagedStudentColumns>({
    text: `${MANAGED_STUDENT}
           where ${PEOPLE} and ${text === '' ? '$1::text is not null and $2::text is not null' : MATCHES}
             and ($3::boolean is null or s.is_blocked = $3)
           order by lower(s.user_name) collate "C", s.student_id offset $4 limit $5`,
    values: [
      `${escapeLikePattern(text.toLowerCase())}%`,
      text,
      isBlocked ?? null,
      (page - 1) * limit,
      limit + 1,
    ],
  });
  return openPage(rows.map(managedStudentFrom), page, limit);
}

export async function findManagedStudent(
  db: Queryable,
  studentId: string,
): Promise<ManagedStudentView | null> {
  const { rows } = await db.query<ManagedStudentColumns>({
    name: 'managed-student',
    text: `${MANAGED_STUDENT} where s.student_id = $1 and ${PEOPLE}`,
    values: [studentId],
  });
  return rows[0] ? managedStudentFrom(rows[0]) : null;
}

/** All students with a role, by user name. */
export async function listRoleHolders(db: Queryable): Promise<ManagedStudentView[]> {
  const { rows } = await db.query<ManagedStudentColumns>({
    name: 'role-holders',
    text: `${MANAGED_STUDENT}
           where s.student_id in (select r.student_id from read.student_roles r where ${notOfRemovedSpace('r.space_id')}) and not s.is_erased
           order by lower(s.user_name) collate "C", s.student_id`,
  });
  return rows.map(managedStudentFrom);
}

/** Maintainers who are not blocked. */
export async function listMaintainerIds(db: Queryable): Promise<readonly string[]> {
  const { rows } = await db.query<{ id: string }>({
    text: `select distinct s.student_id as id from read.student_roles r join read.students s using (student_id)
           where r.role = 'MAINTAINER' and s.is_registered and not s.is_blocked and not s.is_erased`,
    values: [],
  });
  return rows.map(({ id }) => id);
}

/** Whether the student is the only maintainer who is not blocked. */
export async function isLastMaintainer(db: Queryable, studentId: string): Promise<boolean> {
  const ids = await listMaintainerIds(db);
  return ids.length === 1 && ids[0] === studentId;
}
