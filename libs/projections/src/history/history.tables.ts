import {
  FACT_EVENT_TYPES,
  factKeysOf,
  type FactKind,
  foldFact,
  isSupersededBy,
  type ScoreFactKey,
} from '@nimo/domain';
import { eventTypesOf, keysOf, CREATE_READ_SCHEMA } from '@nimo/projection-engine';
import { eventsByFact, FACT_KEY, FACT_KEY_COLUMNS, factKeyOf, factKeyRow } from '../fact-key.js';
import {
  type BatchEnd,
  type Columns,
  type Handler,
  onEach,
  type ProjectedEvent,
  type Projection,
  type RowChange,
  type RowOf,
  type Table,
} from '../projection.js';
import { questionPageTables } from '../questions/questions.projection.js';
import { historyMarks } from './history-marks.js';

const FACT_HISTORY_COLUMNS = {
  ...FACT_KEY_COLUMNS,
  /** Ordinal of the first event. */
  ordinal: { type: 'bigint' },
  /** Earliest time of any of its events. The fact did not exist before. */
  occurred_at: { type: 'timestamptz' },
  /** Ordinal of the last event and latest time of any. Null for a single event, unless it is a report. */
  until_ordinal: { type: 'bigint', nullable: true },
  until_at: { type: 'timestamptz', nullable: true },
} as const satisfies Columns;

/**
 * A fact and the span of its events. Nearly all facts have one event and never change; they need only the first two columns after
 * the key. The events of the others are in `fact_events`, so that a row stays small however often a vote is toggled.
 */
export type FactHistoryRow = RowOf<typeof FACT_HISTORY_COLUMNS>;

/** A withdrawal does not affect the impact of casting a vote, which is permanent. */
const changesFact = (event: ProjectedEvent, kind: FactKind): boolean =>
  event.type !== 'VoteWithdrawn' || kind !== 'UPVOTE_CAST';

const newRow = (key: ScoreFactKey, { ordinal, metadata }: ProjectedEvent): FactHistoryRow => {
  const [space_id, student_id, kind, post_id, source_id] = key;
  // Only the event names the reporter, so reports are read from `fact_events` from the first one on.
  const isReport = kind === 'POST_REPORTED';
  // No spread: this runs for nearly every event.
  return {
    space_id,
    student_id,
    kind,
    post_id,
    source_id,
    ordinal,
    occurred_at: metadata.occurredAt,
    until_ordinal: isReport ? ordinal : null,
    until_at: isReport ? metadata.occurredAt : null,
  };
};

const earlier = (left: string, right: string): string => (right < left ? right : left);
const later = (left: string, right: string): string => (right > left ? right : left);

const recordFact: Handler<FactHistoryRow, ProjectedEvent> = {
  keys: factKeysOf,
  fold(row, event, rowKey) {
    const key = factKeyOf(rowKey);
    if (!row) return foldFact(undefined, event, key) && newRow(key, event);
    if (!changesFact(event, key[2])) return row;
    const { occurredAt } = event.metadata;
    return {
      ...row,
      occurred_at: earlier(row.occurred_at, occurredAt),
      until_ordinal: event.ordinal,
      until_at: later(row.until_at ?? row.occurred_at, occurredAt),
    };
  },
};

export const factHistory: Table<FactHistoryRow> = {
  name: 'fact_history',
  columns: FACT_HISTORY_COLUMNS,
  key: FACT_KEY,
  indexes: [
    'create index fact_history_ordinal_{suffix} on {table} (space_id, ordinal) where until_ordinal is null',
    'create index fact_history_moment_{suffix} on {table} (space_id, occurred_at) where until_ordinal is null',
    'create index fact_history_changed_{suffix} on {table} (space_id, until_ordinal) where until_ordinal is not null',
  ],
  on: onEach(FACT_EVENT_TYPES, recordFact),
};

type FactChange = RowChange<FactHistoryRow>;

const FACT_EVENT_COLUMNS = {
  ...FACT_KEY_COLUMNS,
  ordinal: { type: 'bigint' },
  occurred_at: { type: 'timestamptz' },
  type: { type: 'text' },
  /** ID of the investigation, of the reporter, or of the answer accepted instead; penalty of an upholding. */
  detail: { type: 'text', nullable: true },
} as const satisfies Columns;

/** An event of a fact with several events, or of a round of reports. Append-only. */
type FactEventRow = RowOf<typeof FACT_EVENT_COLUMNS>;

const factEvents: Pick<Table<FactEventRow>, 'name' | 'columns' | 'key' | 'indexes'> = {
  name: 'fact_events',
  columns: FACT_EVENT_COLUMNS,
  key: [...FACT_KEY, 'ordinal'],
  indexes: ['create index fact_events_ordinal_{suffix} on {table} (space_id, ordinal)'],
};

const detailOf = (event: ProjectedEvent, key: ScoreFactKey): string | null => {
  switch (event.type) {
    case 'VotesInvalidated':
    case 'InvalidationReversed':
      return event.data.caseId;
    case 'PostReported':
      return event.data.reporterId;
    case 'ReportsUpheld':
      return event.data.penalty ?? null;
    case 'AnswerAccepted':
      return isSupersededBy(event, key) ? event.data.answerId : null;
    default:
      return null;
  }
};

/** Type of a fact's first event, by kind. All other kinds start with a vote. */
const FIRST_EVENT_TYPES: Readonly<Partial<Record<FactKind, ProjectedEvent['type']>>> = {
  QUESTION_POSTED: 'QuestionAsked',
  ANSWER_POSTED: 'AnswerPosted',
  COMMENT_POSTED: 'CommentPosted',
  ANSWER_ACCEPTED: 'AnswerAccepted',
  ACCEPTED_AN_ANSWER: 'AnswerAccepted',
  POST_REPORTED: 'PostReported',
};

/** Restores the first event of a fact from its row. */
const firstOf = ({ ordinal, occurred_at, kind }: FactHistoryRow) => ({
  ordinal,
  occurred_at,
  // The row's kind comes from `factKeysOf`.
  type: FIRST_EVENT_TYPES[kind as FactKind] ?? 'VoteCast',
  detail: null,
});

function rowsOf({ key, before, after }: FactChange, events: readonly ProjectedEvent[]): FactEventRow[] {
  if (!after || after.until_ordinal === null) return [];
  const factKey = factKeyOf(key);
  const isFirstKept = before?.until_ordinal === null;
  const rows = events
    // Ignores a withdrawal before the first cast.
    .filter((event) => event.ordinal >= after.ordinal && changesFact(event, factKey[2]))
    .map((event) => ({
      ordinal: event.ordinal,
      occurred_at: event.metadata.occurredAt,
      type: event.type,
      detail: detailOf(event, factKey),
    }));
  return [...(isFirstKept ? [firstOf(before)] : []), ...rows].map((event) => ({
    ...factKeyRow(factKey),
    ...event,
  }));
}

const FACT_EVENTS_COLUMNS = Object.keys(factEvents.columns).join(', ');

/** Writes a row per event at the end of a batch, for facts with several events. Reads nothing. */
export const factEventsEnd: BatchEnd = {
  tables: [factEvents],
  eventTypes: FACT_EVENT_TYPES,
  async run(changes, sql, { events }) {
    // The projection declares this table under that name.
    const changed = (changes.get(factHistory.name) ?? []) as unknown as readonly FactChange[];
    const facts = changed.filter(({ after }) => after && after.until_ordinal !== null);
    if (facts.length === 0) return;
    const eventsOf = eventsByFact(
      facts.map(({ key }) => key),
      events,
    );
    const rows = facts.flatMap((fact) => rowsOf(fact, eventsOf(fact.key)));
    await sql(
      `insert into {fact_events} (${FACT_EVENTS_COLUMNS})
       select ${FACT_EVENTS_COLUMNS} from jsonb_populate_recordset(null::{fact_events}, $1::jsonb)`,
      [JSON.stringify(rows)],
    );
  },
};

const QUESTION_EVENT_COLUMNS = {
  question_id: { type: 'text' },
  ordinal: { type: 'bigint' },
  stream_id: { type: 'text' },
  event_id: { type: 'text' },
} as const satisfies Columns;

/** Log position of an event on a question's page. The events are spread over many streams, such as one per vote. */
type QuestionEventRow = RowOf<typeof QUESTION_EVENT_COLUMNS>;

const isOnQuestionPage = (event: ProjectedEvent): boolean =>
  questionPageTables.some((table) => keysOf(table, event).length > 0);

/** An event of an investigation may name votes on several questions. */
const questionsOf = ({ data }: ProjectedEvent): readonly string[] => {
  if ('votes' in data) return [...new Set(data.votes.map(({ questionId }) => questionId))];
  return 'questionId' in data ? [data.questionId] : [];
};

const recordQuestionEvent: Handler<QuestionEventRow, ProjectedEvent> = {
  keys: (event) =>
    isOnQuestionPage(event) ? questionsOf(event).map((questionId) => [questionId, event.ordinal]) : [],
  fold: (row, { id, streamId, ordinal }, [questionId]) =>
    row ?? { question_id: String(questionId), ordinal, stream_id: streamId, event_id: id },
};

const questionEvents: Table<QuestionEventRow> = {
  name: 'question_events',
  columns: QUESTION_EVENT_COLUMNS,
  key: ['question_id', 'ordinal'],
  on: onEach(eventTypesOf({ tables: questionPageTables }), recordQuestionEvent),
};

/**
 * Scores of spaces at some points of the log, from which later points are calculated. A cache of the history. Has no foreign keys,
 * since hundreds of thousands of rows are inserted and dropped together.
 */
export const SCORE_SNAPSHOTS_DDL = `
${CREATE_READ_SCHEMA}
create table if not exists read.score_snapshots (
  snapshot_id bigint generated always as identity primary key,
  space_id text not null,
  taken_by text not null check (taken_by in ('ordinal', 'moment')),
  generation integer not null,
  bound_ordinal bigint not null,
  bound_at timestamptz not null,
  rules text not null,
  unique (space_id, taken_by, generation, bound_at, bound_ordinal)
);
create table if not exists read.score_snapshot_rows (
  snapshot_id bigint not null,
  student_id text not null,
  merit bigint not null,
  impact bigint not null,
  last_ordinal bigint not null,
  end_ordinal bigint not null,
  questions_asked integer not null,
  questions_answered integer not null,
  answers_accepted integer not null
);
create index if not exists score_snapshot_rows_snapshot on read.score_snapshot_rows (snapshot_id);
`;

/** The events of each fact, from which scores at any point in time are calculated. */
export const historyProjection = {
  name: 'history',
  purpose: 'Votes and scores at any point in time',
  version: 7,
  lingers: true,
  tables: [factHistory, historyMarks],
  batchEnd: factEventsEnd,
  caches: SCORE_SNAPSHOTS_DDL,
} as const satisfies Projection;

/** Log positions of the events of each question's page, from which earlier states are rebuilt. */
export const questionHistoryProjection = {
  name: 'question_history',
  purpose: 'Question pages at any point in time',
  version: 1,
  lingers: true,
  tables: [questionEvents],
} as const satisfies Projection;
