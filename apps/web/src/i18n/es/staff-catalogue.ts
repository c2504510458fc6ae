import type { StaffCatalogue } from '../translation';
import { areas } from './staff/areas';

/** The Spanish texts of the moderators' and maintainers' areas. */
export const staffCatalogue = { areas } as const satisfies StaffCatalogue<'es'>;
