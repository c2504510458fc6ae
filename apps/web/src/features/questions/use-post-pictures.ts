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

/** Ids of those in a body that are not stored yet. */
const onTheirWay = (body: string): string[] =>
  [...body.matchAll(/ data-upload="([^"]+)"/g)].flatMap(([, id]) => id ?? []);

/**
 * The pictures of a post that is being written, beside its text and in it: at most ten together, whichever way they come.
 *
 * @returns `ready`, which waits for all that is on its way and answers with what is to be sent; it throws where one did not arrive
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
  /** But for those of a draft that were on their way when it was closed. */
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
  /** Says of each picture that is not stored yet that it goes with the form. */
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
