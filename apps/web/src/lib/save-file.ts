import { authorization } from './auth-storage';
import type { ApiErrorExtensions } from './errors';
import { GraphqlError } from './graphql-fetch';

interface Refusal {
  errors?: { message: string; extensions?: ApiErrorExtensions }[];
}

/**
 * Fetches a file of the api and hands it to the browser. The token goes in the header, so that no address opens anything;
 * the browser keeps a large blob on its disk.
 */
export async function saveFile(
  address: string,
  otherwiseNamed: string,
  signal: AbortSignal,
): Promise<{ bytes: number }> {
  const response = await fetch(address, { headers: authorization(), signal });
  if (!response.ok) {
    const { errors = [] } = (await response.json().catch(() => ({}))) as Refusal;
    throw new GraphqlError(errors[0]?.message ?? response.statusText, errors[0]?.extensions);
  }
  const blob = await response.blob();
  const name = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1];
  offerFile(blob, name ?? otherwiseNamed);
  return { bytes: blob.size };
}

/** Hands a file to the browser. */
export function offerFile(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The download has taken hold of it by the next turn.
  setTimeout(() => URL.revokeObjectURL(url), 0);
}
