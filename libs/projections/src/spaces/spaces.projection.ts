import type { EventOf } from '@nimo/domain';
import type { CounterTable, Key, ProjectedEvent, Projection, RowChange, Table } from '../projection.js';

export type SpaceRow = {
  readonly space_id: string;
  readonly name: string;
  readonly description: string;
  readonly scope: string;
  readonly banner_image_url: string | null;
  /** Hex without #. */
  readonly color: string;
  readonly is_hidden_from_search_engines: boolean;
  readonly created_at: string;
};

export type SubjectRow = {
  readonly subject_id: string;
  readonly space_id: string;
  readonly subject_name: string;
  /** Hex without #. */
  readonly color: string;
};

export type TopicRow = {
  readonly topic_id: string;
  readonly space_id: string;
  readonly subject_id: string;
  readonly topic_name: string;
  readonly slug: string;
  readonly topic_type: string;
  readonly image_s3_url: string | null;
};

/** Stays when the student leaves; `left_at` is null while the student is a member. */
export type MembershipRow = {
  readonly space_id: string;
  readonly student_id: string;
  readonly joined_at: string;
  readonly left_at: string | null;
  /** The rank of whoever suspended the member; leaving does not end it. */
  readonly suspended_by: string | null;
};

const spaceOf = (data: EventOf<'SpaceCreated'>['data'], createdAt: string): SpaceRow => ({
  space_id: data.spaceId,
  name: data.name,
  description: data.description,
  scope: data.scope,
  banner_image_url: data.bannerImageUrl,
  color: data.color,
  is_hidden_from_search_engines: data.hiddenFromSearchEngines,
  created_at: createdAt,
});

const spaces: Table<SpaceRow> = {
  name: 'spaces',
  columns: {
    space_id: { type: 'text' },
    name: { type: 'text' },
    description: { type: 'text' },
    scope: { type: 'text' },
    banner_image_url: { type: 'text', nullable: true },
    color: { type: 'text' },
    is_hidden_from_search_engines: { type: 'boolean' },
    created_at: { type: 'timestamptz' },
  },
  key: ['space_id'],
  keysOf(event): readonly Key[] {
    switch (event.type) {
      case 'SpaceCreated':
      case 'SpaceChanged':
        return [[event.data.spaceId]];
      default:
        return [];
    }
  },
  fold(row, event) {
    switch (event.type) {
      case 'SpaceCreated':
        return spaceOf(event.data, event.metadata.occurredAt);
      case 'SpaceChanged':
        return row && spaceOf(event.data, row.created_at);
      default:
        return row;
    }
  },
};

const subjects: Table<SubjectRow> = {
  name: 'subjects',
  columns: {
    subject_id: { type: 'text' },
    space_id: { type: 'text' },
    subject_name: { type: 'text' },
    color: { type: 'text' },
  },
  key: ['subject_id'],
  indexes: ['create index subjects_space_{suffix} on {table} (space_id, subject_name)'],
  keysOf(event): readonly Key[] {
    switch (event.type) {
      case 'SubjectAdded':
      case 'SubjectChanged':
        return [[event.data.subjectId]];
      default:
        return [];
    }
  },
  fold(row, event) {
    switch (event.type) {
      case 'SubjectAdded':
      case 'SubjectChanged': {
        const { subjectId, spaceId, subjectName, color } = event.data;
        return { subject_id: subjectId, space_id: spaceId, subject_name: subjectName, color };
      }
      default:
        return row;
    }
  },
};

const topics: Table<TopicRow> = {
  name: 'topics',
  columns: {
    topic_id: { type: 'text' },
    space_id: { type: 'text' },
    subject_id: { type: 'text' },
    topic_name: { type: 'text' },
    slug: { type: 'text' },
    topic_type: { type: 'text' },
    image_s3_url: { type: 'text', nullable: true },
  },
  key: ['topic_id'],
  indexes: [
    'create index topics_subject_{suffix} on {table} (subject_id, topic_type, lower(topic_name))',
    'create index topics_space_{suffix} on {table} (space_id, topic_type, lower(topic_name))',
  ],
  keysOf(event): readonly Key[] {
    switch (event.type) {
      case 'TopicCreated':
      case 'TopicChanged':
        return [[event.data.topicId]];
      default:
        return [];
    }
  },
  fold(row, event) {
    switch (event.type) {
      case 'TopicCreated':
      case 'TopicChanged': {
        const { topicId, spaceId, subjectId, topicName, slug, topicType, imageS3Url } = event.data;
        return {
          topic_id: topicId,
          space_id: spaceId,
          subject_id: subjectId,
          topic_name: topicName,
          slug,
          topic_type: topicType,
          image_s3_url: imageS3Url,
        };
      }
      default:
        return row;
    }
  },
};

const memberships: Table<MembershipRow> = {
  name: 'memberships',
  columns: {
    space_id: { type: 'text' },
    student_id: { type: 'text' },
    joined_at: { type: 'timestamptz' },
    left_at: { type: 'timestamptz', nullable: true },
    suspended_by: { type: 'text', nullable: true },
  },
  key: ['space_id', 'student_id'],
  indexes: [
    'create index memberships_student_{suffix} on {table} (student_id, joined_at) where left_at is null',
  ],
  keysOf(event): readonly Key[] {
    switch (event.type) {
      case 'SpaceJoined':
      case 'SpaceLeft':
      case 'MemberSuspended':
      case 'SuspensionLifted':
        return [[event.data.spaceId, event.data.studentId]];
      default:
        return [];
    }
  },
  fold(row, event) {
    switch (event.type) {
      case 'SpaceJoined':
        return row && row.left_at === null
          ? row
          : { ...joined(event), suspended_by: row?.suspended_by ?? null };
      case 'SpaceLeft':
        return row && row.left_at === null ? { ...row, left_at: event.metadata.occurredAt } : row;
      case 'MemberSuspended':
        return row && { ...row, suspended_by: event.data.rank };
      case 'SuspensionLifted':
        return row && { ...row, suspended_by: null };
      default:
        return row;
    }
  },
};

const joined = (event: ProjectedEvent & { readonly type: 'SpaceJoined' }): MembershipRow => ({
  space_id: event.data.spaceId,
  student_id: event.data.studentId,
  joined_at: event.metadata.occurredAt,
  left_at: null,
  suspended_by: null,
});

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

/** Where people meet: spaces, what is asked about in them, and who is in. */
export const spacesProjection = {
  name: 'spaces',
  purpose: 'Spaces, their subjects, topics and members',
  version: 2,
  tables: [spaces, subjects, topics, memberships],
  counters: [spaceMembers],
} as const satisfies Projection;
