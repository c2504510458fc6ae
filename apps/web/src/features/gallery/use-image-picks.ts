import { useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { toast } from '../../components/toast';
import { isDisplayable, MAX_IMAGE_BYTES, uploadImage } from '../../lib/api/files';
import { isHeic, isTooLarge, acceptPictures, thumbnailOf } from './accept-pictures';

export const MAX_IMAGES = 10;

/** An image of a post being written. Without a location it is still uploading. */
export interface ImagePick {
  id: string;
  previewUrl: string;
  /** File name, if picked in this session. */
  name?: string;
  location?: string;
}

interface ImagePicksOptions {
  /** Existing images of the post or its draft. */
  locations: readonly string[];
  /** Number of images in the text, which count towards the limit. */
  countInText: () => number;
  /** Called when the stored images change. */
  onChange: (locations: string[]) => void;
  onTooMany: () => void;
  /** Called with files that are not displayable images. */
  onRejected: (files: readonly File[]) => void;
  /** Called when an upload fails outside of a submit; its image is removed. */
  onFailed: (error: unknown) => void;
}

interface ImagePicks {
  images: readonly ImagePick[];
  add: (files: readonly File[]) => void;
  remove: (id: string) => void;
  /** Waits for all uploads and returns the locations in order. @throws the error of the first failed upload */
  uploaded: () => Promise<string[]>;
}

function stored(locations: readonly string[]): ImagePick[] {
  return locations.map((location) => ({ id: location, previewUrl: thumbnailOf(location), location }));
}

function locationsOf(images: readonly ImagePick[]): string[] {
  return images.flatMap(({ location }) => location ?? []);
}

/** State of the images, with a ref that is current between renders. */
function useImages(options: ImagePicksOptions) {
  const [images, setImages] = useState<readonly ImagePick[]>(() => stored(options.locations));
  const latest = useRef(images);
  const onChange = useRef(options.onChange);
  onChange.current = options.onChange;
  const change = useCallback((next: readonly ImagePick[]) => {
    const before = locationsOf(latest.current);
    latest.current = next;
    setImages(next);
    const after = locationsOf(next);
    if (after.join() !== before.join()) onChange.current(after);
  }, []);
  return { images, latest, change };
}

function useObjectUrls() {
  const urls = useRef(new Set<string>());
  useEffect(() => {
    const made = urls.current;
    return () => made.forEach((url) => URL.revokeObjectURL(url));
  }, []);
  return useCallback((file: File) => {
    const url = URL.createObjectURL(file);
    urls.current.add(url);
    return url;
  }, []);
}

/** The images of a post, at most ten. Uploads each file as soon as it is chosen. */
export function useImagePicks(options: ImagePicksOptions): ImagePicks {
  const { images, latest, change } = useImages(options);
  const { onTooMany, onRejected, onFailed, countInText } = options;
  const controllers = useRef(new Map<string, AbortController>());
  const newObjectUrl = useObjectUrls();
  const queue = useRef<Promise<unknown>>(Promise.resolve());
  /** Errors of uploads that a submit is waiting for. */
  const failures = useRef<unknown[]>(undefined);
  const remove = (id: string) => {
    change(latest.current.filter((image) => image.id !== id));
    controllers.current.get(id)?.abort();
  };
  const upload = async (id: string, file: File) => {
    // Removed while queued.
    if (!latest.current.some((image) => image.id === id)) return;
    const stop = new AbortController();
    controllers.current.set(id, stop);
    try {
      const location = await uploadImage(file, undefined, stop.signal);
      const stored = isDisplayable(file) ? { location } : { location, previewUrl: thumbnailOf(location) };
      change(latest.current.map((image) => (image.id === id ? { ...image, ...stored } : image)));
    } catch (error) {
      if (stop.signal.aborted) return;
      remove(id);
      if (failures.current) failures.current.push(error);
      else onFailed(error);
    } finally {
      controllers.current.delete(id);
    }
  };
  const take = (pictures: readonly File[]) => {
    const room = Math.max(0, MAX_IMAGES - latest.current.length - countInText());
    if (pictures.length > room) onTooMany();
    const picks = pictures.slice(0, room).map((file) => {
      const previewUrl = newObjectUrl(file);
      return { pick: { id: previewUrl, previewUrl, name: file.name }, file };
    });
    change([...latest.current, ...picks.map(({ pick }) => pick)]);
    // Sequential, so that images arrive in order at full bandwidth.
    for (const { pick, file } of picks) queue.current = queue.current.then(() => upload(pick.id, file));
  };
  const add = (files: readonly File[]) => acceptPictures(files, { onAccepted: take, onRejected });
  const uploaded = async () => {
    const failed: unknown[] = [];
    failures.current = failed;
    // More may be added meanwhile.
    for (let last; last !== queue.current;) {
      last = queue.current;
      await last;
    }
    failures.current = undefined;
    if (failed.length === 0) return locationsOf(latest.current);
    const [first, ...others] = failed;
    others.forEach(onFailed);
    throw first;
  };
  return { images, add, remove, uploaded };
}

const MAX_MEGABYTES = MAX_IMAGE_BYTES / 1024 / 1024;

function reasonOf(file: File) {
  if (isHeic(file)) return 'fileHeic';
  return file.type.startsWith('image/') && isTooLarge(file) ? 'fileTooLarge' : 'fileRefused';
}

/** Shows why each rejected file was rejected, and what to do. */
export function useRejectedFiles() {
  const { t } = useTranslation('ask', { keyPrefix: 'form' });
  return useCallback(
    (files: readonly File[]) => {
      for (const file of files) toast.error(t(reasonOf(file), { name: file.name, max: MAX_MEGABYTES }));
    },
    [t],
  );
}
