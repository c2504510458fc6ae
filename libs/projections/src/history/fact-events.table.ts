import { FACT_EVENT_TYPES, type FactKind } from '@nimo/domain';
import { eventsByFact, FACT_KEY, FACT_KEY_COLUMNS, factKeyOf, factKeyRow } from '../fact-key.js';
import type { BatchEnd, Columns, ProjectedEvent, RowChange, RowOf, Table } from '../projection.js';
import { changesFact, factHistory, type FactHistoryRow } from './fact-history.table.js';

type FactChange = RowChange<FactHistoryRow>;

const FACT_EVENT_COLUMNS = {
  ...FACT_KEY_COLUMNS,
  ordinal: { type: 'bigint' },
  occurred_at: { type: 'timestamptz' },
  type: { type: 'text' },
  /** The case of an invalidation, the reporter of a report. */
  detail: { type: 'text', nullable: true },
} as const satisfies Columns;

/** One of the events of a fact that has several, or of a round of reports. Written once and never again. */
export type FactEventRow = RowOf<typeof FACT_EVENT_COLUMNS>;

const factEvents: Pick<Table<FactEventRow>, 'name' | 'columns' | 'key' | 'indexes'> = {
  name: 'fact_events',
  columns: FACT_EVENT_COLUMNS,
  key: [...FACT_KEY, 'ordinal'],
  indexes: ['create index fact_events_ordinal_{suffix} on {table} (space_id, ordinal)'],
};

const detailOf = (event: ProjectedEvent): string | null => {
  switch (event.type) {
    case 'VotesInvalidated':
    case 'InvalidationReversed':
      return event.data.caseId;
    case 'PostReported':
      return event.data.reporterId;
    default:
      return null;
  }
};

/** Of what a fact with several events may be told. A post is written once, and its fact is told by its row. */
const AFTER_THE_FIRST = FACT_EVENT_TYPES.filter(
  (type) => type !== 'QuestionAsked' && type !== 'AnswerPosted' && type !== 'CommentPosted',
);
const IS_AFTER_THE_FIRST: ReadonlySet<string> = new Set(AFTER_THE_FIRST);

/** What begins a fact of each kind; all others begin with a vote. */
const BEGINNINGS: Readonly<Partial<Record<FactKind, ProjectedEvent['type']>>> = {
  QUESTION_POSTED: 'QuestionAsked',
  ANSWER_POSTED: 'AnswerPosted',
  COMMENT_POSTED: 'CommentPosted',
  ANSWER_ACCEPTED: 'AnswerAccepted',
  ACCEPTED_AN_ANSWER: 'AnswerAccepted',
  POST_REPORTED: 'PostReported',
};

/** The first event of a fact that had one only is told by its row and its kind. */
const firstOf = ({ ordinal, occurred_at, kind }: FactHistoryRow) => ({
  ordinal,
  occurred_at,
  // A row's kind is one that `factKeysOf` gave.
  type: BEGINNINGS[kind as FactKind] ?? 'VoteCast',
  detail: null,
});

function rowsOf({ key, before, after }: FactChange, events: readonly ProjectedEvent[]): FactEventRow[] {
  if (!after || after.until_ordinal === null) return [];
  const factKey = factKeyOf(key);
  const isFirstKept = before?.until_ordinal === null;
  const told = events
    // A withdrawal before the first cast is not of the fact.
    .filter((event) => event.ordinal >= after.ordinal && changesFact(event, factKey[2]))
    .map((event) => ({
      ordinal: event.ordinal,
      occurred_at: event.metadata.occurredAt,
      type: event.type,
      detail: detailOf(event),
    }));
  return [...(isFirstKept ? [firstOf(before)] : []), ...told].map((event) => ({
    ...factKeyRow(factKey),
    ...event,
  }));
}

const COLUMNS = Object.keys(factEvents.columns).join(', ');

/** A row an event, at the end of a batch: whether a fact has more than one is told by its row. Nothing is read. */
export const factEventsEnd: BatchEnd = {
  tables: [factEvents],
  looksAt: AFTER_THE_FIRST,
  async run(changes, sql, { events }) {
    // The rows are of the table that the projection declares under that name.
    const changed = (changes.get(factHistory.name) ?? []) as unknown as readonly FactChange[];
    const facts = changed.filter(({ after }) => after && after.until_ordinal !== null);
    if (facts.length === 0) return;
    const later = events.filter(({ type }) => IS_AFTER_THE_FIRST.has(type));
    const eventsOf = eventsByFact(
      facts.map(({ key }) => key),
      later,
    );
    const rows = facts.flatMap((fact) => rowsOf(fact, eventsOf(fact.key)));
    await sql(
      `insert into {fact_events} (${COLUMNS})
       select ${COLUMNS} from jsonb_populate_recordset(null::{fact_events}, $1::jsonb)`,
      [JSON.stringify(rows)],
    );
  },
};
