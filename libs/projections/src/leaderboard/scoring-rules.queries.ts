import {
  DEFAULT_SCORING_RULES,
  type RulesState,
  type Safeguards,
  safeguardsOf,
  type ScoringRules,
  stateOfRules,
} from '@nimo/domain';
import { isoTime, type Queryable } from '../queryable.js';

/** All published versions that were not withdrawn, oldest first. Empty while only the default rules exist. */
export async function listScoringRules(db: Queryable): Promise<ScoringRules[]> {
  const text = 'select rules from read.scoring_rules where withdrawn_at is null order by version';
  const { rows } = await db.query<{ rules: ScoringRules }>({ name: 'scoring-rules', text });
  return rows.map(({ rules }) => rules);
}

/** A version of the rules with its history. Version 1 is built in and was never published. */
export interface ScoringVersionView extends Safeguards, Omit<ScoringRules, keyof Safeguards> {
  readonly publishedAt: string | null;
  /** Student ID; null for version 1 and for the command line. */
  readonly publishedBy: string | null;
  readonly state: RulesState;
  readonly withdrawnAt: string | null;
  /** Student ID; null for the command line. */
  readonly withdrawnBy: string | null;
  readonly withdrawalReason: string | null;
}

interface VersionColumns {
  rules: ScoringRules;
  published_at: string | null;
  published_by: string | null;
  withdrawn_at: string | null;
  withdrawn_by: string | null;
  withdrawal_reason: string | null;
}

/** All versions, latest first, including withdrawn ones and the built-in version 1. */
export async function listScoringVersions(db: Queryable, now: Date): Promise<ScoringVersionView[]> {
  const { rows } = await db.query<VersionColumns>({
    name: 'scoring-versions',
    text: `select rules, ${isoTime('published_at')} as published_at, published_by,
             ${isoTime('withdrawn_at')} as withdrawn_at, withdrawn_by, withdrawal_reason
           from read.scoring_rules order by version desc`,
  });
  const standing = rows.filter(({ withdrawn_at }) => withdrawn_at === null).map(({ rules }) => rules);
  const first: VersionColumns = { ...BUILT_IN, rules: DEFAULT_SCORING_RULES };
  return [...rows, first].map(({ rules, ...row }) => ({
    ...rules,
    ...safeguardsOf(rules),
    publishedAt: row.published_at,
    publishedBy: row.published_by,
    state: stateOfRules(rules, standing, now.toISOString()),
    withdrawnAt: row.withdrawn_at,
    withdrawnBy: row.withdrawn_by,
    withdrawalReason: row.withdrawal_reason,
  }));
}

const BUILT_IN = {
  published_at: null,
  published_by: null,
  withdrawn_at: null,
  withdrawn_by: null,
  withdrawal_reason: null,
} as const;
