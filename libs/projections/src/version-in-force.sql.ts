import { DEFAULT_SCORING_RULES } from '@nimo/domain';

/** SQL expression for the version of the scoring rules in force by the database's clock. Equivalent to `rulesAt`. */
export const VERSION_IN_FORCE = `coalesce((
  select max(version) from read.scoring_rules
  where withdrawn_at is null and coalesce((rules ->> 'effectiveFrom')::timestamptz, '-infinity') <= now()
), ${DEFAULT_SCORING_RULES.version})`;
