import type { ScoringRules } from '@nimo/domain';
import {
  type Columns,
  type Handler,
  holding,
  type Projected,
  type RowOf,
  type Table,
} from '../projection.js';
import { ALL } from '../totals.js';

const COLUMNS = {
  /** Empty for all spaces. */
  space_id: { type: 'text' },
  ordinal: { type: 'bigint' },
  occurred_at: { type: 'timestamptz' },
  kind: { type: 'text' },
  question_id: { type: 'text', nullable: true },
  rules: { ...holding<ScoringRules>('jsonb'), nullable: true },
  /** The version that was withdrawn here. */
  withdraws: { type: 'integer', nullable: true },
} as const satisfies Columns;

/** A moment worth a look back: rules were published or withdrawn, or a moderator decided or handed over. */
export type HistoryMarkRow = RowOf<typeof COLUMNS>;

/** What stands on the slider, and by its own name. */
export type MarkKind =
  | 'ScoringRulesPublished'
  | 'ScoringRulesWithdrawn'
  | 'ReportsUpheld'
  | 'ReportsDismissed'
  | 'ReportsHandedOver'
  | 'UpholdingReversed'
  | 'VotesInvalidated'
  | 'InvalidationReversed';

type Told = Partial<Pick<HistoryMarkRow, 'question_id' | 'rules' | 'withdraws'>>;

const marking = <E extends Projected<MarkKind>>(
  spacesOf: (event: E) => readonly string[],
  tell: (event: E) => Told = () => ({}),
): Handler<HistoryMarkRow, E> => ({
  keys: (event) => spacesOf(event).map((spaceId) => [spaceId, event.ordinal]),
  fold: (row, event, [spaceId]) =>
    row ?? {
      space_id: String(spaceId),
      ordinal: event.ordinal,
      occurred_at: event.metadata.occurredAt,
      kind: event.type,
      question_id: null,
      rules: null,
      withdraws: null,
      ...tell(event),
    },
});

type Decision = Projected<'ReportsUpheld' | 'ReportsDismissed' | 'ReportsHandedOver' | 'UpholdingReversed'>;
const decision = marking<Decision>(
  ({ data }) => [data.spaceId],
  ({ data }) => ({ question_id: data.questionId }),
);
const ofVotes = marking<Projected<'VotesInvalidated' | 'InvalidationReversed'>>(({ data }) => [
  ...new Set(data.votes.map(({ spaceId }) => spaceId)),
]);

export const historyMarks: Table<HistoryMarkRow> = {
  name: 'history_marks',
  columns: COLUMNS,
  key: ['space_id', 'ordinal'],
  on: {
    ScoringRulesPublished: marking(
      () => [ALL],
      ({ data }) => ({ rules: data }),
    ),
    ScoringRulesWithdrawn: marking(
      () => [ALL],
      ({ data }) => ({ withdraws: data.version }),
    ),
    ReportsUpheld: decision,
    ReportsDismissed: decision,
    ReportsHandedOver: decision,
    UpholdingReversed: decision,
    VotesInvalidated: ofVotes,
    InvalidationReversed: ofVotes,
  } satisfies { readonly [K in MarkKind]: Handler<HistoryMarkRow, Projected<K>> },
};
