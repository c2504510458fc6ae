import type { Columns, RowOf, Table } from '../projection.js';

const COLUMNS = {
  space_id: { type: 'text' },
  pattern_id: { type: 'text' },
  kind: { type: 'text' },
  verdict: { type: 'text' },
  moderator_id: { type: 'text' },
  triaged_at: { type: 'timestamptz' },
  /** As much of the pattern as was judged. */
  votes: { type: 'integer' },
  student_ids: { type: 'text[]' },
  /** How often it was triaged. */
  revision: { type: 'integer' },
} as const satisfies Columns;

/** What a moderator made of a pattern last. */
export type PatternTriageRow = RowOf<typeof COLUMNS>;

export const patternTriages: Table<PatternTriageRow> = {
  name: 'pattern_triages',
  columns: COLUMNS,
  key: ['space_id', 'pattern_id'],
  on: {
    VotePatternTriaged: {
      keys: ({ data: { spaceId, patternId } }) => [[spaceId, patternId]],
      fold: (row, { data, metadata: { occurredAt } }) => ({
        space_id: data.spaceId,
        pattern_id: data.patternId,
        kind: data.kind,
        verdict: data.verdict,
        moderator_id: data.moderatorId,
        triaged_at: occurredAt,
        votes: data.voteCount,
        student_ids: [...data.studentIds],
        revision: (row?.revision ?? 0) + 1,
      }),
    },
  },
};
