import { Confidential } from '../../../platform/traces/confidential.js';
import { auditReadOf } from '../audit-read.js';

/** A file of the audit leaves the product: told each time, before its first byte. */
export const AuditCopy = (what: 'AUDIT_EXPORT' | 'PROVEN_AUDIT_EXPORT'): MethodDecorator =>
  Confidential<Readonly<Record<string, unknown>>, unknown>(
    what,
    ({ viewer, args }) => auditReadOf({ viewer, filter: args, rows: null }),
    { isCopy: true },
  );
