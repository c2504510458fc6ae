import { useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { attachedImages } from '../../components/rich-text/enrich-body';
import { toast } from '../../components/toast';
import { errorText } from '../../lib/api/errors';
import { flushEditors } from '../editor/editor-sync';
import { PictureUploads } from '../editor/picture-uploads';
import { MAX_IMAGES, useImagePicks, useRejectedFiles } from '../gallery/use-image-picks';
import { usePastedImages } from '../gallery/accept-pictures';
import type { Draft } from './drafts';

interface WithPictures {
  body: string;
  imageUrls: string[];
}

type DraftWithPictures = Pick<Draft<WithPictures>, 'value' | 'change' | 'keep'>;

/** IDs of uploads in a body that are not stored yet. */
const pendingUploadsIn = (body: string): string[] =>
  [...body.matchAll(/ data-upload="([^"]+)"/g)].flatMap(([, id]) => id ?? []);

/**
 * The images of a post being written, attached and in the text: at most ten in total.
 *
 * @returns `ready` waits for all uploads and returns what to send; it throws if an upload failed
 */
export function usePostPictures({ value, change, keep }: DraftWithPictures) {
  const { t } = useTranslation('ask', { keyPrefix: 'form' });
  const body = useRef(value.body);
  const latestBody = () => {
    flushEditors();
    return body.current;
  };
  const onRejected = useRejectedFiles();
  const onTooMany = () => toast.error(t('tooManyImages'));
  const picks = useImagePicks({
    locations: attachedImages(value),
    countInText: () => picturesIn(latestBody()),
    onChange: (imageUrls) => change({ imageUrls }),
    onRejected,
    onTooMany,
    onFailed: (error) => toast.error(errorText(error)),
  });
  /** Excludes images of a draft whose upload was interrupted. */
  const picturesIn = (html: string): number =>
    (html.match(/<img\b/g)?.length ?? 0) - pendingUploadsIn(html).filter((id) => !uploads.get(id)).length;
  const latest = useRef({ count: 0, onRejected, onTooMany });
  latest.current = { count: picks.images.length, onRejected, onTooMany };
  const [uploads] = useState(
    () =>
      new PictureUploads({
        remaining: () => MAX_IMAGES - latest.current.count - picturesIn(latestBody()),
        onTooMany: () => latest.current.onTooMany(),
        onRejected: (files) => latest.current.onRejected(files),
      }),
  );
  useEffect(() => () => uploads.dispose(), [uploads]);
  const changeBody = useCallback(
    (next: string, isTyping = false) => {
      body.current = next;
      if (isTyping) keep({ body: next });
      else change({ body: next });
    },
    [change, keep],
  );
  const ready = async (): Promise<WithPictures> => {
    await picks.uploaded();
    await uploads.stored(pendingUploadsIn(latestBody()));
    // More may have been added meanwhile.
    const imageUrls = await picks.uploaded();
    return { body: latestBody(), imageUrls };
  };
  /** Reports images that are still uploading and will be lost with the form. */
  const reportUnsent = () => {
    const names = [
      ...picks.images.flatMap(({ location, name }) => (location === undefined ? (name ?? '') : [])),
      ...pendingUploadsIn(latestBody())
        .map((id) => uploads.get(id))
        .flatMap((upload) => (upload?.state === 'sending' ? upload.file.name : [])),
    ];
    for (const name of names) toast.error(t('fileUnfinished', { name }));
  };
  return {
    ...picks,
    reportUnsent,
    countInText: picturesIn(value.body),
    uploads,
    changeBody,
    paste: usePastedImages(picks.add),
    ready,
  };
}
