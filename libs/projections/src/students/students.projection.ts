import type { EventOf } from '@nimo/domain';
import type { Columns, Key, Projected, ProjectedEvent, Projection, RowOf, Table } from '../projection.js';

const STUDENT_COLUMNS = {
  student_id: { type: 'text' },
  user_name: { type: 'text', nullable: true },
  first_name: { type: 'text', nullable: true },
  last_name: { type: 'text', nullable: true },
  profile_desc: { type: 'text', nullable: true },
  real_profile_pic_url: { type: 'text', nullable: true },
  phone: { type: 'text', nullable: true },
  email: { type: 'text', nullable: true },
  registration_type: { type: 'text' },
  created_at: { type: 'timestamptz' },
  is_registered: { type: 'boolean' },
  is_phone_verified: { type: 'boolean' },
  is_email_confirmed: { type: 'boolean' },
  is_blocked: { type: 'boolean' },
  /** Rank of the staff member who blocked the student; null unless blocked. */
  blocked_by: { type: 'text', nullable: true },
  is_erased: { type: 'boolean' },
  is_stand_in: { type: 'boolean' },
  has_ever_joined: { type: 'boolean' },
  /** Current spaces, in the order of joining. */
  space_ids: { type: 'text[]' },
} as const satisfies Columns;

/** Names, contacts and texts are null if never given or once erased. */
export type StudentRow = RowOf<typeof STUDENT_COLUMNS>;

const STUDENT_ROLE_COLUMNS = {
  student_id: { type: 'text' },
  role: { type: 'text' },
  space_id: { type: 'text' },
} as const satisfies Columns;

/** A role of a student. An empty `space_id` means all spaces. */
export type StudentRoleRow = RowOf<typeof STUDENT_ROLE_COLUMNS>;

type Profile = EventOf<'StudentRegistered'>['data'];

const newStudent = (event: ProjectedEvent, studentId: string): StudentRow => ({
  student_id: studentId,
  user_name: null,
  first_name: null,
  last_name: null,
  profile_desc: null,
  real_profile_pic_url: null,
  phone: null,
  email: null,
  registration_type: 'SELF',
  created_at: event.metadata.occurredAt,
  is_registered: false,
  is_phone_verified: false,
  is_email_confirmed: false,
  is_blocked: false,
  blocked_by: null,
  is_erased: false,
  is_stand_in: false,
  has_ever_joined: false,
  space_ids: [],
});

/** Fields are null if the key that sealed the profile was destroyed. */
const withProfile = (row: StudentRow, profile: Profile): StudentRow => ({
  ...row,
  user_name: profile.userName,
  first_name: profile.firstName,
  last_name: profile.lastName,
  profile_desc: profile.profileDesc,
  real_profile_pic_url: profile.realProfilePicUrl,
});

const erased = (row: StudentRow): StudentRow => ({
  ...row,
  user_name: null,
  first_name: null,
  last_name: null,
  profile_desc: null,
  real_profile_pic_url: null,
  phone: null,
  email: null,
  // A rebuild can no longer tell whether a changed contact existed.
  is_phone_verified: false,
  is_email_confirmed: false,
  is_erased: true,
});

const withSpace = (row: StudentRow, spaceId: string): StudentRow =>
  row.space_ids.includes(spaceId)
    ? row
    : { ...row, has_ever_joined: true, space_ids: [...row.space_ids, spaceId] };

const withoutSpace = (row: StudentRow, spaceId: string): StudentRow =>
  row.space_ids.includes(spaceId) ? { ...row, space_ids: row.space_ids.filter((id) => id !== spaceId) } : row;

type OfStudent = { readonly data: { readonly studentId: string } };
const ofStudent = ({ data }: OfStudent): readonly Key[] => [[data.studentId]];

const students: Table<StudentRow> = {
  name: 'students',
  columns: STUDENT_COLUMNS,
  key: ['student_id'],
  indexes: [
    // Collation "C" lets one index serve equality, prefixes and order in any locale.
    'create index students_user_name_{suffix} on {table} (lower(user_name) collate "C")',
    'create index students_first_name_{suffix} on {table} (lower(first_name) collate "C")',
    'create index students_last_name_{suffix} on {table} (lower(last_name) collate "C")',
    'create index students_phone_{suffix} on {table} (phone) where phone is not null',
    'create index students_email_{suffix} on {table} (lower(email)) where email is not null',
    // One index serves both "in this space" and "contains". A migration installs pg_trgm.
    `create index students_mention_{suffix} on {table}
       using gin (space_ids, lower(user_name || ' ' || first_name || ' ' || last_name) gin_trgm_ops)
       where is_registered and not is_blocked and not is_stand_in and not is_erased`,
  ],
  on: {
    StudentSignedUp: {
      keys: ofStudent,
      fold(_, event) {
        const { studentId, phone, email, registrationType } = event.data;
        return { ...newStudent(event, studentId), phone, email, registration_type: registrationType };
      },
    },
    StudentPhoneVerified: {
      keys: ofStudent,
      change: (row) => (row.is_erased ? row : { ...row, is_phone_verified: true }),
    },
    StudentEmailConfirmed: {
      keys: ofStudent,
      change: (row) => (row.is_erased ? row : { ...row, is_email_confirmed: true }),
    },
    StudentPhoneChanged: {
      keys: ofStudent,
      change: (row, { data: { phone } }) =>
        row.is_erased ? row : { ...row, phone, is_phone_verified: phone !== null },
    },
    StudentEmailChanged: {
      keys: ofStudent,
      change: (row, { data: { email } }) =>
        row.is_erased ? row : { ...row, email, is_email_confirmed: email !== null },
    },
    SignUpAbandoned: { keys: ofStudent, change: (row) => (row.is_registered ? row : undefined) },
    StudentRegistered: {
      keys: ofStudent,
      change: (row, { data }) => (row.is_erased ? row : { ...withProfile(row, data), is_registered: true }),
    },
    StudentProfileChanged: {
      keys: ofStudent,
      change: (row, { data }) => (row.is_erased ? row : withProfile(row, data)),
    },
    StudentImported: {
      keys: ofStudent,
      fold: (_, event) => ({
        ...withProfile(newStudent(event, event.data.studentId), event.data),
        registration_type: 'IMPORTED',
        is_registered: true,
        is_stand_in: event.data.standIn,
      }),
    },
    StudentBlocked: {
      keys: ofStudent,
      change: (row, { data }) => ({ ...row, is_blocked: true, blocked_by: data.rank }),
    },
    StudentUnblocked: { keys: ofStudent, change: (row) => ({ ...row, is_blocked: false, blocked_by: null }) },
    StudentErased: { keys: ofStudent, change: erased },
    SpaceJoined: { keys: ofStudent, change: (row, { data }) => withSpace(row, data.spaceId) },
    SpaceLeft: { keys: ofStudent, change: (row, { data }) => withoutSpace(row, data.spaceId) },
  },
};

const ofRole = ({ data }: Projected<'RoleGranted' | 'RoleRevoked'>): readonly Key[] => [
  [data.studentId, data.role, data.spaceId ?? ''],
];

const studentRoles: Table<StudentRoleRow> = {
  name: 'student_roles',
  columns: STUDENT_ROLE_COLUMNS,
  key: ['student_id', 'role', 'space_id'],
  on: {
    RoleGranted: {
      keys: ofRole,
      fold: (row, { data: { studentId, role, spaceId } }) =>
        row ?? { student_id: studentId, role, space_id: spaceId ?? '' },
    },
    RoleRevoked: { keys: ofRole, change: () => undefined },
  },
};

/** Students: profiles, account status and roles. */
export const studentsProjection = {
  name: 'students',
  purpose: 'Profiles, roles and blocked accounts',
  version: 3,
  tables: [students, studentRoles],
} as const satisfies Projection;
