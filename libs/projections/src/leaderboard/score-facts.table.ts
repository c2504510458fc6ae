import {
  FACT_EVENT_TYPES,
  type FactKind,
  factKeysOf,
  foldFact,
  type ReportFact,
  type ScoreFact,
  type ScoringRules,
} from '@nimo/domain';
import { FACT_KEY, FACT_KEY_COLUMNS, factKeyOf } from '../fact-key.js';
import {
  type Columns,
  type Handler,
  holding,
  onEach,
  type ProjectedEvent,
  type RowOf,
  type Table,
} from '../projection.js';

const SCORE_FACT_COLUMNS = {
  ...FACT_KEY_COLUMNS,
  ordinal: { type: 'bigint' },
  occurred_at: { type: 'timestamptz' },
  held: { type: 'boolean' },
  invalidated_by: { type: 'text[]' },
  standing: { type: 'boolean' },
  round: { type: 'integer', nullable: true },
  /** The reports of a round; empty for other kinds. */
  reports: holding<readonly ReportFact[]>('jsonb'),
} as const satisfies Columns;

/** A fact, free of rules: what it weighs is said by the scoring rules when scores are added up. */
export type ScoreFactRow = RowOf<typeof SCORE_FACT_COLUMNS>;

const SCORING_RULES_COLUMNS = {
  version: { type: 'integer' },
  rules: holding<ScoringRules>('jsonb'),
  published_at: { type: 'timestamptz' },
  published_by: { type: 'text', nullable: true },
  withdrawn_at: { type: 'timestamptz', nullable: true },
  withdrawn_by: { type: 'text', nullable: true },
  withdrawal_reason: { type: 'text', nullable: true },
} as const satisfies Columns;

/** A published version of the rules, whole, with when and by whom it was published and withdrawn; nobody: from the command line. */
export type ScoringRulesRow = RowOf<typeof SCORING_RULES_COLUMNS>;

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
});

export const factOf = (row: ScoreFactRow): ScoreFact => ({
  spaceId: row.space_id,
  studentId: row.student_id,
  // Written from a fact by `rowOf` and by nothing else.
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
});

const weighing: Handler<ScoreFactRow, ProjectedEvent> = {
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
  on: onEach(FACT_EVENT_TYPES, weighing),
};

const studentIn = (actor: ProjectedEvent['metadata']['actor']): string | null =>
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
          published_by: studentIn(actor),
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
          withdrawn_by: studentIn(actor),
          withdrawal_reason: data.reason,
        },
    },
  },
};
