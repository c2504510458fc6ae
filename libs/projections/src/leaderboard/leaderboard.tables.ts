import type { BatchEnd, Columns, RowOf } from '../projection.js';

type OwnTable = BatchEnd['tables'][number];

/** Scores that one coarse bucket spans. */
export const BUCKET_WIDTH = 256;
/** Ordinals that one fine bucket spans: thousands may share a score, most of all the lowest. */
export const BUCKET_ORDINALS = 32_768;

const LEADERBOARD_COLUMNS = {
  space_id: { type: 'text' },
  student_id: { type: 'text' },
  /** Shown as reputations. */
  merit: { type: 'bigint' },
  /** Shown as commitments. */
  impact: { type: 'bigint' },
  score: { type: 'bigint' },
  /** Of the latest standing fact that counts: who reached a score first comes first. */
  last_ordinal: { type: 'bigint' },
  questions_asked: { type: 'integer' },
  questions_answered: { type: 'integer' },
  answers_accepted: { type: 'integer' },
  rules_version: { type: 'integer' },
} as const satisfies Columns;

/** A student with at least one fact in a space that counts. Stand-ins have none. */
export type LeaderboardRow = RowOf<typeof LEADERBOARD_COLUMNS>;

const SCORE_BUCKET_COLUMNS = {
  space_id: { type: 'text' },
  width: { type: 'integer' },
  low: { type: 'bigint' },
  block: { type: 'bigint' },
  students: { type: 'bigint' },
} as const satisfies Columns;

/**
 * How many students of a space have a score in `[low, low + width)`. Each is in one coarse bucket (its block is 0) and in
 * one of width 1, whose block is `last_ordinal / BUCKET_ORDINALS`.
 */
export type ScoreBucketRow = RowOf<typeof SCORE_BUCKET_COLUMNS>;

export const leaderboard: OwnTable = {
  name: 'leaderboard',
  columns: LEADERBOARD_COLUMNS,
  key: ['student_id', 'space_id'],
  indexes: [
    'create index leaderboard_rank_{suffix} on {table} (space_id, score desc, last_ordinal, student_id collate "C")',
  ],
};

export const scoreBuckets: OwnTable = {
  name: 'score_buckets',
  columns: SCORE_BUCKET_COLUMNS,
  key: ['space_id', 'width', 'low', 'block'],
};
