import { useMutation } from '@apollo/client/react';
import { useDebouncedCallback } from '@mantine/hooks';
import { useRef, useState } from 'react';
import { SaveScoringDraftDocument, type ScoreReasonKind } from '../../../generated/graphql';
import { errorText } from '../../../lib/api/errors';
import { timings } from '../../../lib/timings';
import {
  areForfeitHours,
  problemOf,
  type Safeguards,
  safeguardsOf,
  thresholdMax,
  type Draft,
  type EffectiveFrom,
  type Side,
} from './rules';

type Points = Partial<Record<ScoreReasonKind, Partial<Record<Side, number | undefined>>>>;

/** The form's values; undefined if missing or invalid. */
interface DraftInput {
  points: Points;
  threshold: number | undefined;
  scope: EffectiveFrom | undefined;
  safeguards: Safeguards;
}

export interface DraftEditor {
  /** The saved draft, which is previewed and published. */
  stored: Draft;
  pointsOf: (kind: ScoreReasonKind, side: Side) => number | undefined;
  threshold: number | undefined;
  change: (kind: ScoreReasonKind, side: Side, points: number | undefined) => void;
  changeThreshold: (threshold: number | undefined) => void;
  /** Undefined until a time is chosen. */
  scope: EffectiveFrom | undefined;
  changeScope: (scope: EffectiveFrom | undefined) => void;
  safeguards: Safeguards;
  changeSafeguards: (changes: Partial<Safeguards>) => void;
  isValid: boolean;
  /** Whether all changes are saved. */
  isSaved: boolean;
  error: string | undefined;
}

const isThreshold = (value: number | undefined): value is number =>
  value !== undefined && Number.isInteger(value) && value >= 1 && value <= thresholdMax;

/** The draft being edited. Valid changes are saved after a pause, against the last known revision. */
export function useDraft(draft: Draft): DraftEditor {
  const [stored, setStored] = useState(draft);
  const [{ points, threshold, scope, safeguards }, setTyped] = useState<DraftInput>({
    points: {},
    threshold: draft.reportThreshold,
    scope: draft.effectiveFrom,
    safeguards: safeguardsOf(draft.safeguards),
  });
  const [isSaved, setSaved] = useState(true);
  const [error, setError] = useState<string>();
  const [save] = useMutation(SaveScoringDraftDocument);
  // Sequential, because each save names the revision left by the previous one.
  const queue = useRef<Promise<unknown>>(Promise.resolve());
  const revision = useRef(draft.revision);
  const typed = useRef<DraftInput>({ points, threshold, scope, safeguards });

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
    typed.current.scope !== undefined &&
    areForfeitHours(typed.current.safeguards.deletionForfeitsWithinHours) &&
    rules().every(
      ({ kind, merit, impact }) => !problemOf(merit, kind, 'merit') && !problemOf(impact, kind, 'impact'),
    );

  const send = async () => {
    if (!isValid()) return;
    const weights = rules().map(({ kind, merit = 0, impact = 0 }) => ({ kind, merit, impact }));
    const sent = typed.current;
    try {
      const { data } = await save({
        variables: {
          draft: {
            basedOn: draft.basedOn,
            effectiveFrom: sent.scope ?? null,
            reportThreshold: sent.threshold ?? 1,
            weights,
            safeguards: sent.safeguards,
          },
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

  const take = (next: DraftInput) => {
    typed.current = next;
    setTyped(next);
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
    scope,
    changeScope: (value) => take({ ...typed.current, scope: value }),
    safeguards,
    changeSafeguards: (changes) =>
      take({ ...typed.current, safeguards: { ...typed.current.safeguards, ...changes } }),
    isValid:
      isThreshold(threshold) &&
      scope !== undefined &&
      areForfeitHours(safeguards.deletionForfeitsWithinHours) &&
      areValidPoints(points),
    isSaved,
    error,
  };
}

const areValidPoints = (points: Points): boolean =>
  kindsIn(points).every((kind) => {
    const sides = points[kind] ?? {};
    return (['merit', 'impact'] as const).every(
      (side) => !(side in sides) || !problemOf(sides[side], kind, side),
    );
  });

// Its keys are exactly the kinds.
const kindsIn = (points: Points) => Object.keys(points) as ScoreReasonKind[];
