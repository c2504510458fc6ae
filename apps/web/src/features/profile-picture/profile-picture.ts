import { uploadImage } from '../../lib/upload';

/** A picture as it was picked: an address that is stored already, or a file that is not yet. */
export type ProfilePicture =
  | { kind: 'none' }
  | { kind: 'stored'; url: string }
  | { kind: 'file'; file: File };

export function pictureOf(url: string | null | undefined): ProfilePicture {
  return url ? { kind: 'stored', url } : { kind: 'none' };
}

/** The picture's address, after the upload where one is needed. */
export async function storePicture(picture: ProfilePicture, grant?: string): Promise<string | null> {
  switch (picture.kind) {
    case 'none':
      return null;
    case 'stored':
      return picture.url;
    case 'file':
      return uploadImage(picture.file, grant);
  }
}
