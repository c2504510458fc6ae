import { saveFile } from '../../lib/save-file';

export type ExportFormat = 'csv' | 'ndjson';

/** The whole list under a filter as a file. */
export function saveExport(
  format: ExportFormat,
  query: string,
  signal: AbortSignal,
): Promise<{ bytes: number }> {
  return saveFile(`/audit/export.${format}?${query}`, `nimo-audit.${format}`, signal);
}
