import { useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { picturesBeside } from '../../components/rich-text/enrich-body';
import { toast } from '../../components/toast';
import { errorText } from '../../lib/errors';
import { PictureUploads } from '../editor/picture-uploads';
import { MAX_IMAGES, useImagePicks } from '../gallery/use-image-picks';
import { usePastedImages } from '../gallery/use-pasted-images';
import { useRefusedFiles } from '../gallery/use-refused-files';

interface WithPictures {
  body: string;
  imageUrls: string[];
}

interface DraftWithPictures {
  value: WithPictures;
  change: (changes: Partial<WithPictures>) => void;
}

/** A draft that is discarded leaves an empty form, not a closed one: another attempt is another form. */
export function useAttempts() {
  const [attempt, setAttempt] = useState(0);
  return { attempt, restart: () => setAttempt((current) => current + 1) };
}

const picturesIn = (body: string): number => body.match(/<img\b/g)?.length ?? 0;

/** Ids of those in a body that are not stored yet. */
const onTheirWay = (body: string): string[] =>
  [...body.matchAll(/ data-upload="([^"]+)"/g)].flatMap(([, id]) => id ?? []);

/**
 * The pictures of a post that is being written, beside its text and in it: at most ten together, whichever way they come.
 *
 * @returns `ready`, which waits for all that is on its way and answers with what is to be sent; it throws where one did not arrive
 */
export function usePostPictures({ value, change }: DraftWithPictures) {
  const { t } = useTranslation('ask', { keyPrefix: 'form' });
  const body = useRef(value.body);
  const onRefused = useRefusedFiles();
  const onTooMany = () => toast.error(t('tooManyImages'));
  const picks = useImagePicks({
    locations: picturesBeside(value),
    taken: () => picturesIn(body.current),
    onChange: (imageUrls) => change({ imageUrls }),
    onRefused,
    onTooMany,
    onFailed: (error) => toast.error(errorText(error)),
  });
  const latest = useRef({ count: 0, onRefused, onTooMany });
  latest.current = { count: picks.images.length, onRefused, onTooMany };
  const [uploads] = useState(
    () =>
      new PictureUploads({
        room: () => MAX_IMAGES - latest.current.count - picturesIn(body.current),
        onTooMany: () => latest.current.onTooMany(),
        onRefused: (files) => latest.current.onRefused(files),
      }),
  );
  useEffect(() => () => uploads.dispose(), [uploads]);
  const changeBody = useCallback(
    (next: string) => {
      body.current = next;
      change({ body: next });
    },
    [change],
  );
  const ready = async (): Promise<WithPictures> => {
    await picks.uploaded();
    await uploads.stored(onTheirWay(body.current));
    // More may have been added meanwhile.
    const imageUrls = await picks.uploaded();
    return { body: body.current, imageUrls };
  };
  return {
    ...picks,
    inText: picturesIn(value.body),
    uploads,
    changeBody,
    paste: usePastedImages(picks.add),
    ready,
  };
}
