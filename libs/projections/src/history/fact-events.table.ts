import { factKeysOf, type FactKind } from '@nimo/domain';
import type { BatchEnd, Key, ProjectedEvent, RowChange, Table } from '../projection.js';
import { changesFact, factHistory, type FactHistoryRow } from './fact-history.table.js';

type FactChange = RowChange<FactHistoryRow>;

/** One of the events of a fact that has several, or of a round of reports. Written once and never again. */
export type FactEventRow = Pick<
  FactHistoryRow,
  'space_id' | 'student_id' | 'kind' | 'post_id' | 'source_id' | 'ordinal' | 'occurred_at'
> & {
  readonly type: string;
  /** The case of an invalidation, the reporter of a report. */
  readonly detail: string | null;
};

export const factEvents: Pick<Table<FactEventRow>, 'name' | 'columns' | 'key' | 'indexes'> = {
  name: 'fact_events',
  columns: {
    space_id: { type: 'text' },
    student_id: { type: 'text' },
    kind: { type: 'text' },
    post_id: { type: 'text' },
    source_id: { type: 'text' },
    ordinal: { type: 'bigint' },
    occurred_at: { type: 'timestamptz' },
    type: { type: 'text' },
    detail: { type: 'text', nullable: true },
  },
  key: ['space_id', 'student_id', 'kind', 'post_id', 'source_id', 'ordinal'],
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

const identityOf = (key: Key): string => key.join(' ');

/** The batch's events by the fact that they concern; a case may name a vote twice. */
function eventsByFact(events: readonly ProjectedEvent[]): Map<string, ProjectedEvent[]> {
  const byFact = new Map<string, ProjectedEvent[]>();
  for (const event of events) {
    for (const identity of new Set(factKeysOf(event).map(identityOf))) {
      const own = byFact.get(identity) ?? [];
      byFact.set(identity, own);
      own.push(event);
    }
  }
  return byFact;
}

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
  const { space_id, student_id, kind, post_id, source_id } = after;
  const isFirstKept = before?.until_ordinal === null;
  const told = events
    // A withdrawal before the first cast is not of the fact.
    .filter((event) => event.ordinal >= after.ordinal && changesFact(event, key[2] as FactKind))
    .map((event) => ({
      ordinal: event.ordinal,
      occurred_at: event.metadata.occurredAt,
      type: event.type,
      detail: detailOf(event),
    }));
  return [...(isFirstKept ? [firstOf(before)] : []), ...told].map((event) => ({
    space_id,
    student_id,
    kind,
    post_id,
    source_id,
    ...event,
  }));
}

const COLUMNS = Object.keys(factEvents.columns).join(', ');

/** A row an event, at the end of a batch: whether a fact has more than one is told by its row. Nothing is read. */
export const factEventsEnd: BatchEnd = {
  tables: [factEvents],
  async run(changes, sql, { events }) {
    // The rows are of the table that the projection declares under that name.
    const facts = (changes.get(factHistory.name) ?? []) as unknown as readonly FactChange[];
    if (facts.every(({ after }) => !after || after.until_ordinal === null)) return;
    const byFact = eventsByFact(events);
    const rows = facts.flatMap((fact) => rowsOf(fact, byFact.get(identityOf(fact.key)) ?? []));
    await sql(
      `insert into {fact_events} (${COLUMNS})
       select ${COLUMNS} from jsonb_populate_recordset(null::{fact_events}, $1::jsonb)`,
      [JSON.stringify(rows)],
    );
  },
};
