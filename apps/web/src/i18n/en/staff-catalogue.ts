import { areas } from './staff/areas';
import { audit } from './staff/audit';
import { scoringRules } from './staff/scoring-rules';

/** The English texts of the moderators' and maintainers' areas, loaded with them alone. */
export const staffEnglish = { areas, audit, scoringRules } as const;
import { asOf } from './staff/as-of';

/** The English texts of the moderators' and maintainers' areas, loaded with them alone. */
export const staffEnglish = { areas, asOf } as const;
