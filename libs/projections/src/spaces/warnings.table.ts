import type { Columns, RowOf, Table } from '../projection.js';

const COLUMNS = {
  warning_id: { type: 'text' },
  space_id: { type: 'text' },
  student_id: { type: 'text' },
  /** Null for an operator. */
  moderator_id: { type: 'text', nullable: true },
  post_id: { type: 'text', nullable: true },
  warned_at: { type: 'timestamptz' },
  /** Ordinal of the event, whose text is in `staff_words`. */
  ordinal: { type: 'bigint' },
} as const satisfies Columns;

/** A warning of a student in a space. */
type WarningRow = RowOf<typeof COLUMNS>;

export const warnings: Table<WarningRow> = {
  name: 'warnings',
  columns: COLUMNS,
  key: ['warning_id'],
  indexes: ['create index warnings_student_{suffix} on {table} (student_id, space_id, warned_at)'],
  on: {
    MemberWarned: {
      keys: ({ data }) => [[data.warningId]],
      fold: (row, { data, metadata: { actor, occurredAt }, ordinal }) =>
        row ?? {
          warning_id: data.warningId,
          space_id: data.spaceId,
          student_id: data.studentId,
          moderator_id: 'id' in actor ? actor.id : null,
          post_id: data.postId ?? null,
          warned_at: occurredAt,
          ordinal,
        },
    },
  },
};
