import { ActionIcon, Skeleton } from '@mantine/core';
import IconChevronLeft from '@tabler/icons-react/dist/esm/icons/IconChevronLeft.mjs';
import IconChevronRight from '@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs';
import {
  type Key,
  type ReactElement,
  type ReactNode,
  useCallback,
  useEffect,
  useId,
  useLayoutEffect,
  useState,
} from 'react';
import { useTranslation } from 'react-i18next';
import { QuietNotice } from './notices';
import { scrollMotion } from '../lib/browser/device';
import { useOneTabStop } from '../lib/browser/use-one-tab-stop';
import classes from './card-carousel.module.css';

/** Number of skeleton cards: as many as a wide row shows. */
const SKELETON_COUNT = 6;

interface CardCarouselProps {
  id: string;
  title: string;
  /** Cards per row from 3000 px, from 1024 px, from 464 px, and below. */
  perRow: 'questions' | 'topics';
  /** One `li` per card; undefined while loading. */
  cards: readonly ReactElement[] | undefined;
  /** Shown without cards. */
  emptyText: string;
  error: unknown;
  onRetry: () => void;
}

function useEnds(firstCard: Key | null) {
  const track = useOneTabStop<HTMLUListElement>();
  const [ends, setEnds] = useState({ atStart: true, atEnd: true });
  const measure = useCallback(() => {
    const element = track.current;
    if (!element) return;
    const { scrollLeft, clientWidth, scrollWidth } = element;
    const next = { atStart: scrollLeft <= 1, atEnd: scrollLeft + clientWidth >= scrollWidth - 1 };
    setEnds((current) => (current.atStart === next.atStart && current.atEnd === next.atEnd ? current : next));
  }, [track]);
  useEffect(() => {
    const element = track.current;
    if (!element) return;
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [measure, track]);
  // The cards may change while the size of the track does not.
  useEffect(measure);
  // The browser keeps the snapped card in view, even when a new card comes first.
  const { atStart } = ends;
  useLayoutEffect(() => {
    if (atStart && firstCard !== null && track.current) track.current.scrollLeft = 0;
    // oxlint-disable-next-line react/exhaustive-deps -- only where another card is the first, not where the reader has scrolled back
  }, [firstCard]);
  const page = (direction: 1 | -1) =>
    track.current?.scrollBy({ left: direction * track.current.clientWidth, behavior: scrollMotion() });
  return { track, measure, page, ...ends };
}

/**
 * A horizontally scrolling row of cards, with arrows next to its heading. Loading, failed and empty states have the
 * same height, so that nothing below jumps.
 */
export function CardCarousel({ id, title, perRow, cards, emptyText, error, onRetry }: CardCarouselProps) {
  const titleId = useId();
  const { track, measure, page, atStart, atEnd } = useEnds(cards?.[0]?.key ?? null);
  const row = (items: ReactNode) => (
    <ul ref={track} className={classes.track} aria-labelledby={titleId} aria-busy={!cards} onScroll={measure}>
      {items}
    </ul>
  );
  return (
    <section id={id} className={classes.carousel} data-per-row={perRow} aria-labelledby={titleId}>
      <div className={classes.heading}>
        <h2 id={titleId} className={classes.title}>
          {title}
        </h2>
        {cards && !(atStart && atEnd) && (
          <Arrows title={title} atStart={atStart} atEnd={atEnd} onPage={page} />
        )}
      </div>
      <Content {...{ cards, emptyText, error, onRetry }} row={row} />
    </section>
  );
}

type ContentProps = Pick<CardCarouselProps, 'cards' | 'emptyText' | 'error' | 'onRetry'> & {
  row: (items: ReactNode) => ReactNode;
};

function Content({ cards, emptyText, error, onRetry, row }: ContentProps) {
  if (cards && cards.length > 0) return row(cards);
  if (cards) return <p className={classes.instead}>{emptyText}</p>;
  if (error === undefined) return row(skeletons());
  return (
    <div className={classes.instead}>
      <QuietNotice error={error} onRetry={onRetry} />
    </div>
  );
}

function skeletons(): ReactNode {
  return Array.from({ length: SKELETON_COUNT }, (_, card) => (
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
        // The arrow keys do the same inside the row.
        tabIndex={-1}
        aria-label={t('previous', { name: title })}
        disabled={atStart}
        onClick={() => onPage(-1)}
      >
        <IconChevronLeft size={16} aria-hidden />
      </ActionIcon>
      <ActionIcon
        variant="default"
        // The arrow keys do the same inside the row.
        tabIndex={-1}
        aria-label={t('next', { name: title })}
        disabled={atEnd}
        onClick={() => onPage(1)}
      >
        <IconChevronRight size={16} aria-hidden />
      </ActionIcon>
    </div>
  );
}
