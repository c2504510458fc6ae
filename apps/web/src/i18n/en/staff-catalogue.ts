import { areas } from './staff/areas';
import { proof } from './staff/proof';
import { asOf } from './staff/as-of';
import { audit } from './staff/audit';
import { moderation } from './staff/moderation';
import { scoringRules } from './staff/scoring-rules';

/** The English texts of the moderators' and maintainers' areas, loaded with them alone. */
export const staffEnglish = { areas, proof, asOf, audit, moderation, scoringRules } as const;
