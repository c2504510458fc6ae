import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { LoadingNotice } from '../../components/loading-notice';
import { lazyPart } from '../../lib/browser/loading';
import classes from './gallery.module.css';
import { thumbnailOf } from './accept-pictures';

const Lightbox = lazyPart(async () => ({ default: (await import('./lightbox')).Lightbox }));

interface ImageGalleryProps {
  imageUrls: readonly string[];
  /** Maximum number of thumbnails; the last one shows how many more there are. */
  shown: number;
}

export function ImageGallery({ imageUrls, shown }: ImageGalleryProps) {
  const { t } = useTranslation('ask', { keyPrefix: 'gallery' });
  const [openIndex, setOpenIndex] = useState<number>();
  if (imageUrls.length === 0) return null;
  const more = imageUrls.length - shown;
  return (
    <>
      <ul className={classes.thumbnails} aria-label={t('label')}>
        {imageUrls.slice(0, shown).map((url, index) => {
          const hidden = index === shown - 1 && more > 0 ? more : 0;
          const values = { number: index + 1, count: imageUrls.length, more: hidden };
          return (
            <li key={url}>
              <button
                type="button"
                className={classes.thumbnail}
                aria-label={hidden > 0 ? t('openMore', values) : t('open', values)}
                onClick={() => setOpenIndex(index)}
              >
                <img src={thumbnailOf(url)} alt="" loading="lazy" />
                {hidden > 0 && <span className={classes.more}>+{hidden}</span>}
              </button>
            </li>
          );
        })}
      </ul>
      {openIndex !== undefined && (
        <Suspense fallback={<LoadingNotice />}>
          <Lightbox imageUrls={imageUrls} initialIndex={openIndex} onClosed={() => setOpenIndex(undefined)} />
        </Suspense>
      )}
    </>
  );
}
