import { useLayoutEffect, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import '../../theme/palette.css';
import { type BodyTexts, enrichBody } from './enrich-body';
import classes from './safe-html.module.css';

/** Phones are a little more than twice as high as they are wide; their screenshots fit on a screen. */
const TALL = 2.5;

/** Whether a picture would be too narrow to be read if all of its height were on the screen. */
export const isTallPicture = (width: number, height: number): boolean => height > TALL * width;

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

const blocks: ReadonlySet<string> = new Set('p h1 h2 h3 h4 h5 h6 blockquote ul ol table'.split(' '));

/**
 * Each outermost block of a body takes the direction of its own first letter, and code runs from left to right. An element that says
 * its direction counts for nothing in the one around it, so blocks in a block have none: the style sheet sets those by paragraph.
 */
function setDirections(body: HTMLElement): void {
  for (const code of body.querySelectorAll('code, pre')) code.setAttribute('dir', 'ltr');
  for (const block of body.children) if (blocks.has(block.localName)) block.setAttribute('dir', 'auto');
}

/** White space beside a line feed only indents the source of imported HTML. */
const run = /(?<!\s)( {2,}| *\t[ \t]*)(?!\s)/;
/** At the start of a line HTML shows no space at all. */
const runOrIndent = /(^ |(?<!\s)(?: {2,}| *\t[ \t]*))(?!\s)/;

const inline = 'a,b,code,em,i,img,kbd,s,span,strong,sub,sup,u';
const isInline = (node: Node | null): boolean => node instanceof Element && node.matches(inline);

function beginsLine({ previousSibling, parentElement }: Text): boolean {
  return previousSibling === null
    ? parentElement?.localName === 'p'
    : previousSibling instanceof HTMLBRElement;
}

/**
 * HTML shows several spaces, or a tab, as one space. Runs of them go into elements that keep them; blocks of code keep theirs
 * anyway. `withSpaces` does the same on the server.
 */
function keepSpaces(body: HTMLElement): void {
  const walker = document.createTreeWalker(body, NodeFilter.SHOW_TEXT);
  const texts: [Text, RegExp][] = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = node as Text;
    const isLineStart = beginsLine(text);
    const isBetween = isInline(text.nextSibling) && (isLineStart || isInline(text.previousSibling));
    const isRead =
      (text.data.trim() !== '' || isBetween) && text.parentElement?.closest('pre, [data-source]') === null;
    const pattern = isLineStart ? runOrIndent : run;
    if (isRead && pattern.test(text.data)) texts.push([text, pattern]);
  }
  for (const [text, pattern] of texts)
    text.replaceWith(
      // Runs are at odd places.
      ...text.data.split(pattern).map((piece, place) => {
        if (place % 2 === 0) return piece;
        const spaces = document.createElement('span');
        spaces.className = 'nimo-spaces';
        spaces.textContent = piece;
        return spaces;
      }),
    );
}
