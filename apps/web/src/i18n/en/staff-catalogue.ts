import { areas } from './staff/areas';
import { asOf } from './staff/as-of';
import { audit } from './staff/audit';
import { content } from './staff/content';
import { entry } from './staff/entry';
import { moderation } from './staff/moderation';
import { proof } from './staff/proof';
import { patterns } from './staff/patterns';
import { projections } from './staff/projections';
import { scoringRules } from './staff/scoring-rules';

/** The English texts of the moderators' and maintainers' areas, loaded with them alone. */
export const staffEnglish = {
  areas,
  asOf,
  audit,
  content,
  entry,
  moderation,
  proof,
  patterns,
  projections,
  scoringRules,
} as const;
