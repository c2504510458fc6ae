import { isoTime, openPage, type OpenPage, type Queryable } from '../queryable.js';
import {
  authorColumns,
  type AuthorColumns,
  authorFrom,
  type AuthorView,
} from '../students/students.queries.js';

export interface YoungerStudentView {
  readonly _id: string;
  readonly student: AuthorView;
  /** Age asked for by the space, in years. */
  readonly age: number;
  readonly statedAt: string;
  readonly consent: 'ASKED' | 'GIVEN' | 'REFUSED' | null;
  readonly consentAt: string | null;
  readonly termsVersion: string | null;
  readonly isMember: boolean;
}

export interface YoungerStudentsOptions {
  readonly spaceId: string;
  readonly page?: number;
  readonly limit?: number;
}

interface YoungerColumns extends AuthorColumns {
  readonly age: number;
  readonly stated: string;
  readonly consent: YoungerStudentView['consent'];
  readonly consented: string | null;
  readonly terms: string | null;
  readonly is_member: boolean;
}

/** Students who stated to be below the consent age of a space, by user name. */
export async function pageOfYoungerStudents(
  db: Queryable,
  { spaceId, page = 1, limit = 50 }: YoungerStudentsOptions,
): Promise<OpenPage<YoungerStudentView>> {
  const { rows } = await db.query<YoungerColumns>({
    name: 'younger-students',
    text: `
      select (answer->>'age')::int as age, ${isoTime("(answer->>'statedAt')::timestamptz")} as stated,
        answer->>'consent' as consent, ${isoTime("(answer->>'consentAt')::timestamptz")} as consented,
        answer->>'termsVersion' as terms, ${authorColumns('a', 'r.student_id')},
        exists (select from read.memberships m where m.space_id = $1 and m.student_id = r.student_id and m.left_at is null) as is_member
      from read.stated_ages r
      cross join jsonb_array_elements(r.ages) answer
      join read.students a on a.student_id = r.student_id
      where r.below_in @> array[$1::text] and answer->>'spaceId' = $1
      order by lower(a.user_name), r.student_id offset $2 limit $3`,
    values: [spaceId, (page - 1) * limit, limit + 1],
  });
  return openPage(
    rows.map((row) => ({
      _id: row.author_id,
      student: authorFrom(row),
      age: row.age,
      statedAt: row.stated,
      consent: row.consent,
      consentAt: row.consented,
      termsVersion: row.terms,
      isMember: row.is_member,
    })),
    page,
    limit,
  );
}
