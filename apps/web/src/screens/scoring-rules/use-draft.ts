import { useMutation } from '@apollo/client/react';
import { useDebouncedCallback } from '@mantine/hooks';
import { useRef, useState } from 'react';
import { SaveScoringDraftDocument, type ScoreReasonKind } from '../../generated/graphql';
import { errorText } from '../../lib/errors';
import { timings } from '../../lib/timings';
import { problemOf, thresholdMax, type Draft, type Side } from './rules';

type Points = Partial<Record<ScoreReasonKind, Partial<Record<Side, number | undefined>>>>;

export interface DraftInHand {
  /** As it is stored: what is tried and published. */
  stored: Draft;
  pointsOf: (kind: ScoreReasonKind, side: Side) => number | undefined;
  threshold: number | undefined;
  change: (kind: ScoreReasonKind, side: Side, points: number | undefined) => void;
  changeThreshold: (threshold: number | undefined) => void;
  isValid: boolean;
  /** Nothing is typed that is not stored. */
  isSaved: boolean;
  error: string | undefined;
}

const isThreshold = (value: number | undefined): value is number =>
  value !== undefined && Number.isInteger(value) && value >= 1 && value <= thresholdMax;

/** The draft as it is typed. What is valid is saved after a pause, upon the state that was seen last. */
export function useDraft(draft: Draft): DraftInHand {
  const [stored, setStored] = useState(draft);
  const [points, setPoints] = useState<Points>({});
  const [threshold, setThreshold] = useState<number | undefined>(draft.reportThreshold);
  const [isSaved, setSaved] = useState(true);
  const [error, setError] = useState<string>();
  const [save] = useMutation(SaveScoringDraftDocument);
  // One after the other: each names the state that the one before it left.
  const queue = useRef<Promise<unknown>>(Promise.resolve());
  const revision = useRef(draft.revision);
  const typed = useRef({ points, threshold });

  const rules = () =>
    draft.weights.map(({ kind, merit, impact }) => {
      const own = typed.current.points[kind] ?? {};
      return {
        kind,
        merit: 'merit' in own ? own.merit : merit,
        impact: 'impact' in own ? own.impact : impact,
      };
    });
  const isValid = () =>
    isThreshold(typed.current.threshold) &&
    rules().every(({ merit, impact }) => !problemOf(merit, 'merit') && !problemOf(impact, 'impact'));

  const send = async () => {
    if (!isValid()) return;
    const weights = rules().map(({ kind, merit = 0, impact = 0 }) => ({ kind, merit, impact }));
    const sent = typed.current;
    try {
      const { data } = await save({
        variables: {
          draft: { basedOn: draft.basedOn, reportThreshold: sent.threshold ?? 1, weights },
          revision: revision.current,
        },
      });
      if (!data) return;
      revision.current = data.saveScoringDraft.revision;
      setStored(data.saveScoringDraft);
      setError(undefined);
      if (typed.current === sent) setSaved(true);
    } catch (cause) {
      setError(errorText(cause));
    }
  };
  const later = useDebouncedCallback(() => {
    queue.current = queue.current.then(send);
  }, timings.similarDebounce);

  const take = (next: { points: Points; threshold: number | undefined }) => {
    typed.current = next;
    setPoints(next.points);
    setThreshold(next.threshold);
    setSaved(false);
    later();
  };
  return {
    stored,
    pointsOf: (kind, side) => {
      const own = points[kind] ?? {};
      return side in own ? own[side] : draft.weights.find((weight) => weight.kind === kind)?.[side];
    },
    threshold,
    change: (kind, side, value) =>
      take({
        ...typed.current,
        points: { ...typed.current.points, [kind]: { ...typed.current.points[kind], [side]: value } },
      }),
    changeThreshold: (value) => take({ ...typed.current, threshold: value }),
    isValid: isThreshold(threshold) && Object.values(points).every(isWhole),
    isSaved,
    error,
  };
}

const isWhole = (sides: Partial<Record<Side, number | undefined>>): boolean =>
  (['merit', 'impact'] as const).every((side) => !(side in sides) || !problemOf(sides[side], side));
