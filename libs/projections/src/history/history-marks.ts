import type { ScoringRules } from '@nimo/domain';
import {
  type Columns,
  type Handler,
  typedColumn,
  type Projected,
  type ProjectedEvent,
  type RowOf,
  type Table,
} from '../projection.js';
import { ALL } from '../totals.js';
import { isoTime, type Queryable } from '../queryable.js';
import { historyHead } from './scores-as-of.js';

const HISTORY_MARK_COLUMNS = {
  /** Empty for marks of all spaces. */
  space_id: { type: 'text' },
  ordinal: { type: 'bigint' },
  occurred_at: { type: 'timestamptz' },
  kind: { type: 'text' },
  question_id: { type: 'text', nullable: true },
  rules: { ...typedColumn<ScoringRules>('jsonb'), nullable: true },
  /** The version of the rules that was withdrawn. */
  withdraws: { type: 'integer', nullable: true },
} as const satisfies Columns;

/** A mark on the history slider: rules were published or withdrawn, or a moderator decided or reassigned a case. */
export type HistoryMarkRow = RowOf<typeof HISTORY_MARK_COLUMNS>;

/** Event types marked on the slider. */
export type MarkKind =
  | 'ScoringRulesPublished'
  | 'ScoringRulesWithdrawn'
  | 'ReportsUpheld'
  | 'ReportsDismissed'
  | 'ReportsHandedOver'
  | 'UpholdingReversed'
  | 'VotesInvalidated'
  | 'InvalidationReversed';

type MarkDetails = Partial<Pick<HistoryMarkRow, 'question_id' | 'rules' | 'withdraws'>>;

const recordMark = <E extends Projected<MarkKind>>(
  spacesOf: (event: E) => readonly string[],
  detailsOf: (event: E) => MarkDetails = () => ({}),
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
      ...detailsOf(event),
    },
});

type Decision = Projected<'ReportsUpheld' | 'ReportsDismissed' | 'ReportsHandedOver' | 'UpholdingReversed'>;
const decision = recordMark<Decision>(
  ({ data }) => [data.spaceId],
  ({ data }) => ({ question_id: data.questionId }),
);
const ofVotes = recordMark<Projected<'VotesInvalidated' | 'InvalidationReversed'>>(({ data }) => [
  ...new Set(data.votes.map(({ spaceId }) => spaceId)),
]);

export const historyMarks: Table<HistoryMarkRow> = {
  name: 'history_marks',
  columns: HISTORY_MARK_COLUMNS,
  key: ['space_id', 'ordinal'],
  on: {
    ScoringRulesPublished: recordMark(
      () => [ALL],
      ({ data }) => ({ rules: data }),
    ),
    ScoringRulesWithdrawn: recordMark(
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

/** A mark on the history slider. */
export interface HistoryMark {
  readonly ordinal: number;
  readonly at: string;
  /** Event type. */
  readonly kind: string;
}

/** The range covered by the history slider. */
export interface HistoryRange {
  readonly firstOrdinal: number;
  readonly firstAt: string;
  readonly lastOrdinal: number;
  readonly lastAt: string;
  readonly marks: readonly HistoryMark[];
}

/** More do not fit on a slider; the latest are shown. */
const MAX_MARKS = 500;

/** The range of a space, or null before its first scored event. */
export async function findHistoryRange(db: Queryable, spaceId: string): Promise<HistoryRange | null> {
  const [ends, marks, head] = await Promise.all([
    endsOf(db, spaceId),
    listMarks(db, spaceId),
    historyHead(db),
  ]);
  if (ends?.first_ordinal == null || ends.first_at === null || ends.last_at === null) return null;
  return {
    firstOrdinal: Number(ends.first_ordinal),
    firstAt: ends.first_at,
    lastOrdinal: head.ordinal,
    lastAt: ends.last_at,
    marks,
  };
}

interface EndsRow {
  first_ordinal: string | null;
  first_at: string | null;
  last_at: string | null;
}

const OF_SPACE = 'from read.fact_history where space_id = $1';

async function endsOf(db: Queryable, spaceId: string): Promise<EndsRow | undefined> {
  const { rows } = await db.query<EndsRow>({
    name: 'history-ends',
    text: `
      select least((select min(ordinal) ${OF_SPACE} and until_ordinal is null),
                   (select min(ordinal) ${OF_SPACE} and until_ordinal is not null)) as first_ordinal,
        ${isoTime(`least((select min(occurred_at) ${OF_SPACE} and until_ordinal is null),
                         (select min(occurred_at) ${OF_SPACE} and until_ordinal is not null))`)} as first_at,
        ${isoTime(`greatest((select max(occurred_at) ${OF_SPACE} and until_ordinal is null),
                            (select max(until_at) ${OF_SPACE} and until_ordinal is not null))`)} as last_at`,
    values: [spaceId],
  });
  return rows[0];
}

async function listMarks(db: Queryable, spaceId: string): Promise<HistoryMark[]> {
  const { rows } = await db.query<{ ordinal: string; at: string; kind: string }>({
    name: 'history-marks',
    text: `select * from (
             select ordinal, ${isoTime('occurred_at')} as at, kind from read.history_marks
             where space_id in ($1, '${ALL}') order by ordinal desc limit ${MAX_MARKS}
           ) latest order by ordinal`,
    values: [spaceId],
  });
  return rows.map(({ ordinal, at, kind }) => ({ ordinal: Number(ordinal), at, kind }));
}

/** The range of a question's page, or null for an unknown question. */
export function rangeOfQuestion(history: readonly ProjectedEvent[]): HistoryRange | null {
  const [first] = history;
  const last = history.at(-1);
  if (!first || !last) return null;
  const times = history.map(({ metadata }) => metadata.occurredAt).sort();
  return {
    firstOrdinal: first.ordinal,
    firstAt: times[0] ?? first.metadata.occurredAt,
    lastOrdinal: last.ordinal,
    lastAt: times.at(-1) ?? last.metadata.occurredAt,
    marks: history
      .slice(-MAX_MARKS)
      .map(({ ordinal, metadata, type }) => ({ ordinal, at: metadata.occurredAt, kind: type })),
  };
}
