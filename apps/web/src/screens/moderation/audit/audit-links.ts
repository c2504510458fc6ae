import { paths } from '../../../lib/paths';
import { type AuditAddress, auditParamsOf, emptyAddress } from './audit-address';

/** The audit narrowed to that. */
export function auditPath(narrowed: Partial<AuditAddress>): string {
  const params = auditParamsOf({ ...emptyAddress, ...narrowed });
  return params.size > 0 ? `${paths.audit}?${params}` : paths.audit;
}
