import {
  FACT_EVENT_TYPES,
  factKeysOf,
  type FactKind,
  foldFact,
  type ReportFact,
  type ScoreFact,
  type ScoringRules,
  type UpholdingFact,
} from '@nimo/domain';
import { FACT_KEY, FACT_KEY_COLUMNS, factKeyOf } from '../fact-key.js';
import {
  type BatchEnd,
  type Columns,
  type Handler,
  typedColumn,
  onEach,
  type ProjectedEvent,
  type RowOf,
  type Table,
} from '../projection.js';
import { isoTime } from '../queryable.js';

const SCORE_FACT_COLUMNS = {
  ...FACT_KEY_COLUMNS,
  ordinal: { type: 'bigint' },
  occurred_at: { type: 'timestamptz' },
  held: { type: 'boolean' },
  invalidated_by: { type: 'text[]' },
  standing: { type: 'boolean' },
  round: { type: 'integer', nullable: true },
  /** The reports of a round; empty for other kinds. */
  reports: typedColumn<readonly ReportFact[]>('jsonb'),
  upheld: { ...typedColumn<UpholdingFact>('jsonb'), nullable: true },
  deleted_at: { type: 'timestamptz', nullable: true },
  superseded: { type: 'boolean' },
} as const satisfies Columns;

/** A fact, independent of the scoring rules, which weigh it when scores are calculated. */
export type ScoreFactRow = RowOf<typeof SCORE_FACT_COLUMNS>;

const SCORING_RULES_COLUMNS = {
  version: { type: 'integer' },
  rules: typedColumn<ScoringRules>('jsonb'),
  published_at: { type: 'timestamptz' },
  published_by: { type: 'text', nullable: true },
  withdrawn_at: { type: 'timestamptz', nullable: true },
  withdrawn_by: { type: 'text', nullable: true },
  withdrawal_reason: { type: 'text', nullable: true },
} as const satisfies Columns;

/** A published version of the rules. `published_by` and `withdrawn_by` are null for the command line. */
type ScoringRulesRow = RowOf<typeof SCORING_RULES_COLUMNS>;

const rowOf = (fact: ScoreFact): ScoreFactRow => ({
  space_id: fact.spaceId,
  student_id: fact.studentId,
  kind: fact.kind,
  post_id: fact.postId,
  source_id: fact.sourceId,
  ordinal: fact.ordinal,
  occurred_at: fact.occurredAt,
  held: fact.held,
  invalidated_by: fact.invalidatedBy,
  standing: fact.standing,
  round: fact.round,
  reports: fact.reports,
  upheld: fact.upheld,
  deleted_at: fact.deletedAt,
  superseded: fact.superseded,
});

/** Reads facts. `$1` spaces and `$2` their students, in pairs. */
export const FACTS_OF_STUDENTS = `
  select f.space_id, f.student_id, f.kind, f.post_id, f.source_id, f.ordinal::float8 as ordinal,
    ${isoTime('f.occurred_at')} as occurred_at, f.held, f.invalidated_by, f.standing, f.round, f.reports, f.upheld,
    ${isoTime('f.deleted_at')} as deleted_at, f.superseded
  from read.score_facts f
  join (select distinct * from unnest($1::text[], $2::text[]) as k(space_id, student_id)) k
    on k.space_id = f.space_id and k.student_id = f.student_id`;

export const factOf = (row: ScoreFactRow): ScoreFact => ({
  spaceId: row.space_id,
  studentId: row.student_id,
  // Only `rowOf` writes this column.
  kind: row.kind as FactKind,
  postId: row.post_id,
  sourceId: row.source_id,
  ordinal: row.ordinal,
  occurredAt: row.occurred_at,
  held: row.held,
  invalidatedBy: row.invalidated_by,
  standing: row.standing,
  round: row.round,
  reports: row.reports,
  upheld: row.upheld,
  deletedAt: row.deleted_at,
  superseded: row.superseded,
});

const recordFact: Handler<ScoreFactRow, ProjectedEvent> = {
  keys: factKeysOf,
  fold(row, event, key) {
    const fact = row && factOf(row);
    const next = foldFact(fact, event, factKeyOf(key));
    if (next === fact) return row;
    return next && rowOf(next);
  },
};

export const scoreFacts: Table<ScoreFactRow> = {
  name: 'score_facts',
  columns: SCORE_FACT_COLUMNS,
  key: FACT_KEY,
  indexes: [
    'create index score_facts_deleted_{suffix} on {table} (student_id, space_id, post_id) where deleted_at is not null',
  ],
  on: onEach(FACT_EVENT_TYPES, recordFact),
};

const studentIdOf = (actor: ProjectedEvent['metadata']['actor']): string | null =>
  actor.kind === 'student' ? actor.id : null;

export const scoringRules: Table<ScoringRulesRow> = {
  name: 'scoring_rules',
  columns: SCORING_RULES_COLUMNS,
  key: ['version'],
  on: {
    ScoringRulesPublished: {
      keys: ({ data }) => [[data.version]],
      fold: (row, { data: rules, metadata: { recordedAt, actor } }) =>
        row ?? {
          version: rules.version,
          rules,
          published_at: recordedAt,
          published_by: studentIdOf(actor),
          withdrawn_at: null,
          withdrawn_by: null,
          withdrawal_reason: null,
        },
    },
    ScoringRulesWithdrawn: {
      keys: ({ data }) => [[data.version]],
      fold: (row, { data, metadata: { recordedAt, actor } }) =>
        row && {
          ...row,
          withdrawn_at: recordedAt,
          withdrawn_by: studentIdOf(actor),
          withdrawal_reason: data.reason,
        },
    },
  },
};

type OwnTable = BatchEnd['tables'][number];

/** Scores per coarse bucket. */
export const BUCKET_WIDTH = 256;
/** Ordinals per fine bucket. Thousands of students may share a score, especially the lowest. */
export const BUCKET_ORDINALS = 32_768;

const LEADERBOARD_COLUMNS = {
  space_id: { type: 'text' },
  student_id: { type: 'text' },
  /** Shown as reputations. */
  merit: { type: 'bigint' },
  /** Shown as commitments. */
  impact: { type: 'bigint' },
  score: { type: 'bigint' },
  /** Ordinal of the latest fact that moved the score. Breaks ties: the lower one ranks first. */
  last_ordinal: { type: 'bigint' },
  questions_asked: { type: 'integer' },
  questions_answered: { type: 'integer' },
  answers_accepted: { type: 'integer' },
  rules_version: { type: 'integer' },
} as const satisfies Columns;

/** A student with at least one scored fact in the space. Stand-ins have none. */
export type LeaderboardRow = RowOf<typeof LEADERBOARD_COLUMNS>;

const SCORE_BUCKET_COLUMNS = {
  space_id: { type: 'text' },
  width: { type: 'integer' },
  low: { type: 'bigint' },
  block: { type: 'bigint' },
  students: { type: 'bigint' },
} as const satisfies Columns;

/**
 * Number of students in a space with a score in `[low, low + width)`. Each student is in one coarse bucket (with block 0) and one
 * of width 1 (with block `last_ordinal / BUCKET_ORDINALS`).
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
