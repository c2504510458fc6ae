import { useLayoutEffect, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import '../theme/palette.css';
import { setDirections } from './rich-text/directions';
import { isTallPicture } from '../lib/tall-picture';
import { enrichBody, type BodyTexts } from './rich-text/enrich-body';
import { keepSpaces } from './rich-text/kept-spaces';
import classes from './safe-html.module.css';

interface SafeHtmlProps {
  /** HTML that the api has sanitised; nothing else may be given. */
  html: string;
  className?: string;
}

/** What makes a body more than its HTML; most have nothing of it. */
const needsMore = /\$|<pre|nimo-math/;

function useBodyTexts(): BodyTexts {
  const { t } = useTranslation('richText');
  return useMemo(
    () => ({
      formula: { wrong: t('formula.wrong') },
      code: {
        label: t('code.label'),
        copy: t('code.copy'),
        copied: t('code.copied'),
        copyFailed: t('code.copyFailed'),
      },
    }),
    [t],
  );
}

/** Gives each tall picture a box in which it scrolls at a width that can be read. */
function boxTallPictures(body: HTMLElement): void {
  for (const image of body.querySelectorAll('img')) {
    const boxIfTall = (width: number, height: number) => {
      if (!isTallPicture(width, height)) return;
      const box = document.createElement('span');
      box.className = classes.tall ?? '';
      box.tabIndex = 0;
      image.replaceWith(box);
      box.append(image);
    };
    const [width, height] = ['width', 'height'].map((side) => Number(image.getAttribute(side)));
    if (width && height) boxIfTall(width, height);
    else
      image.addEventListener('load', () => boxIfTall(image.naturalWidth, image.naturalHeight), {
        once: true,
      });
  }
}

/** The body of a post, set for reading: formulas drawn, code coloured. */
export function SafeHtml({ html, className = '' }: SafeHtmlProps) {
  const holder = useRef<HTMLDivElement>(null);
  const texts = useBodyTexts();
  // Not by React: the elements below belong to the enrichment, and each run of it begins with what the api sent.
  useLayoutEffect(() => {
    const element = holder.current;
    if (!element) return;
    element.innerHTML = html;
    setDirections(element);
    boxTallPictures(element);
    const stop = new AbortController();
    if (needsMore.test(html)) void enrichBody(element, texts, stop.signal);
    // Formulas have been taken out of the text by now.
    keepSpaces(element);
    return () => stop.abort();
  }, [html, texts]);
  return <div ref={holder} className={`${classes.body} ${className}`} dir="auto" />;
}
