import { Fragment, useLayoutEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { drawFormulas, newFormula } from './formula-element';
import { formulaPieces, type TextPiece } from './formula-source';
import classes from './marked-words.module.css';
import { findLinks } from './find-links';
import { splitExcerptMarkup, splitMarkup } from './split-markup';

/** One-line text with rendered formulas; React escapes the words. */
export function InlineText({ text }: { text: string | readonly TextPiece[] }) {
  const pieces = typeof text === 'string' ? formulaPieces(text) : text;
  return pieces.map((piece, index) =>
    piece.kind === 'formula' ? (
      // A card has one line, so display formulas are rendered inline.
      <Formula key={index} source={piece.source} isBlock={false} />
    ) : (
      piece.text
    ),
  );
}

interface FormulaProps {
  /** TeX. */
  source: string;
  isBlock: boolean;
}

/** A rendered formula; its source until then, or if it is not TeX. */
export function Formula({ source, isBlock }: FormulaProps) {
  const { t } = useTranslation('richText', { keyPrefix: 'formula' });
  const holder = useRef<HTMLSpanElement>(null);
  const wrong = t('invalid');
  useLayoutEffect(() => {
    const element = newFormula(source, isBlock);
    holder.current?.replaceChildren(element);
    const stop = new AbortController();
    void drawFormulas([element], { wrong }, stop.signal);
    return () => stop.abort();
  }, [source, isBlock, wrong]);
  return <span ref={holder} />;
}

/**
 * Plain text with rendered formulas and code; React escapes the words.
 * @param isExcerpt leaves out a formula cut at the end
 * @param hasLinks turns URLs into links; not inside another link
 */
export function MarkedWords({
  text,
  isExcerpt = false,
  hasLinks = false,
}: {
  text: string;
  isExcerpt?: boolean;
  hasLinks?: boolean;
}) {
  return (isExcerpt ? splitExcerptMarkup : splitMarkup)(text).map((piece, index) => {
    if (piece.kind === 'formula')
      return <Formula key={index} source={piece.source} isBlock={piece.isBlock} />;
    if (piece.kind === 'code')
      return (
        <code key={index} className={classes.code} data-block={piece.isBlock || undefined}>
          {piece.text}
        </code>
      );
    return <span key={index}>{hasLinks ? <LinkedWords words={piece.text} /> : piece.text}</span>;
  });
}

function LinkedWords({ words }: { words: string }) {
  const links = findLinks(words);
  return (
    <>
      {links.map(({ href, start, end }, index) => (
        <Fragment key={start}>
          {words.slice(links[index - 1]?.end ?? 0, start)}
          {/* Like links in posts: no endorsement, and no access to this window. */}
          <a href={href} target="_blank" rel="nofollow ugc noopener noreferrer">
            {words.slice(start, end)}
          </a>
        </Fragment>
      ))}
      {words.slice(links.at(-1)?.end ?? 0)}
    </>
  );
}
