import type { Projection } from '../projection.js';
import { auditEntries, auditRules } from './audit.tables.js';

/** The history of votes and reports, and the acts of those who have an office: what moderators look into, and nobody edits. */
export const auditProjection = {
  name: 'audit',
  purpose: 'Every vote, report and act, for moderators',
  version: 4,
  lingers: true,
  tables: [auditEntries, auditRules],
} as const satisfies Projection;
