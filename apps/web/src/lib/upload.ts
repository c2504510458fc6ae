import type { UploadSlotQuery, UploadSlotQueryVariables } from '../generated/graphql';
import { i18n } from '../i18n/i18n';
import { postGraphql } from './graphql-fetch';
import uploadSlot from './upload-slot.graphql?call';

/** What file dialogs offer; the api looks at the content itself. */
export const acceptedImages = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'];

/** As the api takes it. */
export const LARGEST_IMAGE_BYTES = 10 * 1024 * 1024;

type Slot = UploadSlotQuery['getPresignedS3Url'];

/** A file did not arrive; the message names it. */
export class UploadError extends Error {
  override readonly name = 'UploadError';
}

async function send(url: string, request: RequestInit): Promise<Response> {
  const response = await fetch(url, request);
  if (!response.ok) throw new Error(response.statusText);
  return response;
}

/** @param share of the bytes that were sent */
export type OnProgress = (share: number) => void;

/** A PUT that tells how far it is: `fetch` cannot. */
function putWithProgress(
  url: string,
  file: File,
  onProgress: OnProgress,
  signal?: AbortSignal,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    request.onload = () =>
      request.status >= 200 && request.status < 300
        ? resolve(request.responseText)
        : reject(new Error(String(request.status)));
    request.onerror = () => reject(new Error('The connection was lost'));
    request.onabort = () => reject(new Error('The upload was cancelled'));
    const abort = () => request.abort();
    signal?.addEventListener('abort', abort, { once: true });
    request.onloadend = () => signal?.removeEventListener('abort', abort);
    request.open('PUT', url);
    request.setRequestHeader('content-type', file.type);
    request.send(file);
  });
}

/** To the api, which answers where the picture is, or straight to the store, of which the api is told then. */
async function putFile(
  { url, key, doneUrl }: Slot,
  file: File,
  signal?: AbortSignal,
  onProgress?: OnProgress,
): Promise<string> {
  const stop = signal ? { signal } : {};
  const put = onProgress
    ? await putWithProgress(url, file, onProgress, signal)
    : await (
        await send(url, { method: 'PUT', headers: { 'content-type': file.type }, body: file, ...stop })
      ).text();
  const answer = doneUrl ? await (await send(doneUrl, { method: 'POST', ...stop })).text() : put;
  const { location = `/media/${key}` } = (answer.startsWith('{') ? JSON.parse(answer) : {}) as {
    location?: string;
  };
  return location;
}

/**
 * Stores an image and returns its location, the address under which it is served from then on.
 * Without a session the grant of a verified phone is needed.
 *
 * @param signal ends it before it is done
 * @param onProgress is told how far it is
 * @throws UploadError which names the file
 */
export async function uploadImage(
  file: File,
  grant?: string,
  signal?: AbortSignal,
  onProgress?: OnProgress,
): Promise<string> {
  try {
    const { getPresignedS3Url: slot } = await postGraphql<UploadSlotQuery, UploadSlotQueryVariables>(
      uploadSlot,
      {
        contentType: file.type,
        contentLength: file.size,
        grant: grant ?? null,
      },
    );
    signal?.throwIfAborted();
    return await putFile(slot, file, signal, onProgress);
  } catch (cause) {
    throw new UploadError(i18n.t('shell:error.upload', { name: file.name }), { cause });
  }
}
