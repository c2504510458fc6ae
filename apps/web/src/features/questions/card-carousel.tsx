import { ActionIcon } from '@mantine/core';
import IconChevronLeft from '@tabler/icons-react/dist/esm/icons/IconChevronLeft.mjs';
import IconChevronRight from '@tabler/icons-react/dist/esm/icons/IconChevronRight.mjs';
import { useCallback, useEffect, useId, useRef, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './card-carousel.module.css';

interface CardCarouselProps {
  title: string;
  /** How many cards a row has at 3000 px and more, 1024, 464, and below. */
  perRow: 'questions' | 'topics';
  /** One `li` a card. */
  children: ReactNode;
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
  return { track, measure, ...ends };
}

/** A row of cards that scrolls by itself, with arrows beside its heading, where they cover nothing. */
export function CardCarousel({ title, perRow, children }: CardCarouselProps) {
  const { t } = useTranslation('ask', { keyPrefix: 'carousel' });
  const id = useId();
  const { track, measure, atStart, atEnd } = useEnds();
  const page = (direction: 1 | -1) =>
    track.current?.scrollBy({ left: direction * track.current.clientWidth, behavior: 'smooth' });
  return (
    <section aria-labelledby={id}>
      <div className={classes.heading}>
        <h2 id={id} className={classes.title}>
          {title}
        </h2>
        {!(atStart && atEnd) && (
          <div className={classes.arrows}>
            <ActionIcon
              variant="default"
              aria-label={t('previous', { name: title })}
              disabled={atStart}
              onClick={() => page(-1)}
            >
              <IconChevronLeft size={16} aria-hidden />
            </ActionIcon>
            <ActionIcon
              variant="default"
              aria-label={t('next', { name: title })}
              disabled={atEnd}
              onClick={() => page(1)}
            >
              <IconChevronRight size={16} aria-hidden />
            </ActionIcon>
          </div>
        )}
      </div>
      <ul ref={track} className={classes.track} data-per-row={perRow} onScroll={measure}>
        {children}
      </ul>
    </section>
  );
}
