import { areas } from './staff/areas';

/** The English texts of the moderators' and maintainers' areas, loaded with them alone. */
export const staffEnglish = { areas } as const;
