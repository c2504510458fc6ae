import { useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { HistoryRangePartsFragment } from '../../generated/graphql';
import { latestOf, type Point, pointOf, withPoint } from './point';

interface Looking {
  readonly point: Point | undefined;
  readonly page: number;
}

const pageIn = (params: URLSearchParams): number => {
  const page = Number(params.get('page'));
  return Number.isSafeInteger(page) && page > 0 ? page : 1;
};

/**
 * The point that is looked at, the latest one at first. The address only follows, so that what was found can be shared: it
 * changes a little later, and what is asked for must not go back to the former point in between.
 */
export function usePoint(range: HistoryRangePartsFragment | undefined | null) {
  const [params, setParams] = useSearchParams();
  const [looking, setLooking] = useState<Looking>(() => ({ point: pointOf(params), page: pageIn(params) }));
  return {
    point: looking.point ?? (range ? latestOf(range) : undefined),
    page: looking.page,
    setPoint: (point: Point) => {
      setLooking({ point, page: 1 });
      setParams((before) => withPoint(before, point), { replace: true });
    },
    setPage: (page: number) => {
      setLooking((before) => ({ ...before, page }));
      setParams(
        (before) => {
          before.set('page', String(page));
          return before;
        },
        { replace: true },
      );
    },
  };
}
