import { useTranslation } from 'react-i18next';
import type { OwnScoreHistoryQuery, SpaceStatisticsQuery } from '../../../generated/graphql';

const dayMs = 86_400_000;

/** Days as YYYY-MM-DD, in UTC like the API's. */
export interface Span {
  from: string;
  to: string;
}

const dayOf = (moment: number): string => new Date(moment).toISOString().slice(0, 10);
const momentOf = (day: string): number => Date.parse(`${day}T00:00:00.000Z`);

/** The given number of days up to today. */
export function latest(days: number, now: Date): Span {
  return { from: dayOf(now.getTime() - (days - 1) * dayMs), to: dayOf(now.getTime()) };
}

const MAX_DAY_PIECES = 31;
const MAX_WEEK_PIECES = 27;

/**
 * Splits a period into days, weeks or months, whichever gives at most about thirty pieces. The first and last may be
 * shorter.
 */
export function pieces({ from, to }: Span): Span[] {
  const days = Math.round((momentOf(to) - momentOf(from)) / dayMs) + 1;
  if (days <= MAX_DAY_PIECES) return cut({ from, to }, (day) => day);
  return cut({ from, to }, days <= MAX_WEEK_PIECES * 7 ? endOfWeek : endOfMonth);
}

function cut({ from, to }: Span, endOf: (day: string) => string): Span[] {
  const found: Span[] = [];
  for (let day = from; day <= to; day = dayOf(momentOf(found.at(-1)?.to ?? day) + dayMs)) {
    const end = endOf(day);
    found.push({ from: day, to: end < to ? end : to });
  }
  return found;
}

/** Weeks begin on Monday. */
function endOfWeek(day: string): string {
  const weekday = (new Date(momentOf(day)).getUTCDay() + 6) % 7;
  return dayOf(momentOf(day) + (6 - weekday) * dayMs);
}

function endOfMonth(day: string): string {
  const date = new Date(momentOf(day));
  return dayOf(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0));
}

/** One day as `21 Nov`, several as `16 – 21 Nov`. */
export function useSpanLabel(): (span: Span) => string {
  const { i18n } = useTranslation();
  const format = new Intl.DateTimeFormat(i18n.language, { day: 'numeric', month: 'short', timeZone: 'UTC' });
  return ({ from, to }) =>
    from === to ? format.format(new Date(from)) : format.formatRange(new Date(from), new Date(to));
}

type WorkloadDay = SpaceStatisticsQuery['getSpaceStatistics']['workload'][number];
type ScoreDay = OwnScoreHistoryQuery['getOwnScoreHistory'][number];

interface WorkloadPiece extends Span {
  questions: number;
  answers: number;
}

/** Sums the days per piece; a piece without data has zeros. */
export function workloadSeries(days: readonly WorkloadDay[], span: Span): WorkloadPiece[] {
  return pieces(span).map((piece) => {
    const own = days.filter(({ day }) => day >= piece.from && day <= piece.to);
    const sum = (of: 'questions' | 'answers') => own.reduce((total, day) => total + day[of], 0);
    return { ...piece, questions: sum('questions'), answers: sum('answers') };
  });
}

interface ScorePiece extends Span {
  reputations: number;
  commitments: number;
  score: number;
}

/** The score at the end of each piece, carried forward from the last change; 0 before the first. */
export function scoreSeries(history: readonly ScoreDay[], span: Span): ScorePiece[] {
  return pieces(span).map((piece) => {
    const last = history.findLast(({ day }) => day <= piece.to);
    return {
      ...piece,
      reputations: last?.reputationsAfter ?? 0,
      commitments: last?.commitmentsAfter ?? 0,
      score: last?.scoreAfter ?? 0,
    };
  });
}
