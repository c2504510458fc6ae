import { type Columns, holding, type RowOf, type Table } from '../projection.js';

/** The latest of a student in a space, while it is open or the answer was no. */
export interface EntryRequest {
  readonly spaceId: string;
  readonly text: string | null;
  readonly requestedAt: string;
  /** Null while nobody answered. */
  readonly refusedAt: string | null;
  readonly reason: string | null;
}

const COLUMNS = {
  student_id: { type: 'text' },
  /** Where an answer is awaited. */
  open_space_ids: { type: 'text[]' },
  /** That the student may join by an invitation. */
  invited_space_ids: { type: 'text[]' },
  /** Of all spaces: an erasure names nothing but the student. */
  requests: holding<readonly EntryRequest[]>('jsonb'),
} as const satisfies Columns;

type EntryRequestsRow = RowOf<typeof COLUMNS>;

const ofStudent = ({ data }: { readonly data: { readonly studentId: string } }): readonly [string][] => [
  [data.studentId],
];

const others = (row: EntryRequestsRow | undefined, gone: string): readonly EntryRequest[] =>
  row?.requests.filter(({ spaceId }) => spaceId !== gone) ?? [];

const rowOf = (
  studentId: string,
  requests: readonly EntryRequest[],
  invitedTo: readonly string[],
): EntryRequestsRow | undefined =>
  requests.length + invitedTo.length === 0
    ? undefined
    : {
        student_id: studentId,
        open_space_ids: requests.filter(({ refusedAt }) => refusedAt === null).map(({ spaceId }) => spaceId),
        invited_space_ids: invitedTo,
        requests,
      };

const withoutInvitation = (row: EntryRequestsRow | undefined, spaceId: string): readonly string[] =>
  row?.invited_space_ids.filter((id) => id !== spaceId) ?? [];

const isConcerned = ({ requests, invited_space_ids }: EntryRequestsRow, spaceId: string): boolean =>
  invited_space_ids.includes(spaceId) || requests.some((request) => request.spaceId === spaceId);

export const entryRequests: Table<EntryRequestsRow> = {
  name: 'entry_requests',
  columns: COLUMNS,
  key: ['student_id'],
  indexes: [
    'create index entry_requests_open_{suffix} on {table} using gin (open_space_ids)',
    'create index entry_requests_invited_{suffix} on {table} using gin (invited_space_ids)',
  ],
  on: {
    EntryRequested: {
      keys: ofStudent,
      fold: (row, { data: { spaceId, studentId, text }, metadata }) => {
        const request = { spaceId, text, requestedAt: metadata.occurredAt, refusedAt: null, reason: null };
        return rowOf(studentId, [...others(row, spaceId), request], row?.invited_space_ids ?? []);
      },
    },
    EntryRequestWithdrawn: {
      keys: ofStudent,
      change: (row, { data }) => rowOf(row.student_id, others(row, data.spaceId), row.invited_space_ids),
    },
    EntryRequestAccepted: {
      keys: ofStudent,
      change: (row, { data }) => rowOf(row.student_id, others(row, data.spaceId), row.invited_space_ids),
    },
    SpaceJoined: {
      keys: ofStudent,
      change: (row, { data: { spaceId } }) =>
        isConcerned(row, spaceId)
          ? rowOf(row.student_id, others(row, spaceId), withoutInvitation(row, spaceId))
          : row,
    },
    StudentInvited: {
      keys: ofStudent,
      fold: (row, { data: { spaceId, studentId } }) =>
        rowOf(studentId, row?.requests ?? [], [...withoutInvitation(row, spaceId), spaceId]),
    },
    StudentInvitationRevoked: {
      keys: ofStudent,
      change: (row, { data }) => rowOf(row.student_id, row.requests, withoutInvitation(row, data.spaceId)),
    },
    EntryRequestRefused: {
      keys: ofStudent,
      change: (row, { data: { spaceId, reason }, metadata }) => {
        const request = row.requests.find((of) => of.spaceId === spaceId);
        if (!request) return row;
        const refused = { ...request, refusedAt: metadata.occurredAt, reason };
        return rowOf(row.student_id, [...others(row, spaceId), refused], row.invited_space_ids);
      },
    },
    StudentErased: { keys: ofStudent, change: () => undefined },
  },
};
