import { DEFAULT_SCORING_RULES, type ScoringRules } from '@nimo/domain';
import { isoTime, type Queryable } from '../queryable.js';

/** Every published version of the rules, the first first; none while the default rules hold. */
export async function listScoringRules(db: Queryable): Promise<ScoringRules[]> {
  const text = 'select rules from read.scoring_rules order by version';
  const { rows } = await db.query<{ rules: ScoringRules }>({ name: 'scoring-rules', text });
  return rows.map(({ rules }) => rules);
}

/** A version of the rules with its history; the product began with version 1, which nobody published. */
export interface ScoringVersionView extends ScoringRules {
  readonly publishedAt: string | null;
  /** A student's id; null for version 1 and for what came from the command line. */
  readonly publishedBy: string | null;
}

interface VersionColumns {
  rules: ScoringRules;
  published_at: string;
  published_by: string | null;
}

/** The latest first, down to the rules that the product began with. */
export async function listScoringVersions(db: Queryable): Promise<ScoringVersionView[]> {
  const { rows } = await db.query<VersionColumns>({
    name: 'scoring-versions',
    text: `select rules, ${isoTime('published_at')} as published_at, published_by
           from read.scoring_rules order by version desc`,
  });
  const published = rows.map(({ rules, published_at, published_by }) => ({
    ...rules,
    publishedAt: published_at,
    publishedBy: published_by,
  }));
  return [...published, { ...DEFAULT_SCORING_RULES, publishedAt: null, publishedBy: null }];
}
