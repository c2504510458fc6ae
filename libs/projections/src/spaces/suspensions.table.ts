import type { Columns, Key, Projected, RowOf, Table } from '../projection.js';

const COLUMNS = {
  space_id: { type: 'text' },
  student_id: { type: 'text' },
  since: { type: 'timestamptz' },
  /** Null if it has to be lifted. */
  ends_at: { type: 'timestamptz', nullable: true },
  /** Ordinal of the event, whose reason is in `staff_words`; null if the student does not read the reason. */
  reason_ordinal: { type: 'bigint', nullable: true },
} as const satisfies Columns;

/** Latest suspension of a student in a space, until it is lifted. Its end changes no row. */
type SuspensionRow = RowOf<typeof COLUMNS>;

const ofMember = ({ data }: Projected<'MemberSuspended' | 'SuspensionLifted'>): readonly Key[] => [
  [data.spaceId, data.studentId],
];

export const suspensions: Table<SuspensionRow> = {
  name: 'suspensions',
  columns: COLUMNS,
  key: ['space_id', 'student_id'],
  indexes: ['create index suspensions_student_{suffix} on {table} (student_id)'],
  on: {
    MemberSuspended: {
      keys: ofMember,
      fold: (_, { data, metadata, ordinal }) => ({
        space_id: data.spaceId,
        student_id: data.studentId,
        since: metadata.occurredAt,
        ends_at: data.until ?? null,
        reason_ordinal: data.isReasonShown ? ordinal : null,
      }),
    },
    SuspensionLifted: { keys: ofMember, change: () => undefined },
  },
};
