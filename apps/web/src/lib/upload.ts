import type { UploadSlotQuery, UploadSlotQueryVariables } from '../generated/graphql';
import { i18n } from '../i18n/i18n';
import { postGraphql } from './graphql-fetch';
import uploadSlot from './upload-slot.graphql?raw';

/** What file dialogs offer; the api looks at the content itself. */
export const acceptedImages = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'];

/** A file did not arrive; the message names it. */
export class UploadError extends Error {
  override readonly name = 'UploadError';
}

async function putFile(url: string, file: File): Promise<{ location?: string }> {
  const response = await fetch(url, { method: 'PUT', headers: { 'content-type': file.type }, body: file });
  if (!response.ok) throw new Error(response.statusText);
  const answer = await response.text();
  return answer.startsWith('{') ? (JSON.parse(answer) as { location?: string }) : {};
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
        grant: grant ?? null,
      },
    );
    // An S3 store answers a PUT with nothing; the key is the location then.
    const { location = `/media/${slot.key}` } = await putFile(slot.url, file);
    return location;
  } catch (cause) {
    throw new UploadError(i18n.t('shell:error.upload', { name: file.name }), { cause });
  }
}
