import { FACT_EVENT_TYPES, factKeysOf, type FactKind, foldFact, type ScoreFactKey } from '@nimo/domain';
import { eventTypesOf, keysOf, MAKE_READ } from '@nimo/projection-engine';
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
  /** Of the first event. */
  ordinal: { type: 'bigint' },
  /** The earliest moment of any of its events: before it there was no such fact. */
  occurred_at: { type: 'timestamptz' },
  /** Of the last event, and the latest moment of any; null where there is one event only, which is no report. */
  until_ordinal: { type: 'bigint', nullable: true },
  until_at: { type: 'timestamptz', nullable: true },
} as const satisfies Columns;

/**
 * A fact, and when something happened to it. Nearly all facts have one event and never change: for them the first two columns
 * after the key say it all. The events of the others are in `fact_events`, so that a row stays short however often a vote is toggled.
 */
export type FactHistoryRow = RowOf<typeof FACT_HISTORY_COLUMNS>;

/** An impact outlives its vote: a withdrawal says nothing about it, whatever came before. */
const changesFact = (event: ProjectedEvent, kind: FactKind): boolean =>
  event.type !== 'VoteWithdrawn' || kind !== 'UPVOTE_CAST';

const newRow = (key: ScoreFactKey, { ordinal, metadata }: ProjectedEvent): FactHistoryRow => {
  const [space_id, student_id, kind, post_id, source_id] = key;
  // Who reported is in the event alone, so a report is looked up there from the first on.
  const isReport = kind === 'POST_REPORTED';
  // Without a spread: it is made for nearly every event of the log.
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

const recorded: Handler<FactHistoryRow, ProjectedEvent> = {
  keys: factKeysOf,
  fold(row, projected, rowKey) {
    const key = factKeyOf(rowKey);
    if (!row) return foldFact(undefined, projected, key) && newRow(key, projected);
    if (!changesFact(projected, key[2])) return row;
    const { occurredAt } = projected.metadata;
    return {
      ...row,
      occurred_at: earlier(row.occurred_at, occurredAt),
      until_ordinal: projected.ordinal,
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
  on: onEach(FACT_EVENT_TYPES, recorded),
};

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
type FactEventRow = RowOf<typeof FACT_EVENT_COLUMNS>;

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

const FACT_EVENTS_COLUMNS = Object.keys(factEvents.columns).join(', ');

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

/** Where in the log the events of a question's page are: they lie in as many streams as there were votes. */
type QuestionEventRow = RowOf<typeof QUESTION_EVENT_COLUMNS>;

const isOnAPage = (event: ProjectedEvent): boolean =>
  questionPageTables.some((table) => keysOf(table, event).length > 0);

/** An event of a case may name votes on several questions. */
const questionsOf = ({ data }: ProjectedEvent): readonly string[] => {
  if ('votes' in data) return [...new Set(data.votes.map(({ questionId }) => questionId))];
  return 'questionId' in data ? [data.questionId] : [];
};

const found: Handler<QuestionEventRow, ProjectedEvent> = {
  keys: (event) =>
    isOnAPage(event) ? questionsOf(event).map((questionId) => [questionId, event.ordinal]) : [],
  fold: (row, { id, streamId, ordinal }, [questionId]) =>
    row ?? { question_id: String(questionId), ordinal, stream_id: streamId, event_id: id },
};

const questionEvents: Table<QuestionEventRow> = {
  name: 'question_events',
  columns: QUESTION_EVENT_COLUMNS,
  key: ['question_id', 'ordinal'],
  on: onEach(eventTypesOf({ tables: questionPageTables }), found),
};

/**
 * Scores of spaces at some points of the log, from which later points are reached in few steps. A cache of what the history says:
 * without foreign keys, since it is filled by the hundred thousand rows and dropped as a whole.
 */
export const SCORE_SNAPSHOTS_DDL = `
${MAKE_READ}
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
create index if not exists score_snapshot_rows_of on read.score_snapshot_rows (snapshot_id);
`;

/** What lets scores be told as of then: each fact with all that ever happened to it. */
export const historyProjection = {
  name: 'history',
  purpose: 'Votes and scores as they stood at any moment',
  version: 5,
  lingers: true,
  tables: [factHistory, historyMarks],
  batchEnd: factEventsEnd,
  caches: SCORE_SNAPSHOTS_DDL,
} as const satisfies Projection;

/** What lets a question's page be told as of then: where its events are. */
export const questionHistoryProjection = {
  name: 'question_history',
  purpose: 'Question pages as they stood at any moment',
  version: 1,
  lingers: true,
  tables: [questionEvents],
} as const satisfies Projection;
