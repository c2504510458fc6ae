import type { StaffCatalogue } from '../translation';
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

/** The German texts of the moderators' and maintainers' areas. */
export const staffCatalogue = {
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
} as const satisfies StaffCatalogue<'de'>;
