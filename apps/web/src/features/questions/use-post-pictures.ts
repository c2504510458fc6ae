import { useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { picturesBeside } from '../../components/rich-text/enrich-body';
import { toast } from '../../components/toast';
import { errorText } from '../../lib/api/errors';
import { handOverNow } from '../editor/hand-over';
import { PictureUploads } from '../editor/picture-uploads';
import { MAX_IMAGES, useImagePicks, useRefusedFiles } from '../gallery/use-image-picks';
import { usePastedImages } from '../gallery/take-pictures';
import type { Draft } from './drafts';

interface WithPictures {
  body: string;
  imageUrls: string[];
}

type DraftWithPictures = Pick<Draft<WithPictures>, 'value' | 'change' | 'keep'>;

/** IDs of uploads in a body that are not stored yet. */
const onTheirWay = (body: string): string[] =>
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
    handOverNow();
    return body.current;
  };
  const onRefused = useRefusedFiles();
  const onTooMany = () => toast.error(t('tooManyImages'));
  const picks = useImagePicks({
    locations: picturesBeside(value),
    taken: () => picturesIn(latestBody()),
    onChange: (imageUrls) => change({ imageUrls }),
    onRefused,
    onTooMany,
    onFailed: (error) => toast.error(errorText(error)),
  });
  /** Excludes images of a draft whose upload was interrupted. */
  const picturesIn = (html: string): number =>
    (html.match(/<img\b/g)?.length ?? 0) - onTheirWay(html).filter((id) => !uploads.get(id)).length;
  const latest = useRef({ count: 0, onRefused, onTooMany });
  latest.current = { count: picks.images.length, onRefused, onTooMany };
  const [uploads] = useState(
    () =>
      new PictureUploads({
        room: () => MAX_IMAGES - latest.current.count - picturesIn(latestBody()),
        onTooMany: () => latest.current.onTooMany(),
        onRefused: (files) => latest.current.onRefused(files),
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
    await uploads.stored(onTheirWay(latestBody()));
    // More may have been added meanwhile.
    const imageUrls = await picks.uploaded();
    return { body: latestBody(), imageUrls };
  };
  /** Reports images that are still uploading and will be lost with the form. */
  const leaveUnsent = () => {
    const names = [
      ...picks.images.flatMap(({ location, name }) => (location === undefined ? (name ?? '') : [])),
      ...onTheirWay(latestBody())
        .map((id) => uploads.get(id))
        .flatMap((upload) => (upload?.state === 'sending' ? upload.file.name : [])),
    ];
    for (const name of names) toast.error(t('fileLeft', { name }));
  };
  return {
    ...picks,
    leaveUnsent,
    inText: picturesIn(value.body),
    uploads,
    changeBody,
    paste: usePastedImages(picks.add),
    ready,
  };
}
