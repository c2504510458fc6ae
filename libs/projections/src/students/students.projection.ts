import type { EventOf } from '@nimo/domain';
import type { Key, ProjectedEvent, Projection, Table } from '../projection.js';

/** A null name, phone or text was never given, or the student is erased. */
export type StudentRow = {
  readonly student_id: string;
  readonly user_name: string | null;
  readonly first_name: string | null;
  readonly last_name: string | null;
  readonly profile_desc: string | null;
  readonly real_profile_pic_url: string | null;
  readonly phone: string | null;
  readonly email: string | null;
  readonly registration_type: string;
  readonly created_at: string;
  readonly is_registered: boolean;
  readonly is_phone_verified: boolean;
  readonly is_email_confirmed: boolean;
  readonly is_blocked: boolean;
  /** The rank of whoever blocked, while the block stands. */
  readonly blocked_by: string | null;
  readonly is_erased: boolean;
  readonly is_stand_in: boolean;
  readonly has_ever_joined: boolean;
  /** Spaces the student is in now, the first joined first. */
  readonly space_ids: readonly string[];
};

/** One role of a student; an empty `space_id` means all spaces. */
export type StudentRoleRow = {
  readonly student_id: string;
  readonly role: string;
  readonly space_id: string;
};

type Profile = EventOf<'StudentRegistered'>['data'];

const signedUpAt = (event: ProjectedEvent, studentId: string): StudentRow => ({
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

/** A profile that was sealed with an erased key has null fields, whatever its type says. */
const withProfile = (row: StudentRow, profile: Profile): StudentRow => ({
  ...row,
  user_name: profile.userName,
  first_name: profile.firstName,
  last_name: profile.lastName,
  profile_desc: profile.profileDesc,
  real_profile_pic_url: profile.realProfilePicUrl,
});

const withoutPerson = (row: StudentRow): StudentRow => ({
  ...row,
  user_name: null,
  first_name: null,
  last_name: null,
  profile_desc: null,
  real_profile_pic_url: null,
  phone: null,
  email: null,
  is_erased: true,
});

function foldStudent(row: StudentRow, event: ProjectedEvent): StudentRow {
  switch (event.type) {
    case 'StudentPhoneVerified':
      return { ...row, is_phone_verified: true };
    case 'StudentEmailConfirmed':
      return { ...row, is_email_confirmed: true };
    case 'StudentRegistered':
      return row.is_erased ? row : { ...withProfile(row, event.data), is_registered: true };
    case 'StudentProfileChanged':
      return row.is_erased ? row : withProfile(row, event.data);
    case 'StudentBlocked':
      return { ...row, is_blocked: true, blocked_by: event.data.rank };
    case 'StudentUnblocked':
      return { ...row, is_blocked: false, blocked_by: null };
    case 'StudentErased':
      return withoutPerson(row);
    case 'SpaceJoined':
      return row.space_ids.includes(event.data.spaceId)
        ? row
        : { ...row, has_ever_joined: true, space_ids: [...row.space_ids, event.data.spaceId] };
    case 'SpaceLeft':
      return row.space_ids.includes(event.data.spaceId)
        ? { ...row, space_ids: row.space_ids.filter((id) => id !== event.data.spaceId) }
        : row;
    default:
      return row;
  }
}

const students: Table<StudentRow> = {
  name: 'students',
  columns: {
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
    blocked_by: { type: 'text', nullable: true },
    is_erased: { type: 'boolean' },
    is_stand_in: { type: 'boolean' },
    has_ever_joined: { type: 'boolean' },
    space_ids: { type: 'text[]' },
  },
  key: ['student_id'],
  indexes: [
    // By code points: equality, beginnings and order all come from one index, whatever the database's locale.
    'create index students_user_name_{suffix} on {table} (lower(user_name) collate "C")',
    'create index students_first_name_{suffix} on {table} (lower(first_name) collate "C")',
    'create index students_last_name_{suffix} on {table} (lower(last_name) collate "C")',
    'create index students_phone_{suffix} on {table} (phone) where phone is not null',
    'create index students_email_{suffix} on {table} (lower(email)) where email is not null',
    // One index answers both "of this space" and "contains": the extension pg_trgm comes with a migration.
    `create index students_mention_{suffix} on {table}
       using gin (space_ids, lower(user_name || ' ' || first_name || ' ' || last_name) gin_trgm_ops)
       where is_registered and not is_blocked and not is_stand_in and not is_erased`,
  ],
  keysOf(event): readonly Key[] {
    switch (event.type) {
      case 'StudentSignedUp':
      case 'StudentPhoneVerified':
      case 'StudentEmailConfirmed':
      case 'StudentRegistered':
      case 'StudentProfileChanged':
      case 'StudentImported':
      case 'StudentBlocked':
      case 'StudentUnblocked':
      case 'StudentErased':
      case 'SpaceJoined':
      case 'SpaceLeft':
        return [[event.data.studentId]];
      default:
        return [];
    }
  },
  fold(row, event) {
    switch (event.type) {
      case 'StudentSignedUp': {
        const { studentId, phone, email, registrationType } = event.data;
        return { ...signedUpAt(event, studentId), phone, email, registration_type: registrationType };
      }
      case 'StudentImported': {
        const signedUp = signedUpAt(event, event.data.studentId);
        return {
          ...withProfile(signedUp, event.data),
          registration_type: 'IMPORTED',
          is_registered: true,
          is_stand_in: event.data.standIn,
        };
      }
      default:
        return row && foldStudent(row, event);
    }
  },
};

const studentRoles: Table<StudentRoleRow> = {
  name: 'student_roles',
  columns: { student_id: { type: 'text' }, role: { type: 'text' }, space_id: { type: 'text' } },
  key: ['student_id', 'role', 'space_id'],
  keysOf(event): readonly Key[] {
    switch (event.type) {
      case 'RoleGranted':
      case 'RoleRevoked':
        return [[event.data.studentId, event.data.role, event.data.spaceId ?? '']];
      default:
        return [];
    }
  },
  fold(row, event) {
    switch (event.type) {
      case 'RoleGranted':
        return (
          row ?? {
            student_id: event.data.studentId,
            role: event.data.role,
            space_id: event.data.spaceId ?? '',
          }
        );
      case 'RoleRevoked':
        return undefined;
      default:
        return row;
    }
  },
};

/** Who takes part: people, their standing in the product and their roles. */
export const studentsProjection = {
  name: 'students',
  purpose: 'Profiles, roles and who is blocked',
  version: 2,
  tables: [students, studentRoles],
} as const satisfies Projection;
