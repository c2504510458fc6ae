import type { EventOf } from '@nimo/domain';
import type { Columns, Handler, Projected, ProjectedEvent, Projection, RowOf, Table } from '../projection.js';
import { searchDocuments } from './search-documents.table.js';

const COLUMNS = {
  name_id: { type: 'text' },
  kind: { type: 'text' },
  /** The topic's one, or those that the person is in now. */
  space_ids: { type: 'text[]' },
  subject_id: { type: 'text', nullable: true },
  /** The topic's name; user name, first and last name of a person. Empty once erased. */
  name: { type: 'text' },
  /** Registered, not blocked, not erased and no stand-in. */
  is_findable: { type: 'boolean' },
  is_blocked: { type: 'boolean' },
  is_erased: { type: 'boolean' },
  version: { type: 'bigint' },
} as const satisfies Columns;

/** A topic or a person as they are searched. The row stays when a person leaves or is erased, so that followers hear of it. */
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

type OfStudent = ProjectedEvent & { readonly data: { readonly studentId: string } };

/** What is told of a person may come before anything that makes one. */
const person = <E extends OfStudent>(
  changed: (row: SearchNameRow, event: E) => SearchNameRow,
): Handler<SearchNameRow, E> => ({
  keys: ({ data }) => [[data.studentId]],
  fold(row, event, [id]) {
    const before = row ?? newcomer(String(id));
    const after = changed(before, event);
    return after === before ? row : { ...after, version: event.ordinal };
  },
});

const profile = person<Projected<'StudentRegistered' | 'StudentProfileChanged'>>((row, { data }) =>
  named(row, data),
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
    StudentRegistered: profile,
    StudentProfileChanged: profile,
    StudentImported: person((row, { data }) => named(row, data, !data.standIn)),
    StudentBlocked: person((row) => ({ ...row, is_blocked: true, is_findable: false })),
    StudentUnblocked: person((row) => ({ ...row, is_blocked: false, is_findable: row.name !== '' })),
    StudentErased: person((row) => ({ ...row, name: '', is_erased: true, is_findable: false })),
    SpaceJoined: person((row, { data: { spaceId } }) =>
      row.space_ids.includes(spaceId) ? row : { ...row, space_ids: [...row.space_ids, spaceId] },
    ),
    SpaceLeft: person((row, { data: { spaceId } }) =>
      row.space_ids.includes(spaceId)
        ? { ...row, space_ids: row.space_ids.filter((id) => id !== spaceId) }
        : row,
    ),
  },
};

/** What is searched, each row with the version that followers (indexes in memory, the shipper) catch up by. */
export const searchProjection = {
  name: 'search',
  purpose: 'Documents and words for the search',
  version: 6,
  lingers: true,
  tables: [searchDocuments, searchNames],
} as const satisfies Projection;
