import { useLayoutEffect, useMemo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import '../../theme/palette.css';
import { type BodyTexts, enrichBody } from './enrich-body';
import classes from './safe-html.module.css';

/** Phones are a little more than twice as high as wide; their screenshots fit on a screen. */
const TALL_RATIO = 2.5;

/** Whether an image would be too narrow to read at full-screen height. */
export const isTallImage = (width: number, height: number): boolean => height > TALL_RATIO * width;

interface SafeHtmlProps {
  /** HTML sanitised by the API; pass nothing else. */
  html: string;
  className?: string;
}

/** Enrichments of a body; most bodies need none. */
const needsEnrichment = /\$|<pre|nimo-math/;

function useBodyTexts(): BodyTexts {
  const { t } = useTranslation('richText');
  return useMemo(
    () => ({
      formula: { wrong: t('formula.invalid') },
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

/** Wraps each tall image in a box that scrolls at a readable width. */
function wrapTallImages(body: HTMLElement): void {
  for (const image of body.querySelectorAll('img')) {
    const wrapIfTall = (width: number, height: number) => {
      if (!isTallImage(width, height)) return;
      const box = document.createElement('span');
      box.className = classes.tall ?? '';
      box.tabIndex = 0;
      image.replaceWith(box);
      box.append(image);
    };
    const [width, height] = ['width', 'height'].map((side) => Number(image.getAttribute(side)));
    if (width && height) wrapIfTall(width, height);
    else
      image.addEventListener('load', () => wrapIfTall(image.naturalWidth, image.naturalHeight), {
        once: true,
      });
  }
}

/** The body of a post with rendered formulas and highlighted code. */
export function SafeHtml({ html, className = '' }: SafeHtmlProps) {
  const holder = useRef<HTMLDivElement>(null);
  const texts = useBodyTexts();
  // Not by React: the enrichment owns the elements below, and each run starts from the API's HTML.
  useLayoutEffect(() => {
    const element = holder.current;
    if (!element) return;
    element.innerHTML = html;
    setDirections(element);
    wrapTallImages(element);
    const stop = new AbortController();
    if (needsEnrichment.test(html)) void enrichBody(element, texts, stop.signal);
    // Formulas have already been removed from the text.
    keepSpaces(element);
    return () => stop.abort();
  }, [html, texts]);
  return <div ref={holder} className={`${classes.body} ${className}`} dir="auto" />;
}

const blocks: ReadonlySet<string> = new Set('p h1 h2 h3 h4 h5 h6 blockquote ul ol table'.split(' '));

/**
 * Sets `dir` on each outermost block by its first strong letter; code is left to right. An element with a direction
 * is ignored by the one around it, so nested blocks get none: the style sheet handles those per paragraph.
 */
function setDirections(body: HTMLElement): void {
  for (const code of body.querySelectorAll('code, pre')) code.setAttribute('dir', 'ltr');
  for (const block of body.children) if (blocks.has(block.localName)) block.setAttribute('dir', 'auto');
}

/** White space next to a line feed only indents imported HTML. */
const run = /(?<!\s)( {2,}| *\t[ \t]*)(?!\s)/;
/** HTML ignores a space at the start of a line. */
const runOrIndent = /(^ |(?<!\s)(?: {2,}| *\t[ \t]*))(?!\s)/;

const inline = 'a,b,code,em,i,img,kbd,s,span,strong,sub,sup,u';
const isInline = (node: Node | null): boolean => node instanceof Element && node.matches(inline);

function beginsLine({ previousSibling, parentElement }: Text): boolean {
  return previousSibling === null
    ? parentElement?.localName === 'p'
    : previousSibling instanceof HTMLBRElement;
}

/**
 * HTML collapses white space. Runs of it go into elements that keep them; code blocks keep theirs anyway.
 * `withSpaces` does the same on the server.
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
      // Runs have odd indexes.
      ...text.data.split(pattern).map((piece, place) => {
        if (place % 2 === 0) return piece;
        const spaces = document.createElement('span');
        spaces.className = 'nimo-spaces';
        spaces.textContent = piece;
        return spaces;
      }),
    );
}
