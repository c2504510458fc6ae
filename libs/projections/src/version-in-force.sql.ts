import { DEFAULT_SCORING_RULES } from '@nimo/domain';

/** Number of the scoring rules in force now, by the clock of the database: a SQL expression that says what `rulesAt` does. */
export const VERSION_IN_FORCE = `coalesce((
  select max(version) from read.scoring_rules
  where withdrawn_at is null and coalesce((rules ->> 'effectiveFrom')::timestamptz, '-infinity') <= now()
), ${DEFAULT_SCORING_RULES.version})`;
