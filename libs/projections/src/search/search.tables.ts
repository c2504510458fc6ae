import type { EventOf } from '@nimo/domain';
import type { Columns, Handler, Projected, ProjectedEvent, Projection, RowOf, Table } from '../projection.js';
import { searchDocuments } from './search-documents.table.js';

const COLUMNS = {
  name_id: { type: 'text' },
  kind: { type: 'text' },
  /** The topic's space, or the person's current spaces. */
  space_ids: { type: 'text[]' },
  subject_id: { type: 'text', nullable: true },
  /** Name of the topic; user name, first and last name of the person. Empty once erased. */
  name: { type: 'text' },
  /** False for people who are unregistered, blocked, erased or stand-ins. */
  is_findable: { type: 'boolean' },
  is_blocked: { type: 'boolean' },
  is_erased: { type: 'boolean' },
  version: { type: 'bigint' },
} as const satisfies Columns;

/** A searchable topic or person. The row remains when a person leaves or is erased, so that followers notice. */
export type SearchNameRow = RowOf<typeof COLUMNS>;

const topic: Handler<SearchNameRow, Projected<'TopicCreated' | 'TopicChanged'>> = {
  keys: ({ data }) => [[data.topicId]],
  fold: (_, { data, ordinal }) => ({
    name_id: data.topicId,
    kind: 'TOPIC',
    space_ids: [data.spaceId],
    subject_id: data.subjectId,
    name: data.topicName,
    is_findable: true,
    is_blocked: false,
    is_erased: false,
    version: ordinal,
  }),
};

const newPerson = (studentId: string): SearchNameRow => ({
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

/** Fields are null if the key that sealed the profile was destroyed. */
const nameOf = ({
  userName,
  firstName,
  lastName,
}: { readonly [F in keyof Profile]: Profile[F] | null }): string =>
  [userName, firstName, lastName].filter(Boolean).join(' ');

function withName(row: SearchNameRow, profile: Profile, isPerson = true): SearchNameRow {
  if (row.is_erased) return row;
  const name = nameOf(profile);
  return { ...row, name, is_findable: isPerson && name !== '' && !row.is_blocked };
}

type OfStudent = ProjectedEvent & { readonly data: { readonly studentId: string } };

/** Creates the row on any event, because events of a person may precede the registration. */
const personHandler = <E extends OfStudent>(
  changed: (row: SearchNameRow, event: E) => SearchNameRow,
): Handler<SearchNameRow, E> => ({
  keys: ({ data }) => [[data.studentId]],
  fold(row, event, [id]) {
    const before = row ?? newPerson(String(id));
    const after = changed(before, event);
    return after === before ? row : { ...after, version: event.ordinal };
  },
});

const profileHandler = personHandler<Projected<'StudentRegistered' | 'StudentProfileChanged'>>(
  (row, { data }) => withName(row, data),
);

export const searchNames: Table<SearchNameRow> = {
  name: 'search_names',
  columns: COLUMNS,
  key: ['name_id'],
  indexes: [
    'create index search_names_version_{suffix} on {table} (kind, version)',
    'create index search_names_space_{suffix} on {table} using gin (space_ids)',
  ],
  on: {
    TopicCreated: topic,
    TopicChanged: topic,
    StudentRegistered: profileHandler,
    StudentProfileChanged: profileHandler,
    StudentImported: personHandler((row, { data }) => withName(row, data, !data.standIn)),
    StudentBlocked: personHandler((row) => ({ ...row, is_blocked: true, is_findable: false })),
    StudentUnblocked: personHandler((row) => ({ ...row, is_blocked: false, is_findable: row.name !== '' })),
    StudentErased: personHandler((row) => ({ ...row, name: '', is_erased: true, is_findable: false })),
    SpaceJoined: personHandler((row, { data: { spaceId } }) =>
      row.space_ids.includes(spaceId) ? row : { ...row, space_ids: [...row.space_ids, spaceId] },
    ),
    SpaceLeft: personHandler((row, { data: { spaceId } }) =>
      row.space_ids.includes(spaceId)
        ? { ...row, space_ids: row.space_ids.filter((id) => id !== spaceId) }
        : row,
    ),
  },
};

/** Searchable documents and names. Followers (in-memory indexes and the shipper) catch up by row version. */
export const searchProjection = {
  name: 'search',
  purpose: 'Search index',
  version: 6,
  lingers: true,
  tables: [searchDocuments, searchNames],
} as const satisfies Projection;
