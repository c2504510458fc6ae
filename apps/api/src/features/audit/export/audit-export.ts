import { AUDIT_EXPORT_PAGE_SIZE } from '@nimo/domain';
import {
  type AuditEntryView,
  type AuditFilter,
  type AuditPlace,
  type AuditScope,
  pageOfAudit,
  type Queryable,
} from '@nimo/projections';
import { COLUMNS } from './audit-columns.js';
import { type Cell, csvLine } from './csv.js';

export type AuditExportFormat = 'csv' | 'ndjson';

const names = Object.keys(COLUMNS);
const readers: readonly ((entry: AuditEntryView) => Cell)[] = Object.values(COLUMNS);

const FORMATS: Readonly<
  Record<AuditExportFormat, { readonly head: string; readonly lineOf: (entry: AuditEntryView) => string }>
> = {
  csv: { head: csvLine(names), lineOf: (entry) => csvLine(readers.map((read) => read(entry))) },
  ndjson: {
    head: '',
    lineOf: (entry) =>
      `${JSON.stringify(Object.fromEntries(readers.map((read, index) => [names[index], read(entry)])))}\n`,
  },
};

export interface AuditExportOptions {
  readonly filter: AuditFilter;
  readonly format: AuditExportFormat;
  /** Asked before each page, as an export outlasts a session or a role. @throws where it must not go on */
  readonly scopeNow: () => Promise<AuditScope> | AuditScope;
}

/**
 * The whole list, newest first, page by page. A page is a short statement of its own, read when the one before was taken: neither
 * memory nor a connection waits for a slow reader, and whoever stops taking ends it.
 */
export async function* auditExport(
  db: Queryable,
  { filter, format, scopeNow }: AuditExportOptions,
): AsyncGenerator<string, void, undefined> {
  const { head, lineOf } = FORMATS[format];
  if (head !== '') yield head;
  let after: AuditPlace | undefined;
  for (let hasMore = true; hasMore;) {
    const scope = await scopeNow();
    const page = await pageOfAudit(db, { filter, scope, after, limit: AUDIT_EXPORT_PAGE_SIZE });
    ({ hasMore } = page);
    after = page.entries.at(-1);
    if (page.entries.length > 0) yield page.entries.map(lineOf).join('');
  }
}
