import { areas } from './staff/areas';
import { audit } from './staff/audit';

/** The English texts of the moderators' and maintainers' areas, loaded with them alone. */
export const staffEnglish = { areas, audit } as const;
