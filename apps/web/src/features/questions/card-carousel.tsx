import { ActionIcon, Skeleton } from '@mantine/core';
import IconChevronLeft from '@tabler/icons-react/dist/esm/icons/IconChevronLeft.mjs';
import IconChevronRight from '@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs';
import { useCallback, useEffect, useId, useRef, useState, type ReactElement, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { QuietNotice } from '../../components/quiet-notice';
import classes from './card-carousel.module.css';

/** Outlines of cards while they load: as many as a wide row shows. */
const OUTLINES = 6;

interface CardCarouselProps {
  title: string;
  /** How many cards a row has at 3000 px and more, 1024, 464, and below. */
  perRow: 'questions' | 'topics';
  /** One `li` a card; undefined until they are known. */
  cards: readonly ReactElement[] | undefined;
  /** Stands where no card is. */
  emptyText: string;
  error: unknown;
  onRetry: () => void;
}

function useEnds() {
  const track = useRef<HTMLUListElement>(null);
  const [ends, setEnds] = useState({ atStart: true, atEnd: true });
  const measure = useCallback(() => {
    const element = track.current;
    if (!element) return;
    const { scrollLeft, clientWidth, scrollWidth } = element;
    const next = { atStart: scrollLeft <= 1, atEnd: scrollLeft + clientWidth >= scrollWidth - 1 };
    setEnds((current) => (current.atStart === next.atStart && current.atEnd === next.atEnd ? current : next));
  }, []);
  useEffect(() => {
    const element = track.current;
    if (!element) return;
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [measure]);
  // The cards themselves change without a change of the track's size.
  useEffect(measure);
  const page = (direction: 1 | -1) =>
    track.current?.scrollBy({ left: direction * track.current.clientWidth, behavior: 'smooth' });
  return { track, measure, page, ...ends };
}

/**
 * A row of cards that scrolls by itself, with arrows beside its heading, where they cover nothing. It is as high while it
 * loads, when it failed and when it is empty, so that nothing below it jumps.
 */
export function CardCarousel({ title, perRow, cards, emptyText, error, onRetry }: CardCarouselProps) {
  const id = useId();
  const { track, measure, page, atStart, atEnd } = useEnds();
  const row = (items: ReactNode) => (
    <ul ref={track} className={classes.track} aria-labelledby={id} aria-busy={!cards} onScroll={measure}>
      {items}
    </ul>
  );
  return (
    <section className={classes.carousel} data-per-row={perRow} aria-labelledby={id}>
      <div className={classes.heading}>
        <h2 id={id} className={classes.title}>
          {title}
        </h2>
        {cards && !(atStart && atEnd) && (
          <Arrows title={title} atStart={atStart} atEnd={atEnd} onPage={page} />
        )}
      </div>
      {cards && cards.length > 0 && row(cards)}
      {cards?.length === 0 && <p className={classes.instead}>{emptyText}</p>}
      {!cards && error !== undefined && (
        <div className={classes.instead}>
          <QuietNotice error={error} onRetry={onRetry} />
        </div>
      )}
      {!cards && error === undefined && row(outlines())}
    </section>
  );
}

function outlines(): ReactNode {
  return Array.from({ length: OUTLINES }, (_, card) => (
    <li key={card} aria-hidden>
      <Skeleton height="100%" radius="md" />
    </li>
  ));
}

interface ArrowsProps {
  title: string;
  atStart: boolean;
  atEnd: boolean;
  onPage: (direction: 1 | -1) => void;
}

function Arrows({ title, atStart, atEnd, onPage }: ArrowsProps) {
  const { t } = useTranslation('ask', { keyPrefix: 'carousel' });
  return (
    <div className={classes.arrows}>
      <ActionIcon
        variant="default"
        aria-label={t('previous', { name: title })}
        disabled={atStart}
        onClick={() => onPage(-1)}
      >
        <IconChevronLeft size={16} aria-hidden />
      </ActionIcon>
      <ActionIcon
        variant="default"
        aria-label={t('next', { name: title })}
        disabled={atEnd}
        onClick={() => onPage(1)}
      >
        <IconChevronRight size={16} aria-hidden />
      </ActionIcon>
    </div>
  );
}
