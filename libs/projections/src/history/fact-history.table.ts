import { FACT_EVENT_TYPES, factKeysOf, foldFact, type FactKind, type ScoreFactKey } from '@nimo/domain';
import { FACT_KEY, FACT_KEY_COLUMNS, factKeyOf } from '../fact-key.js';
import {
  type Columns,
  type Handler,
  onEach,
  type ProjectedEvent,
  type RowOf,
  type Table,
} from '../projection.js';

const COLUMNS = {
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
export type FactHistoryRow = RowOf<typeof COLUMNS>;

/** An impact outlives its vote: a withdrawal says nothing about it, whatever came before. */
export const changesFact = (event: ProjectedEvent, kind: FactKind): boolean =>
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
  columns: COLUMNS,
  key: FACT_KEY,
  indexes: [
    'create index fact_history_ordinal_{suffix} on {table} (space_id, ordinal) where until_ordinal is null',
    'create index fact_history_moment_{suffix} on {table} (space_id, occurred_at) where until_ordinal is null',
    'create index fact_history_changed_{suffix} on {table} (space_id, until_ordinal) where until_ordinal is not null',
  ],
  on: onEach(FACT_EVENT_TYPES, recorded),
};
