import type { UploadSlotQuery, UploadSlotQueryVariables } from '../generated/graphql';
import { i18n } from '../i18n/i18n';
import { postGraphql } from './graphql-fetch';
import uploadSlot from './upload-slot.graphql?raw';

/** What file dialogs offer; the api looks at the content itself. */
export const acceptedImages = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'];

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

/** To the api, which answers where the picture is, or straight to the store, of which the api is told then. */
async function putFile({ url, key, doneUrl }: Slot, file: File): Promise<string> {
  const put = await send(url, { method: 'PUT', headers: { 'content-type': file.type }, body: file });
  const answer = await (doneUrl ? await send(doneUrl, { method: 'POST' }) : put).text();
  const { location = `/media/${key}` } = (answer.startsWith('{') ? JSON.parse(answer) : {}) as {
    location?: string;
  };
  return location;
}

/**
 * Stores an image and returns its location, the address under which it is served from then on.
 * Without a session the grant of a verified phone is needed.
 */
export async function uploadImage(file: File, grant?: string): Promise<string> {
  try {
    const { getPresignedS3Url: slot } = await postGraphql<UploadSlotQuery, UploadSlotQueryVariables>(
      uploadSlot,
      {
        contentType: file.type,
        contentLength: file.size,
        grant: grant ?? null,
      },
    );
    return await putFile(slot, file);
  } catch (cause) {
    throw new UploadError(i18n.t('shell:error.upload', { name: file.name }), { cause });
  }
}
