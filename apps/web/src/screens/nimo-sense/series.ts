import type { OwnScoreHistoryQuery, SpaceStatisticsQuery } from '../../generated/graphql';
import { pieces, type Span } from './spans';

type WorkloadDay = SpaceStatisticsQuery['getSpaceStatistics']['workload'][number];
type ScoreDay = OwnScoreHistoryQuery['getOwnScoreHistory'][number];

export interface WorkloadPiece extends Span {
  questions: number;
  answers: number;
}

/** The days summed up in the pieces of the span; a piece without a day has zeros. */
export function workloadSeries(days: readonly WorkloadDay[], span: Span): WorkloadPiece[] {
  return pieces(span).map((piece) => {
    const own = days.filter(({ day }) => day >= piece.from && day <= piece.to);
    const sum = (of: 'questions' | 'answers') => own.reduce((total, day) => total + day[of], 0);
    return { ...piece, questions: sum('questions'), answers: sum('answers') };
  });
}

export interface ScorePiece extends Span {
  reputations: number;
  commitments: number;
  score: number;
}

/** The score at the end of each piece: that of the last day on which it moved, 0 before the first. */
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
