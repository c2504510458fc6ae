import {
  type FactEvent,
  factEventOf,
  type FactKind,
  factKeysOf,
  type FactVersion,
  foldFact,
  happenedInOrder,
  type ScoreFactKey,
  versionsByMoment,
  versionsByOrdinal,
} from '@nimo/domain';
import type { Table } from '../projection.js';

/**
 * A fact with all that ever happened to it. Nearly all facts have one event and never change: for them the first two columns
 * after the key say it all.
 */
export type FactHistoryRow = {
  readonly space_id: string;
  readonly student_id: string;
  readonly kind: string;
  readonly post_id: string;
  readonly source_id: string;
  /** Of the first event. */
  readonly ordinal: number;
  /** The earliest moment of any of its events: before it there was no such fact. */
  readonly occurred_at: string;
  /** Of the last event, and the latest moment of any; null where there is one event only. */
  readonly until_ordinal: number | null;
  readonly until_at: string | null;
  /** Its events, in log order, where there is more than one, and for reports, whose reporter a column does not tell. */
  readonly events: readonly FactEvent[] | null;
  /** What it was after each of them. */
  readonly versions: readonly FactVersion[] | null;
  /** What it was at each moment, where the events did not happen in the order of the log. */
  readonly moments: readonly FactVersion[] | null;
};

type Identity = Pick<FactHistoryRow, 'space_id' | 'student_id' | 'kind' | 'post_id' | 'source_id'>;

const identityOf = ([space_id, student_id, kind, post_id, source_id]: ScoreFactKey): Identity => ({
  space_id,
  student_id,
  kind,
  post_id,
  source_id,
});

const simpleRow = (key: ScoreFactKey, { ordinal, metadata }: FactEvent): FactHistoryRow => ({
  ...identityOf(key),
  ordinal,
  occurred_at: metadata.occurredAt,
  until_ordinal: null,
  until_at: null,
  events: null,
  versions: null,
  moments: null,
});

const rowOf = (
  key: ScoreFactKey,
  first: FactEvent,
  events: readonly FactEvent[],
  versions: readonly FactVersion[],
): FactHistoryRow => {
  const moments = events.map(({ metadata }) => metadata.occurredAt).sort();
  return {
    ...identityOf(key),
    ordinal: first.ordinal,
    occurred_at: moments[0] ?? first.metadata.occurredAt,
    until_ordinal: events.at(-1)?.ordinal ?? first.ordinal,
    until_at: moments.at(-1) ?? first.metadata.occurredAt,
    events,
    versions,
    moments: happenedInOrder(events) ? null : versionsByMoment(events, key),
  };
};

/** Which event began a fact of that kind makes no difference to it, but for reports, and those keep theirs. */
const firstEvent = ({ ordinal, occurred_at }: FactHistoryRow): FactEvent => ({
  type: 'VoteCast',
  ordinal,
  metadata: { occurredAt: occurred_at },
});

/** An impact outlives its vote: a withdrawal says nothing about it, whatever came before. */
const isWithoutEffect = (event: FactEvent, kind: FactKind): boolean =>
  event.type === 'VoteWithdrawn' && kind === 'UPVOTE_CAST';

export const factHistory: Table<FactHistoryRow> = {
  name: 'fact_history',
  columns: {
    space_id: { type: 'text' },
    student_id: { type: 'text' },
    kind: { type: 'text' },
    post_id: { type: 'text' },
    source_id: { type: 'text' },
    ordinal: { type: 'bigint' },
    occurred_at: { type: 'timestamptz' },
    until_ordinal: { type: 'bigint', nullable: true },
    until_at: { type: 'timestamptz', nullable: true },
    events: { type: 'jsonb', nullable: true },
    versions: { type: 'jsonb', nullable: true },
    moments: { type: 'jsonb', nullable: true },
  },
  // By student first: a student's facts lie together, as they are read when a past is replayed.
  key: ['space_id', 'student_id', 'kind', 'post_id', 'source_id'],
  indexes: [
    'create index fact_history_ordinal_{suffix} on {table} (space_id, ordinal) where events is null',
    'create index fact_history_moment_{suffix} on {table} (space_id, occurred_at) where events is null',
    'create index fact_history_changed_{suffix} on {table} (space_id, until_ordinal) where events is not null',
  ],
  keysOf: factKeysOf,
  fold(row, projected, rowKey) {
    // The key is one that `factKeysOf` gave.
    const key = rowKey as unknown as ScoreFactKey;
    const [, , kind] = key;
    if (!row) {
      if (!foldFact(undefined, projected, key)) return undefined;
      const event = factEventOf(projected);
      return kind === 'POST_REPORTED'
        ? rowOf(key, event, [event], versionsByOrdinal([event], key))
        : simpleRow(key, event);
    }
    if (isWithoutEffect(projected, kind)) return row;
    const events = [...(row.events ?? [firstEvent(row)]), factEventOf(projected)];
    return rowOf(key, events[0] ?? projected, events, versionsByOrdinal(events, key));
  },
};
