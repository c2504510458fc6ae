import type { UploadSlotQuery, UploadSlotQueryVariables } from '../../generated/graphql';
import { i18n } from '../../i18n/i18n';
import { type ApiErrorExtensions, errorText } from './errors';
import { GraphqlError, postGraphql } from './graphql-fetch';
import uploadSlot from './upload-slot.graphql?call';
import { authorization } from '../auth-storage';

/** File types offered by file dialogs; the API checks the content. */
export const acceptedImages = [
  'image/png',
  'image/apng',
  'image/jpeg',
  'image/webp',
  'image/gif',
  'image/avif',
  'image/tiff',
];

/** Most browsers cannot display a TIFF until the API has converted it. */
export const isDisplayable = ({ type }: File): boolean => type !== 'image/tiff';

/** The API's limit. */
export const MAX_IMAGE_BYTES = 10 * 1024 * 1024;

type Slot = UploadSlotQuery['getPresignedS3Url'];

/** An upload failed; the message names the file. */
export class UploadError extends Error {
  override readonly name = 'UploadError';
}

/** Error in the body of an API response; a store in front of the API has bodies of its own. */
function apiErrorIn(body: string): GraphqlError | undefined {
  try {
    const { errors } = JSON.parse(body) as {
      errors?: { message: string; extensions?: ApiErrorExtensions }[];
    };
    const [first] = errors ?? [];
    return first && new GraphqlError(first.message, first.extensions);
  } catch {
    return undefined;
  }
}

const errorFrom = (answer: string): Error => apiErrorIn(answer) ?? new Error(answer);

async function send(url: string, request: RequestInit): Promise<string> {
  const response = await fetch(url, request);
  const answer = await response.text();
  if (!response.ok) throw errorFrom(answer);
  return answer;
}

/** @param share of the bytes sent, from 0 to 1 */
type OnProgress = (share: number) => void;

/** A PUT with progress, which `fetch` does not report. */
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
        : reject(errorFrom(request.responseText));
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

/**
 * Uploads to the API, which responds with the location, or directly to the store, followed by a confirmation to the
 * API.
 */
async function putFile(
  { url, key, doneUrl }: Slot,
  file: File,
  signal?: AbortSignal,
  onProgress?: OnProgress,
): Promise<string> {
  const stop = signal ? { signal } : {};
  const put = onProgress
    ? await putWithProgress(url, file, onProgress, signal)
    : await send(url, { method: 'PUT', headers: { 'content-type': file.type }, body: file, ...stop });
  const answer = doneUrl ? await send(doneUrl, { method: 'POST', ...stop }) : put;
  const { location = `/media/${key}` } = (answer.startsWith('{') ? JSON.parse(answer) : {}) as {
    location?: string;
  };
  return location;
}

/** The specification's message, with the API's reason if it gives one. */
function uploadErrorText(file: File, cause: unknown): string {
  const sentence = i18n.t('shell:error.upload', { name: file.name });
  return cause instanceof GraphqlError ? `${sentence}. ${errorText(cause)}` : sentence;
}

let activeUploads = 0;
const confirmLeaving = (event: BeforeUnloadEvent): void => event.preventDefault();

/** Ask before leaving the page: a file being uploaded is stored nowhere else. */
async function withLeaveWarning<Stored>(upload: () => Promise<Stored>): Promise<Stored> {
  activeUploads += 1;
  window.addEventListener('beforeunload', confirmLeaving);
  try {
    return await upload();
  } finally {
    activeUploads -= 1;
    if (activeUploads === 0) window.removeEventListener('beforeunload', confirmLeaving);
  }
}

/**
 * Uploads an image and returns the address it is served from. Without a session, the grant of a verified phone is
 * required.
 * @param signal cancels the upload
 * @param onProgress called with the share sent
 * @throws UploadError with the name of the file and the reason
 */
export async function uploadImage(
  file: File,
  grant?: string,
  signal?: AbortSignal,
  onProgress?: OnProgress,
): Promise<string> {
  try {
    return await withLeaveWarning(async () => {
      const { getPresignedS3Url: slot } = await postGraphql<UploadSlotQuery, UploadSlotQueryVariables>(
        uploadSlot,
        {
          contentType: file.type,
          contentLength: file.size,
          grant: grant ?? null,
        },
      );
      signal?.throwIfAborted();
      return putFile(slot, file, signal, onProgress);
    });
  } catch (cause) {
    throw new UploadError(uploadErrorText(file, cause), { cause });
  }
}

/**
 * Downloads a file from the API. The token goes in a header, so that the address alone opens nothing; the browser
 * keeps a large blob on disk.
 */
export async function saveFile(
  address: string,
  fallbackName: string,
  signal: AbortSignal,
): Promise<{ bytes: number }> {
  const response = await fetch(address, { headers: authorization(), signal });
  if (!response.ok) throw apiErrorIn(await response.text()) ?? new GraphqlError(response.statusText);
  const blob = await response.blob();
  const name = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1];
  saveBlob(blob, name ?? fallbackName);
  return { bytes: blob.size };
}

/** Saves a blob as a file. */
export function saveBlob(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The download has started by the next task.
  setTimeout(() => URL.revokeObjectURL(url), 0);
}
