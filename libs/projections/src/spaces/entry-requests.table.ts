import { type Columns, typedColumn, type RowOf, type Table } from '../projection.js';

/** A student's latest request to join a space, while open or refused. */
export interface EntryRequest {
  readonly spaceId: string;
  readonly text: string | null;
  readonly requestedAt: string;
  /** Null while open. */
  readonly refusedAt: string | null;
  readonly reason: string | null;
}

const COLUMNS = {
  student_id: { type: 'text' },
  /** Spaces with an open request. */
  open_space_ids: { type: 'text[]' },
  /** Spaces with an open invitation. */
  invited_space_ids: { type: 'text[]' },
  /** All spaces in one row, because erasure events only contain the student's id. */
  requests: typedColumn<readonly EntryRequest[]>('jsonb'),
} as const satisfies Columns;

type EntryRequestsRow = RowOf<typeof COLUMNS>;

const ofStudent = ({ data }: { readonly data: { readonly studentId: string } }): readonly [string][] => [
  [data.studentId],
];

const withoutRequest = (row: EntryRequestsRow | undefined, id: string): readonly EntryRequest[] =>
  row?.requests.filter(({ spaceId }) => spaceId !== id) ?? [];

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

const hasEntry = ({ requests, invited_space_ids }: EntryRequestsRow, spaceId: string): boolean =>
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
        return rowOf(studentId, [...withoutRequest(row, spaceId), request], row?.invited_space_ids ?? []);
      },
    },
    EntryRequestWithdrawn: {
      keys: ofStudent,
      change: (row, { data }) =>
        rowOf(row.student_id, withoutRequest(row, data.spaceId), row.invited_space_ids),
    },
    EntryRequestAccepted: {
      keys: ofStudent,
      change: (row, { data }) =>
        rowOf(row.student_id, withoutRequest(row, data.spaceId), row.invited_space_ids),
    },
    SpaceJoined: {
      keys: ofStudent,
      change: (row, { data: { spaceId } }) =>
        hasEntry(row, spaceId)
          ? rowOf(row.student_id, withoutRequest(row, spaceId), withoutInvitation(row, spaceId))
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
        const request = row.requests.find((candidate) => candidate.spaceId === spaceId);
        if (!request) return row;
        const refused = { ...request, refusedAt: metadata.occurredAt, reason };
        return rowOf(row.student_id, [...withoutRequest(row, spaceId), refused], row.invited_space_ids);
      },
    },
    StudentErased: { keys: ofStudent, change: () => undefined },
  },
};
