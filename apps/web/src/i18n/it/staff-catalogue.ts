import type { StaffCatalogue } from '../translation';
import { areas } from './staff/areas';
import { asOf } from './staff/as-of';
import { audit } from './staff/audit';
import { moderation } from './staff/moderation';
import { scoringRules } from './staff/scoring-rules';
import { proof } from './staff/proof';

/** The Italian texts of the moderators' and maintainers' areas. */
export const staffCatalogue = {
  areas,
  asOf,
  audit,
  moderation,
  scoringRules,
  proof,
} as const satisfies StaffCatalogue<'it'>;
