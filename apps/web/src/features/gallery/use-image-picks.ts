import { useCallback, useEffect, useRef, useState } from 'react';
import { acceptedImages, uploadImage } from '../../lib/upload';

export const MAX_IMAGES = 10;

/** An image of a post that is being written: already stored, or a file to be uploaded. */
export interface ImagePick {
  id: string;
  previewUrl: string;
  location?: string;
  file?: File;
}

interface ImagePicks {
  images: readonly ImagePick[];
  add: (files: readonly File[]) => void;
  remove: (id: string) => void;
  /** Uploads what is new and returns the locations of all, in their order. */
  upload: () => Promise<string[]>;
}

function existing(urls: readonly string[]): ImagePick[] {
  return urls.map((url) => ({ id: url, previewUrl: url, location: url }));
}

/** The images of a post, at most ten; further files are dropped and told about. */
export function useImagePicks(existingUrls: readonly string[], onTooMany: () => void): ImagePicks {
  const [images, setImages] = useState<readonly ImagePick[]>(() => existing(existingUrls));
  const objectUrls = useRef(new Set<string>());
  useEffect(() => {
    const urls = objectUrls.current;
    return () => urls.forEach((url) => URL.revokeObjectURL(url));
  }, []);
  const add = useCallback(
    (files: readonly File[]) => {
      const pictures = files.filter(({ type }) => acceptedImages.includes(type));
      const room = MAX_IMAGES - images.length;
      if (pictures.length > room) onTooMany();
      const picks = pictures.slice(0, room).map((file) => {
        const previewUrl = URL.createObjectURL(file);
        objectUrls.current.add(previewUrl);
        return { id: previewUrl, previewUrl, file };
      });
      setImages((current) => [...current, ...picks]);
    },
    [images.length, onTooMany],
  );
  const upload = async () => {
    const locations: string[] = [];
    for (const image of images) {
      const location = image.location ?? (image.file && (await uploadImage(image.file)));
      if (location === undefined) continue;
      locations.push(location);
      // A second try after a failure does not upload again what is already there.
      setImages((current) => current.map((each) => (each.id === image.id ? { ...each, location } : each)));
    }
    return locations;
  };
  const remove = (id: string) => setImages((current) => current.filter((image) => image.id !== id));
  return { images, add, remove, upload };
}
