import type { StaffCatalogue } from '../translation';
import { areas } from './staff/areas';
import { audit } from './staff/audit';

/** The Italian texts of the moderators' and maintainers' areas. */
export const staffCatalogue = { areas, audit } as const satisfies StaffCatalogue<'it'>;
