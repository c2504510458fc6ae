import type { EventOf, SpaceEntry } from '@nimo/domain';
import {
  type Columns,
  type CounterTable,
  type Handler,
  typedColumn,
  type Key,
  type Projected,
  type Projection,
  type RowChange,
  type RowOf,
  type Table,
} from '../projection.js';
import { entryRequests } from './entry-requests.table.js';
import { statedAges } from './stated-ages.table.js';
import { suspensions } from './suspensions.table.js';
import { warnings } from './warnings.table.js';

const SPACE_COLUMNS = {
  space_id: { type: 'text' },
  name: { type: 'text' },
  description: { type: 'text' },
  scope: { type: 'text' },
  banner_image_url: { type: 'text', nullable: true },
  /** Hex without #. */
  color: { type: 'text' },
  is_hidden_from_search_engines: { type: 'boolean' },
  entry: typedColumn<SpaceEntry>('text'),
  /** Only for open spaces. */
  has_public_pages: { type: 'boolean' },
  /** In years; null if the space does not ask for an age. */
  consent_age: { type: 'integer', nullable: true },
  created_at: { type: 'timestamptz' },
} as const satisfies Columns;

export type SpaceRow = RowOf<typeof SPACE_COLUMNS>;

const ARCHIVED_SPACE_COLUMNS = {
  space_id: { type: 'text' },
  archived_at: { type: 'timestamptz' },
} as const satisfies Columns;

export type ArchivedSpaceRow = RowOf<typeof ARCHIVED_SPACE_COLUMNS>;

const REMOVED_SPACE_COLUMNS = {
  space_id: { type: 'text' },
  name: { type: 'text' },
  removed_at: { type: 'timestamptz' },
} as const satisfies Columns;

export type RemovedSpaceRow = RowOf<typeof REMOVED_SPACE_COLUMNS>;

const SUBJECT_COLUMNS = {
  subject_id: { type: 'text' },
  space_id: { type: 'text' },
  subject_name: { type: 'text' },
  /** Hex without #. */
  color: { type: 'text' },
} as const satisfies Columns;

export type SubjectRow = RowOf<typeof SUBJECT_COLUMNS>;

const TOPIC_COLUMNS = {
  topic_id: { type: 'text' },
  space_id: { type: 'text' },
  subject_id: { type: 'text' },
  topic_name: { type: 'text' },
  slug: { type: 'text' },
  topic_type: { type: 'text' },
  image_s3_url: { type: 'text', nullable: true },
} as const satisfies Columns;

export type TopicRow = RowOf<typeof TOPIC_COLUMNS>;

const MEMBERSHIP_COLUMNS = {
  space_id: { type: 'text' },
  student_id: { type: 'text' },
  joined_at: { type: 'timestamptz' },
  left_at: { type: 'timestamptz', nullable: true },
  /** Rank of the staff member who suspended the member. Leaving does not lift a suspension. */
  suspended_by: { type: 'text', nullable: true },
} as const satisfies Columns;

/** A current or former membership. `left_at` is null while the student is a member. */
export type MembershipRow = RowOf<typeof MEMBERSHIP_COLUMNS>;

const spaceOf = (data: EventOf<'SpaceCreated'>['data'], createdAt: string): SpaceRow => ({
  space_id: data.spaceId,
  name: data.name,
  description: data.description,
  scope: data.scope,
  banner_image_url: data.bannerImageUrl,
  color: data.color,
  is_hidden_from_search_engines: data.hiddenFromSearchEngines,
  entry: data.entry,
  has_public_pages: data.publicPages,
  consent_age: data.consentAge,
  created_at: createdAt,
});

const ofSpace = ({
  data,
}: Projected<
  'SpaceCreated' | 'SpaceChanged' | 'SpaceRemoved' | 'SpaceArchived' | 'SpaceUnarchived'
>): readonly Key[] => [[data.spaceId]];

const spaces: Table<SpaceRow> = {
  name: 'spaces',
  columns: SPACE_COLUMNS,
  key: ['space_id'],
  on: {
    SpaceCreated: { keys: ofSpace, fold: (_, { data, metadata }) => spaceOf(data, metadata.occurredAt) },
    SpaceChanged: { keys: ofSpace, change: (row, { data }) => spaceOf(data, row.created_at) },
    SpaceRemoved: { keys: ofSpace, change: () => undefined },
    // Closed to everyone but its members, for every query that asks how a space is entered.
    SpaceArchived: {
      keys: ofSpace,
      change: (row) => ({
        ...row,
        entry: 'INVITATION',
        has_public_pages: false,
        is_hidden_from_search_engines: true,
      }),
    },
    SpaceUnarchived: { keys: ofSpace, change: (row, { data }) => spaceOf(data, row.created_at) },
  },
};

/** A table of its own: queries find its view empty until this version of the projection is live. */
const archivedSpaces: Table<ArchivedSpaceRow> = {
  name: 'archived_spaces',
  columns: ARCHIVED_SPACE_COLUMNS,
  key: ['space_id'],
  on: {
    SpaceArchived: {
      keys: ofSpace,
      fold: (_, { data, metadata }) => ({ space_id: data.spaceId, archived_at: metadata.occurredAt }),
    },
    SpaceUnarchived: { keys: ofSpace, change: () => undefined },
    SpaceRemoved: { keys: ofSpace, change: () => undefined },
  },
};

/** Spaces that were deleted. Queries leave out what other tables still have of them. */
const removedSpaces: Table<RemovedSpaceRow> = {
  name: 'removed_spaces',
  columns: REMOVED_SPACE_COLUMNS,
  key: ['space_id'],
  on: {
    SpaceRemoved: {
      keys: ofSpace,
      fold: (_, { data, metadata }) => ({
        space_id: data.spaceId,
        name: data.name,
        removed_at: metadata.occurredAt,
      }),
    },
  },
};

const subject: Handler<SubjectRow, Projected<'SubjectAdded' | 'SubjectChanged'>> = {
  keys: ({ data }) => [[data.subjectId]],
  fold: (_, { data: { subjectId, spaceId, subjectName, color } }) => ({
    subject_id: subjectId,
    space_id: spaceId,
    subject_name: subjectName,
    color,
  }),
};

const subjects: Table<SubjectRow> = {
  name: 'subjects',
  columns: SUBJECT_COLUMNS,
  key: ['subject_id'],
  indexes: ['create index subjects_space_{suffix} on {table} (space_id, subject_name)'],
  on: {
    SubjectAdded: subject,
    SubjectChanged: subject,
  },
};

const topic: Handler<TopicRow, Projected<'TopicCreated' | 'TopicChanged'>> = {
  keys: ({ data }) => [[data.topicId]],
  fold: (_, { data }) => ({
    topic_id: data.topicId,
    space_id: data.spaceId,
    subject_id: data.subjectId,
    topic_name: data.topicName,
    slug: data.slug,
    topic_type: data.topicType,
    image_s3_url: data.imageS3Url,
  }),
};

const topics: Table<TopicRow> = {
  name: 'topics',
  columns: TOPIC_COLUMNS,
  key: ['topic_id'],
  indexes: [
    'create index topics_subject_{suffix} on {table} (subject_id, topic_type, lower(topic_name))',
    'create index topics_space_{suffix} on {table} (space_id, topic_type, lower(topic_name))',
  ],
  on: {
    TopicCreated: topic,
    TopicChanged: topic,
  },
};

type OfMember = { readonly data: { readonly spaceId: string; readonly studentId: string } };
const ofMember = ({ data }: OfMember): readonly Key[] => [[data.spaceId, data.studentId]];

const joined = (event: Projected<'SpaceJoined'>): MembershipRow => ({
  space_id: event.data.spaceId,
  student_id: event.data.studentId,
  joined_at: event.metadata.occurredAt,
  left_at: null,
  suspended_by: null,
});

const memberships: Table<MembershipRow> = {
  name: 'memberships',
  columns: MEMBERSHIP_COLUMNS,
  key: ['space_id', 'student_id'],
  indexes: [
    'create index memberships_student_{suffix} on {table} (student_id, joined_at) where left_at is null',
  ],
  on: {
    SpaceJoined: {
      keys: ofMember,
      fold: (row, event) =>
        row?.left_at === null ? row : { ...joined(event), suspended_by: row?.suspended_by ?? null },
    },
    SpaceLeft: {
      keys: ofMember,
      change: (row, { metadata }) => (row.left_at === null ? { ...row, left_at: metadata.occurredAt } : row),
    },
    MemberSuspended: { keys: ofMember, change: (row, { data }) => ({ ...row, suspended_by: data.rank }) },
    SuspensionLifted: { keys: ofMember, change: (row) => ({ ...row, suspended_by: null }) },
  },
};

const isMember = (row: MembershipRow | undefined): number => (row && row.left_at === null ? 1 : 0);

const spaceMembers: CounterTable = {
  name: 'space_members',
  key: ['space_id'],
  counters: ['members'],
  source: 'memberships',
  increments({ key, before, after }: RowChange<MembershipRow>) {
    const members = isMember(after) - isMember(before);
    return members === 0 ? [] : [{ key: [String(key[0])], by: { members } }];
  },
};

const STAND_IN_COLUMNS = {
  student_id: { type: 'text' },
  /** Null until the stand-in joins the space of its import. */
  space_id: { type: 'text', nullable: true },
} as const satisfies Columns;

/** An account that an import created for votes without known voters. */
export type StandInRow = RowOf<typeof STAND_IN_COLUMNS>;

/** A table of its own, because `SpaceJoined` does not say who is a stand-in. */
const standIns: Table<StandInRow> = {
  name: 'stand_ins',
  columns: STAND_IN_COLUMNS,
  key: ['student_id'],
  on: {
    StudentImported: {
      keys: ({ data }) => (data.standIn ? [[data.studentId]] : []),
      fold: (row, { data }) => row ?? { student_id: data.studentId, space_id: null },
    },
    SpaceJoined: {
      keys: ({ data }) => [[data.studentId]],
      change: (row, { data }) => ({ ...row, space_id: data.spaceId }),
    },
    SpaceLeft: {
      keys: ({ data }) => [[data.studentId]],
      change: (row, { data }) => (row.space_id === data.spaceId ? { ...row, space_id: null } : row),
    },
  },
};

/** `space_members` counts stand-ins too; read member counts with `memberCountOf`. */
const spaceStandIns: CounterTable = {
  name: 'space_stand_ins',
  key: ['space_id'],
  counters: ['stand_ins'],
  source: 'stand_ins',
  increments({ before, after }: RowChange<StandInRow>) {
    const [from, to] = [before?.space_id ?? null, after?.space_id ?? null];
    if (from === to) return [];
    return [
      ...(from === null ? [] : [{ key: [from], by: { stand_ins: -1 } }]),
      ...(to === null ? [] : [{ key: [to], by: { stand_ins: 1 } }]),
    ];
  },
};

/** Spaces with their subjects, topics, members and requests to join. */
export const spacesProjection = {
  name: 'spaces',
  purpose: 'Spaces, their subjects, topics and members',
  version: 7,
  tables: [
    spaces,
    subjects,
    topics,
    memberships,
    entryRequests,
    statedAges,
    archivedSpaces,
    suspensions,
    standIns,
    removedSpaces,
    warnings,
  ],
  counters: [spaceMembers, spaceStandIns],
} as const satisfies Projection;
