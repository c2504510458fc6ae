import type { Role } from '@nimo/domain';
import { isoTime, escapeLikePattern, type Queryable } from '../queryable.js';
import { notOfRemovedSpace } from '../removed-space.sql.js';

/** A person, as others see them. Names are empty once erased. */
export interface AuthorView {
  readonly _id: string;
  readonly userName: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly realProfilePicUrl: string | null;
  readonly profileDesc: string;
}

/** All data of a student. The caller decides who may see what. */
export interface StudentView {
  readonly _id: string;
  readonly userName: string | null;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly profileDesc: string | null;
  readonly realProfilePicUrl: string | null;
  readonly phone: string | null;
  readonly email: string | null;
  readonly registrationType: string;
  readonly createdAt: string;
  readonly isRegistered: boolean;
  readonly isPhoneVerified: boolean;
  readonly isEmailConfirmed: boolean;
  readonly isBlocked: boolean;
  readonly isErased: boolean;
  readonly isStandIn: boolean;
  readonly isFirstTimeLogin: boolean;
  readonly accountStatus: 'ACTIVE' | 'BLOCKED';
  readonly spaceIds: readonly string[];
  readonly roles: readonly RoleView[];
  /** Questions asked in all spaces that are not removed. */
  readonly countQuestions: number;
}

/** A `space` of null means all spaces. */
export interface RoleView {
  readonly role: Role;
  readonly space: string | null;
}

/** Author columns of the person left-joined as `alias`. The row of a new student may not exist yet. */
export const authorColumns = (alias: string, id: string): string => `
  ${id} as author_id, coalesce(${alias}.user_name, '') as author_user_name,
  coalesce(${alias}.first_name, '') as author_first_name, coalesce(${alias}.last_name, '') as author_last_name,
  ${alias}.real_profile_pic_url as author_pic, coalesce(${alias}.profile_desc, '') as author_desc`;

export interface AuthorColumns {
  author_id: string;
  author_user_name: string;
  author_first_name: string;
  author_last_name: string;
  author_pic: string | null;
  author_desc: string;
}

export const authorFrom = (row: AuthorColumns): AuthorView => ({
  _id: row.author_id,
  userName: row.author_user_name,
  firstName: row.author_first_name,
  lastName: row.author_last_name,
  realProfilePicUrl: row.author_pic,
  profileDesc: row.author_desc,
});

const STUDENT = `
  select s.student_id as "_id", s.user_name as "userName", s.first_name as "firstName", s.last_name as "lastName",
    s.profile_desc as "profileDesc", s.real_profile_pic_url as "realProfilePicUrl", s.phone, s.email,
    s.registration_type as "registrationType", ${isoTime('s.created_at')} as "createdAt",
    s.is_registered as "isRegistered", s.is_phone_verified as "isPhoneVerified",
    s.is_email_confirmed as "isEmailConfirmed", s.is_blocked as "isBlocked", s.is_erased as "isErased",
    s.is_stand_in as "isStandIn", not s.has_ever_joined as "isFirstTimeLogin",
    case when s.is_blocked then 'BLOCKED' else 'ACTIVE' end as "accountStatus", s.space_ids as "spaceIds",
    (select coalesce(json_agg(json_build_object('role', r.role, 'space', nullif(r.space_id, ''))
              order by r.role, r.space_id), '[]')
       from read.student_roles r where r.student_id = s.student_id and ${notOfRemovedSpace('r.space_id')}) as roles,
    (select coalesce(sum(t.solved + t.unsolved), 0)::int
       from read.author_totals t where t.author_id = s.student_id and ${notOfRemovedSpace('t.space_id')}) as "countQuestions"
  from read.students s`;

async function findStudent(
  db: Queryable,
  by: string,
  condition: string,
  value: string,
): Promise<StudentView | null> {
  const { rows } = await db.query<StudentView>({
    name: `student-by-${by}`,
    text: `${STUDENT} where ${condition} order by s.created_at, s.student_id limit 1`,
    values: [value],
  });
  return rows[0] ?? null;
}

export const findStudentById = (db: Queryable, studentId: string): Promise<StudentView | null> =>
  findStudent(db, 'id', 's.student_id = $1', studentId);

/** User names are unique regardless of case. */
export const findStudentByUserName = (db: Queryable, userName: string): Promise<StudentView | null> =>
  findStudent(db, 'user-name', 'lower(s.user_name) collate "C" = lower($1)', userName);

export const findStudentByPhone = (db: Queryable, phone: string): Promise<StudentView | null> =>
  findStudent(db, 'phone', 's.phone = $1', phone);

export const findStudentByEmail = (db: Queryable, email: string): Promise<StudentView | null> =>
  findStudent(db, 'email', 'lower(s.email) = lower($1)', email);

/** Authors in the order of the ids, for a DataLoader. */
export async function findAuthorsByIds(
  db: Queryable,
  ids: readonly string[],
): Promise<(AuthorView | null)[]> {
  const { rows } = await db.query<AuthorColumns>({
    name: 'authors-by-ids',
    text: `select ${authorColumns('s', 's.student_id')} from read.students s where s.student_id = any($1::text[])`,
    values: [ids],
  });
  const byId = new Map(rows.map((row) => [row.author_id, authorFrom(row)]));
  return ids.map((id) => byId.get(id) ?? null);
}

/** Those of the students who are members of the space, in the order of the ids. */
export async function findMembersByIds(
  db: Queryable,
  spaceId: string,
  ids: readonly string[],
): Promise<AuthorView[]> {
  const { rows } = await db.query<AuthorColumns>({
    name: 'members-by-ids',
    text: `select ${authorColumns('s', 's.student_id')}
           from unnest($2::text[]) with ordinality as asked (student_id, place)
           join read.memberships m on m.space_id = $1 and m.student_id = asked.student_id and m.left_at is null
           join read.students s on s.student_id = asked.student_id
           order by asked.place`,
    values: [spaceId, ids],
  });
  return rows.map(authorFrom);
}

export interface MemberSearch {
  readonly spaceId: string;
  readonly search: string;
  readonly skip: number;
  readonly limit: number;
}

/** Members who can be mentioned. Must match the predicate of the index `students_mention`. */
const MENTIONABLE = `s.space_ids @> array[$1::text]
  and s.is_registered and not s.is_blocked and not s.is_stand_in and not s.is_erased`;
const NAMES = "lower(s.user_name || ' ' || s.first_name || ' ' || s.last_name)";
const prefixColumn = (column: string): string => `lower(${column}) collate "C"`;

/** `$2` is the pattern and `$3` the limit. Scans an index in order and stops early. */
const prefixMatches = (column: string, preference: number): string => `
  (select s.student_id, ${preference} as preference, ${prefixColumn(`s.${column}`)} as sorting
   from read.students s where ${MENTIONABLE} and ${prefixColumn(`s.${column}`)} like $2
   order by ${prefixColumn(`s.${column}`)}, s.student_id limit $3)`;

/** Trigram indexes cannot find infixes below three letters, so shorter texts only match prefixes. */
const TRIGRAM = 3;

const SHORT_MATCHES = `
  select * from beginning
  union all ${prefixMatches('first_name', 2)}
  union all ${prefixMatches('last_name', 2)}`;

/** Searches infixes only if too few prefixes match. `offset 0` keeps the planner from sorting before filtering. */
const LONG_MATCHES = `
  select * from beginning
  union all
  select * from (
    select s.student_id, 2 as preference, ${prefixColumn('s.user_name')} as sorting
    from (
      select s.student_id, s.user_name from read.students s
      where (select count(*) < $3 from beginning) and ${MENTIONABLE} and ${NAMES} like '%' || $2 offset 0
    ) s order by sorting, s.student_id limit $3
  ) matching`;

/** Members whose user name starts with the text, then members with any other match. */
export async function searchMembers(
  db: Queryable,
  { spaceId, search, skip, limit }: MemberSearch,
): Promise<AuthorView[]> {
  const text = search.trim().toLowerCase();
  const { rows } = await db.query<AuthorColumns>({
    text: `with beginning as materialized ${prefixMatches('user_name', 1)},
           hit as (
             select student_id, min(preference) as preference
             from (${text.length < TRIGRAM ? SHORT_MATCHES : LONG_MATCHES}) found group by student_id
           )
           select ${authorColumns('s', 's.student_id')}
           from hit join read.students s on s.student_id = hit.student_id
           order by hit.preference, ${prefixColumn('s.user_name')}, s.student_id offset $4 limit $5`,
    values: [spaceId, `${escapeLikePattern(text)}%`, skip + limit, skip, limit],
  });
  return rows.map(authorFrom);
}

/** Maximum entries per list. */
export const MAX_OWN_SUBJECTS = 5;

export interface OwnSubjectsView {
  /** Subjects with the most questions and answers of the student. */
  readonly favouriteSubjects: readonly string[];
  /** Subjects with the most unsolved questions of the student. */
  readonly troublingSubjects: readonly string[];
  readonly troublingTopics: readonly string[];
}

interface CountedRow {
  list: keyof OwnSubjectsView;
  id: string;
}

/** Subjects and topics of a student's visible posts. Ties are sorted by latest post. */
export async function findOwnSubjects(db: Queryable, studentId: string): Promise<OwnSubjectsView> {
  const { rows } = await db.query<CountedRow>({
    name: 'own-subjects',
    text: `
      with own as (
        select q.subject_id, q.topic_id, q.created_at, q.accepted_answer_id is null as is_unsolved
        from read.questions q where q.author_id = $1 and not q.is_removed
        union all
        select q.subject_id, q.topic_id, x.created_at, false
        from read.answers x join read.questions q on q.question_id = x.question_id and not q.is_removed
        where x.author_id = $1 and not x.is_removed
      ), counted as (
        select 'favouriteSubjects' as list, subject_id as id, count(*) as posts, max(created_at) as latest
        from own group by subject_id
        union all
        select 'troublingSubjects', subject_id, count(*), max(created_at) from own where is_unsolved group by subject_id
        union all
        select 'troublingTopics', topic_id, count(*), max(created_at) from own where is_unsolved group by topic_id
      ), ranked as (
        select list, id, row_number() over (partition by list order by posts desc, latest desc, id) as place from counted
      )
      select list, id from ranked where place <= ${MAX_OWN_SUBJECTS} order by list, place`,
    values: [studentId],
  });
  const of = (name: CountedRow['list']) => rows.filter(({ list }) => list === name).map(({ id }) => id);
  return {
    favouriteSubjects: of('favouriteSubjects'),
    troublingSubjects: of('troublingSubjects'),
    troublingTopics: of('troublingTopics'),
  };
}
