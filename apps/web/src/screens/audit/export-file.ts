import { authorization } from '../../lib/auth-storage';
import { GraphqlError } from '../../lib/graphql-fetch';
import type { ApiErrorExtensions } from '../../lib/errors';

export type ExportFormat = 'csv' | 'ndjson';

interface Refusal {
  errors?: { message: string; extensions?: ApiErrorExtensions }[];
}

/**
 * Fetches an export and hands it to the browser as a file. The token goes in the header, so that no address opens anything;
 * the browser keeps a large blob on its disk.
 */
export async function saveExport(
  format: ExportFormat,
  query: string,
  signal: AbortSignal,
): Promise<{ bytes: number }> {
  const response = await fetch(`/audit/export.${format}?${query}`, { headers: authorization(), signal });
  if (!response.ok) {
    const { errors = [] } = (await response.json().catch(() => ({}))) as Refusal;
    throw new GraphqlError(errors[0]?.message ?? response.statusText, errors[0]?.extensions);
  }
  const blob = await response.blob();
  const name = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1];
  offer(blob, name ?? `nimo-audit.${format}`);
  return { bytes: blob.size };
}

function offer(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The download has taken hold of it by the next turn.
  setTimeout(() => URL.revokeObjectURL(url), 0);
}
