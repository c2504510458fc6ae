import { type ClipboardEvent, useCallback } from 'react';
import { acceptedImages, MAX_IMAGE_BYTES } from '../../lib/api/files';

/** File types for file dialogs. BMP is converted in the browser. Without HEIC, phones provide a JPEG instead. */
export const offeredImages = [...acceptedImages, 'image/bmp'].join(',');

/** Phone photos, whose type is often empty. */
export const isHeic = ({ type, name }: File): boolean =>
  /^image\/hei[cf]/.test(type) || /\.hei[cf]$/i.test(name);

export const isTooLarge = ({ size }: File): boolean => size > MAX_IMAGE_BYTES;

const isPicture = (file: File): boolean => acceptedImages.includes(file.type) && !isTooLarge(file);

/** Whether the API does not accept the type but the browser may decode it: BMP nearly everywhere, HEIC in Safari. */
const isConvertible = (file: File): boolean =>
  isHeic(file) || (file.type.startsWith('image/') && !acceptedImages.includes(file.type));

const JPEG_QUALITY = 0.92;

/**
 * Re-encodes an image as an upright JPEG.
 *
 * @throws Error if the browser cannot decode or encode it
 */
async function asJpeg(file: File): Promise<File> {
  const picture = await createImageBitmap(file);
  const canvas = document.createElement('canvas');
  canvas.width = picture.width;
  canvas.height = picture.height;
  canvas.getContext('2d')?.drawImage(picture, 0, 0);
  picture.close();
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/jpeg', JPEG_QUALITY));
  if (!blob) throw new Error(`${file.name} could not be encoded`);
  return new File([blob], file.name.replace(/\.\w+$/, '.jpg'), { type: blob.type });
}

interface AcceptHandlers {
  onAccepted: (pictures: readonly File[]) => void;
  /** Files that are too large or not displayable images. */
  onRejected: (files: readonly File[]) => void;
}

/** Accepts or rejects files. Types that only the browser can read are converted, or rejected if that fails. */
export function acceptPictures(files: readonly File[], { onAccepted, onRejected }: AcceptHandlers): void {
  const pictures = files.filter(isPicture);
  const refused = files.filter(
    (file) => !isPicture(file) && !(isConvertible(file) && 'createImageBitmap' in globalThis),
  );
  const photos = files.filter((file) => !isPicture(file) && !refused.includes(file));
  if (refused.length > 0) onRejected(refused);
  if (pictures.length > 0) onAccepted(pictures);
  for (const photo of photos)
    asJpeg(photo).then(
      (picture) => (isPicture(picture) ? onAccepted([picture]) : onRejected([picture])),
      () => onRejected([photo]),
    );
}

/** Whether the clipboard has text. Word and spreadsheets add an image of their text; an image copied from a page has HTML without text. */
export function hasWords(clipboard: DataTransfer): boolean {
  const html = clipboard.getData('text/html');
  return html !== '' && new DOMParser().parseFromString(html, 'text/html').body.textContent.trim() !== '';
}

/** Handles files pasted anywhere in a form, and leaves pasted text alone. */
export function usePastedImages(onFiles: (files: readonly File[]) => void) {
  return useCallback(
    (event: ClipboardEvent) => {
      const { clipboardData } = event;
      // Already handled by the editor.
      if (event.isDefaultPrevented()) return;
      if (clipboardData.files.length === 0 || hasWords(clipboardData)) return;
      event.preventDefault();
      onFiles([...clipboardData.files]);
    },
    [onFiles],
  );
}

const ownImage = /^\/media\/(?!thumb\/)([^/]+)$/;

/** Thumbnail URL of an image in our own store; any other URL unchanged. */
export function thumbnailOf(url: string): string {
  return url.replace(ownImage, '/media/thumb/$1');
}
