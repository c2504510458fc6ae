import { type ClipboardEvent, useCallback } from 'react';
import { acceptedImages, MAX_IMAGE_BYTES } from '../../lib/api/files';

/** Types that file dialogs show. The browser converts BMP. HEIC is not among them: phones then give a JPEG instead. */
export const offeredImages = [...acceptedImages, 'image/bmp'].join(',');

/** Photos of a phone, whose type is often left empty. */
export const isHeic = ({ type, name }: File): boolean =>
  /^image\/hei[cf]/.test(type) || /\.hei[cf]$/i.test(name);

export const isTooLarge = ({ size }: File): boolean => size > MAX_IMAGE_BYTES;

const isPicture = (file: File): boolean => acceptedImages.includes(file.type) && !isTooLarge(file);

/** Not of a type that the api reads, but perhaps of one that this browser does: BMP nearly everywhere, HEIC in Safari. */
const isForeign = (file: File): boolean =>
  isHeic(file) || (file.type.startsWith('image/') && !acceptedImages.includes(file.type));

const JPEG_QUALITY = 0.92;

/**
 * A picture drawn anew as JPEG, upright.
 *
 * @throws Error where this browser cannot read or draw it
 */
async function asJpeg(file: File): Promise<File> {
  const picture = await createImageBitmap(file);
  const canvas = document.createElement('canvas');
  canvas.width = picture.width;
  canvas.height = picture.height;
  canvas.getContext('2d')?.drawImage(picture, 0, 0);
  picture.close();
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/jpeg', JPEG_QUALITY));
  if (!blob) throw new Error(`${file.name} cannot be drawn`);
  return new File([blob], file.name.replace(/\.\w+$/, '.jpg'), { type: blob.type });
}

interface Taking {
  onTaken: (pictures: readonly File[]) => void;
  /** They are no pictures that can be shown, or too large. */
  onRefused: (files: readonly File[]) => void;
}

/** Parts files into pictures and others. Types that only the browser reads are converted by it, and refused if it cannot. */
export function takePictures(files: readonly File[], { onTaken, onRefused }: Taking): void {
  const pictures = files.filter(isPicture);
  const refused = files.filter(
    (file) => !isPicture(file) && !(isForeign(file) && 'createImageBitmap' in globalThis),
  );
  const photos = files.filter((file) => !isPicture(file) && !refused.includes(file));
  if (refused.length > 0) onRefused(refused);
  if (pictures.length > 0) onTaken(pictures);
  for (const photo of photos)
    asJpeg(photo).then(
      (picture) => (isPicture(picture) ? onTaken([picture]) : onRefused([picture])),
      () => onRefused([photo]),
    );
}

/** Word and spreadsheets put a picture of the text beside it; a picture of a page comes with HTML without a word. */
export function hasWords(clipboard: DataTransfer): boolean {
  const html = clipboard.getData('text/html');
  return html !== '' && new DOMParser().parseFromString(html, 'text/html').body.textContent.trim() !== '';
}

/** Takes the files out of what is pasted anywhere inside a form; text goes its own way. */
export function usePastedImages(onFiles: (files: readonly File[]) => void) {
  return useCallback(
    (event: ClipboardEvent) => {
      const { clipboardData } = event;
      // The text has taken them where its caret is.
      if (event.isDefaultPrevented()) return;
      if (clipboardData.files.length === 0 || hasWords(clipboardData)) return;
      event.preventDefault();
      onFiles([...clipboardData.files]);
    },
    [onFiles],
  );
}

const ownImage = /^\/media\/(?!thumb\/)([^/]+)$/;

/** The small version of an image of ours; any other address as it is. */
export function thumbnailOf(url: string): string {
  return url.replace(ownImage, '/media/thumb/$1');
}
