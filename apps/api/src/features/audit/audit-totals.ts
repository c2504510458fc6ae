import { AUDIT_EXPORT_PAGE_SIZE, MAX_SUMMED_AUDIT_LINES } from '@nimo/domain';
import {
  type AuditEntryView,
  type AuditFilter,
  type AuditPosition,
  type AuditScope,
  pageOfAudit,
  type Queryable,
} from '@nimo/projections';

/** Points an entry moved on one side. Null if it concerns no points of that side. */
export function pointsOf(
  side: 'RECEIVER' | 'VOTER',
  points: 'merit' | 'impact',
  entry: AuditEntryView,
): number | null {
  const moved = entry.points.filter((point) => point.side === side);
  return moved.length === 0 ? null : moved.reduce((sum, point) => sum + point[points], 0);
}

/** Sums of audit lines. `entries` counts an investigation in a list of staff actions by its votes. */
export interface AuditSums {
  readonly lines: number;
  readonly entries: number;
  readonly receiverMerit: number;
  readonly receiverImpact: number;
  readonly voterMerit: number;
  readonly voterImpact: number;
}

export const NO_SUMS: AuditSums = {
  lines: 0,
  entries: 0,
  receiverMerit: 0,
  receiverImpact: 0,
  voterMerit: 0,
  voterImpact: 0,
};

export const addEntry = (sums: AuditSums, entry: AuditEntryView): AuditSums => ({
  lines: sums.lines + 1,
  entries: sums.entries + entry.count,
  receiverMerit: sums.receiverMerit + (pointsOf('RECEIVER', 'merit', entry) ?? 0),
  receiverImpact: sums.receiverImpact + (pointsOf('RECEIVER', 'impact', entry) ?? 0),
  voterMerit: sums.voterMerit + (pointsOf('VOTER', 'merit', entry) ?? 0),
  voterImpact: sums.voterImpact + (pointsOf('VOTER', 'impact', entry) ?? 0),
});

/** Adds up the newest `MAX_SUMMED_AUDIT_LINES` lines of the filter. An export has the sums of any number. */
export async function sumsOfAudit(
  db: Queryable,
  { filter, scope }: { readonly filter: AuditFilter; readonly scope: AuditScope },
): Promise<AuditSums & { readonly isComplete: boolean }> {
  let sums = NO_SUMS;
  let after: AuditPosition | undefined;
  let hasMore = true;
  while (hasMore && sums.lines < MAX_SUMMED_AUDIT_LINES) {
    const page = await pageOfAudit(db, { filter, scope, after, limit: AUDIT_EXPORT_PAGE_SIZE });
    sums = page.entries.reduce(addEntry, sums);
    after = page.entries.at(-1);
    ({ hasMore } = page);
  }
  return { ...sums, isComplete: !hasMore };
}
