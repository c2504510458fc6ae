import type { StaffCatalogue } from '../translation';
import { areas } from './staff/areas';
import { moderation } from './staff/moderation';
import { audit } from './staff/audit';
import { scoringRules } from './staff/scoring-rules';

/** The Russian texts of the moderators' and maintainers' areas. */
export const staffCatalogue = {
  areas,
  moderation,
  audit,
  scoringRules,
} as const satisfies StaffCatalogue<'ru'>;
import { asOf } from './staff/as-of';

/** The Russian texts of the moderators' and maintainers' areas. */
export const staffCatalogue = { areas, asOf } as const satisfies StaffCatalogue<'ru'>;
