import type { BatchEnd } from '../projection.js';

type OwnTable = BatchEnd['tables'][number];

/** Scores that one coarse bucket spans. */
export const BUCKET_WIDTH = 256;
/** Ordinals that one fine bucket spans: thousands may share a score, most of all the lowest. */
export const BUCKET_ORDINALS = 32_768;

/** A student with at least one fact in a space that counts for others. Stand-ins have none. */
export type LeaderboardRow = {
  readonly space_id: string;
  readonly student_id: string;
  /** Shown as reputations. */
  readonly merit: number;
  /** Shown as commitments. */
  readonly impact: number;
  readonly score: number;
  /** Of the latest standing fact that counts: who reached a score first comes first. */
  readonly last_ordinal: number;
  readonly questions_asked: number;
  readonly questions_answered: number;
  readonly answers_accepted: number;
  readonly rules_version: number;
};

/**
 * How many students of a space have a score in `[low, low + width)`. Each is in one coarse bucket (its block is 0) and in
 * one of width 1, whose block is `last_ordinal / BUCKET_ORDINALS`.
 */
export type ScoreBucketRow = {
  readonly space_id: string;
  readonly width: number;
  readonly low: number;
  readonly block: number;
  readonly students: number;
};

export const leaderboard: OwnTable = {
  name: 'leaderboard',
  columns: {
    space_id: { type: 'text' },
    student_id: { type: 'text' },
    merit: { type: 'bigint' },
    impact: { type: 'bigint' },
    score: { type: 'bigint' },
    last_ordinal: { type: 'bigint' },
    questions_asked: { type: 'integer' },
    questions_answered: { type: 'integer' },
    answers_accepted: { type: 'integer' },
    rules_version: { type: 'integer' },
  },
  key: ['student_id', 'space_id'],
  indexes: [
    'create index leaderboard_rank_{suffix} on {table} (space_id, score desc, last_ordinal, student_id collate "C")',
  ],
};

export const scoreBuckets: OwnTable = {
  name: 'score_buckets',
  columns: {
    space_id: { type: 'text' },
    width: { type: 'integer' },
    low: { type: 'bigint' },
    block: { type: 'bigint' },
    students: { type: 'bigint' },
  },
  key: ['space_id', 'width', 'low', 'block'],
};
