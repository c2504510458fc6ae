import {
  type EventOf,
  type FactKind,
  factKeysOf,
  foldFact,
  type ReportFact,
  type ScoreFact,
  type ScoringRules,
} from '@nimo/domain';
import { FACT_KEY, FACT_KEY_COLUMNS, factKeyOf, type FactKeyRow } from '../fact-key.js';
import type { Table } from '../projection.js';

/** A fact, free of rules: what it weighs is said by the scoring rules when scores are added up. */
export type ScoreFactRow = FactKeyRow & {
  readonly ordinal: number;
  readonly occurred_at: string;
  readonly held: boolean;
  readonly invalidated_by: readonly string[];
  readonly standing: boolean;
  readonly round: number | null;
  /** The reports of a round; empty for other kinds. */
  readonly reports: readonly ReportFact[];
};

/** A published version of the rules, whole, with when and by whom; null: from the command line. */
export type ScoringRulesRow = {
  readonly version: number;
  readonly rules: ScoringRules;
  readonly published_at: string;
  readonly published_by: string | null;
};

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

export const scoreFacts: Table<ScoreFactRow> = {
  name: 'score_facts',
  columns: {
    ...FACT_KEY_COLUMNS,
    ordinal: { type: 'bigint' },
    occurred_at: { type: 'timestamptz' },
    held: { type: 'boolean' },
    invalidated_by: { type: 'text[]' },
    standing: { type: 'boolean' },
    round: { type: 'integer', nullable: true },
    reports: { type: 'jsonb' },
  },
  key: FACT_KEY,
  keysOf: factKeysOf,
  fold(row, event, key) {
    const fact = row && factOf(row);
    const next = foldFact(fact, event, factKeyOf(key));
    if (next === fact) return row;
    return next && rowOf(next);
  },
};

export const scoringRules: Table<ScoringRulesRow> = {
  name: 'scoring_rules',
  columns: {
    version: { type: 'integer' },
    rules: { type: 'jsonb' },
    published_at: { type: 'timestamptz' },
    published_by: { type: 'text', nullable: true },
  },
  key: ['version'],
  keysOf: (event) => (event.type === 'ScoringRulesPublished' ? [[event.data.version]] : []),
  fold(row, event) {
    if (event.type !== 'ScoringRulesPublished') return row;
    const rules: EventOf<'ScoringRulesPublished'>['data'] = event.data;
    const { recordedAt, actor } = event.metadata;
    const publisher = actor.kind === 'student' ? actor.id : null;
    return row ?? { version: rules.version, rules, published_at: recordedAt, published_by: publisher };
  },
};
