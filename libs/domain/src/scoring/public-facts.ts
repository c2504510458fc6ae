import { KINDS_OF_CASTS } from './scoring-rules.js';
import type { ScoreFact } from './score-fact.js';

export const isCast = ({ kind }: Pick<ScoreFact, 'kind'>): boolean => KINDS_OF_CASTS.includes(kind);

/**
 * A student's facts as they count for others: what casting votes did as it stood when the day began, all else as it stands. Whatever a
 * student casts, withdraws or casts anew today changes nothing here before the next day.
 * @param now the facts as they stand
 * @param atDawn the same facts when the latest day began; where none ever did, as they stand
 */
export const publicFacts = (
  now: readonly ScoreFact[],
  atDawn: readonly ScoreFact[],
): readonly ScoreFact[] => [...now.filter((fact) => !isCast(fact)), ...atDawn.filter(isCast)];

/** What scores can tell apart: a fact that stands does so at its place in the log. */
export const countsTheSame = (left: ScoreFact | undefined, right: ScoreFact | undefined): boolean =>
  left?.standing === true
    ? right?.standing === true && left.ordinal === right.ordinal
    : right?.standing !== true;
