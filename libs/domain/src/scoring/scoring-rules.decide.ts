import { requireMaintainer, type Authority } from '../authority.js';
import { DomainError } from '../errors.js';
import type { ScoringRules, ScoringRulesPublished } from '../events.js';
import {
  DEFAULT_SCORING_RULES,
  FACT_KINDS,
  KINDS_WITHOUT_IMPACT,
  KINDS_WITHOUT_MERIT,
} from './scoring-rules.js';
import type { ScoringRulesState } from './scoring-rules.state.js';

export type PublishScoringRules = { readonly by: Authority } & Omit<ScoringRules, 'version'>;

export const publishScoringRules = (
  command: PublishScoringRules,
  state: ScoringRulesState,
): readonly ScoringRulesPublished[] => {
  const { by, effectiveFrom, weights, reportThreshold, note } = command;
  requireMaintainer(by);
  const problem = problemOf(command);
  if (problem !== undefined) throw new DomainError('SCORING_RULES_INVALID', { problem });
  const version = (state.versions.at(-1) ?? DEFAULT_SCORING_RULES).version + 1;
  return [
    { type: 'ScoringRulesPublished', data: { version, effectiveFrom, weights, reportThreshold, note } },
  ];
};

const WEIGHT_MAX = 1_000_000;

const problemOf = ({
  effectiveFrom,
  weights,
  reportThreshold,
}: Omit<PublishScoringRules, 'by'>): string | undefined => {
  if (effectiveFrom !== null && !isInstant(effectiveFrom)) return 'the moment is not an ISO time in UTC';
  if (!Number.isSafeInteger(reportThreshold) || reportThreshold < 1)
    return 'the report threshold is not 1 or more';
  for (const kind of FACT_KINDS) {
    // A table from outside may lack a line, whatever its type says.
    const weight = (weights as Partial<typeof weights>)[kind];
    if (!isWeight(weight?.merit) || !isWeight(weight.impact)) return `${kind} has no whole points`;
    if (weight.impact < 0) return `${kind} takes impact away`;
    if (weight.impact !== 0 && KINDS_WITHOUT_IMPACT.includes(kind)) return `${kind} cannot earn impact`;
    if (weight.merit !== 0 && KINDS_WITHOUT_MERIT.includes(kind)) return `${kind} cannot earn merit`;
  }
  return undefined;
};

const isWeight = (points: number | undefined): points is number =>
  Number.isSafeInteger(points) && Math.abs(points ?? Infinity) <= WEIGHT_MAX;

const isInstant = (text: string): boolean => {
  const time = Date.parse(text);
  return !Number.isNaN(time) && new Date(time).toISOString() === text;
};
