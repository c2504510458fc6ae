import { factKeysOf, foldFact, type FactKind, type ScoreFactKey } from '@nimo/domain';
import { FACT_KEY, FACT_KEY_COLUMNS, factKeyOf, factKeyRow, type FactKeyRow } from '../fact-key.js';
import type { ProjectedEvent, Table } from '../projection.js';

/**
 * A fact, and when something happened to it. Nearly all facts have one event and never change: for them the first two columns
 * after the key say it all. The events of the others are in `fact_events`, so that a row stays short however often a vote is toggled.
 */
export type FactHistoryRow = FactKeyRow & {
  /** Of the first event. */
  readonly ordinal: number;
  /** The earliest moment of any of its events: before it there was no such fact. */
  readonly occurred_at: string;
  /** Of the last event, and the latest moment of any; null where there is one event only, which is no report. */
  readonly until_ordinal: number | null;
  readonly until_at: string | null;
};

/** An impact outlives its vote: a withdrawal says nothing about it, whatever came before. */
export const changesFact = (event: ProjectedEvent, kind: FactKind): boolean =>
  event.type !== 'VoteWithdrawn' || kind !== 'UPVOTE_CAST';

const newRow = (key: ScoreFactKey, { ordinal, metadata }: ProjectedEvent): FactHistoryRow => {
  const [, , kind] = key;
  // Who reported is in the event alone, so a report is looked up there from the first on.
  const isReport = kind === 'POST_REPORTED';
  return {
    ...factKeyRow(key),
    ordinal,
    occurred_at: metadata.occurredAt,
    until_ordinal: isReport ? ordinal : null,
    until_at: isReport ? metadata.occurredAt : null,
  };
};

const earlier = (left: string, right: string): string => (right < left ? right : left);
const later = (left: string, right: string): string => (right > left ? right : left);

export const factHistory: Table<FactHistoryRow> = {
  name: 'fact_history',
  columns: {
    ...FACT_KEY_COLUMNS,
    ordinal: { type: 'bigint' },
    occurred_at: { type: 'timestamptz' },
    until_ordinal: { type: 'bigint', nullable: true },
    until_at: { type: 'timestamptz', nullable: true },
  },
  key: FACT_KEY,
  indexes: [
    'create index fact_history_ordinal_{suffix} on {table} (space_id, ordinal) where until_ordinal is null',
    'create index fact_history_moment_{suffix} on {table} (space_id, occurred_at) where until_ordinal is null',
    'create index fact_history_changed_{suffix} on {table} (space_id, until_ordinal) where until_ordinal is not null',
  ],
  keysOf: factKeysOf,
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
