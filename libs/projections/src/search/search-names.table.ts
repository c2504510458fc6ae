import type { EventOf } from '@nimo/domain';
import type { Key, ProjectedEvent, Table } from '../projection.js';

/** A topic or a person as they are searched. The row stays when a person leaves or is erased, so that followers hear of it. */
export type SearchNameRow = {
  readonly name_id: string;
  readonly kind: string;
  /** The topic's one, or those that the person is in now. */
  readonly space_ids: readonly string[];
  readonly subject_id: string | null;
  /** The topic's name; user name, first and last name of a person. Empty once erased. */
  readonly name: string;
  /** Registered, not blocked, not erased and no stand-in. */
  readonly is_findable: boolean;
  readonly is_blocked: boolean;
  readonly is_erased: boolean;
  readonly version: number;
};

const topic = (data: EventOf<'TopicCreated'>['data'], version: number): SearchNameRow => ({
  name_id: data.topicId,
  kind: 'TOPIC',
  space_ids: [data.spaceId],
  subject_id: data.subjectId,
  name: data.topicName,
  is_findable: true,
  is_blocked: false,
  is_erased: false,
  version,
});

const newcomer = (studentId: string): SearchNameRow => ({
  name_id: studentId,
  kind: 'PERSON',
  space_ids: [],
  subject_id: null,
  name: '',
  is_findable: false,
  is_blocked: false,
  is_erased: false,
  version: 0,
});

type Profile = EventOf<'StudentRegistered'>['data'];

/** A profile that was sealed with an erased key has null fields, whatever its type says. */
const nameOf = ({
  userName,
  firstName,
  lastName,
}: { readonly [F in keyof Profile]: Profile[F] | null }): string =>
  [userName, firstName, lastName].filter(Boolean).join(' ');

function named(row: SearchNameRow, profile: Profile, isPerson = true): SearchNameRow {
  if (row.is_erased) return row;
  const name = nameOf(profile);
  return { ...row, name, is_findable: isPerson && name !== '' && !row.is_blocked };
}

function foldPerson(row: SearchNameRow, event: ProjectedEvent): SearchNameRow {
  switch (event.type) {
    case 'StudentRegistered':
    case 'StudentProfileChanged':
      return named(row, event.data);
    case 'StudentImported':
      return named(row, event.data, !event.data.standIn);
    case 'StudentBlocked':
      return { ...row, is_blocked: true, is_findable: false };
    case 'StudentUnblocked':
      return { ...row, is_blocked: false, is_findable: row.name !== '' };
    case 'StudentErased':
      return { ...row, name: '', is_erased: true, is_findable: false };
    case 'SpaceJoined': {
      const { spaceId } = event.data;
      return row.space_ids.includes(spaceId) ? row : { ...row, space_ids: [...row.space_ids, spaceId] };
    }
    case 'SpaceLeft': {
      const { spaceId } = event.data;
      if (!row.space_ids.includes(spaceId)) return row;
      return { ...row, space_ids: row.space_ids.filter((id) => id !== spaceId) };
    }
    default:
      return row;
  }
}

export const searchNames: Table<SearchNameRow> = {
  name: 'search_names',
  columns: {
    name_id: { type: 'text' },
    kind: { type: 'text' },
    space_ids: { type: 'text[]' },
    subject_id: { type: 'text', nullable: true },
    name: { type: 'text' },
    is_findable: { type: 'boolean' },
    is_blocked: { type: 'boolean' },
    is_erased: { type: 'boolean' },
    version: { type: 'bigint' },
  },
  key: ['name_id'],
  indexes: [
    'create index search_names_version_{suffix} on {table} (kind, version)',
    'create index search_names_space_{suffix} on {table} using gin (space_ids)',
  ],
  keysOf(event): readonly Key[] {
    switch (event.type) {
      case 'TopicCreated':
      case 'TopicChanged':
        return [[event.data.topicId]];
      case 'StudentRegistered':
      case 'StudentImported':
      case 'StudentProfileChanged':
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
  fold(row, event, [id]) {
    if (event.type === 'TopicCreated' || event.type === 'TopicChanged')
      return topic(event.data, event.ordinal);
    const before = row ?? newcomer(String(id));
    const after = foldPerson(before, event);
    return after === before ? row : { ...after, version: event.ordinal };
  },
};
