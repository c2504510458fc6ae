import { areas } from './staff/areas';
import { moderation } from './staff/moderation';
import { audit } from './staff/audit';
import { scoringRules } from './staff/scoring-rules';

/** The English texts of the moderators' and maintainers' areas, loaded with them alone. */
export const staffEnglish = { areas, moderation, audit, scoringRules } as const;
import { asOf } from './staff/as-of';

/** The English texts of the moderators' and maintainers' areas, loaded with them alone. */
export const staffEnglish = { areas, asOf } as const;
