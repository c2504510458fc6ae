import { requireMaintainer, type Authority } from '../authority.js';
import { DomainError } from '../errors.js';
import type { ScoringRules, ScoringRulesPublished } from '../events.js';
import {
  REPORT_THRESHOLD_MAX,
  SCORING_AHEAD_MAX_DAYS,
  SCORING_NOTE_MAX_LENGTH,
  SCORING_WEIGHT_MAX,
} from '../limits.js';
import { FACT_KINDS, KINDS_WITHOUT_IMPACT, KINDS_WITHOUT_MERIT, latestVersion } from './scoring-rules.js';
import { requireText } from '../validation/content.js';
import type { ScoringRulesState } from './scoring-rules.state.js';

export type PublishScoringRules = {
  readonly by: Authority;
  /** The version that these rules were made from: whoever made them looked at no later one. */
  readonly basedOn: number;
  readonly now: string;
} & Omit<ScoringRules, 'version'>;

export const publishScoringRules = (
  command: PublishScoringRules,
  state: ScoringRulesState,
): readonly ScoringRulesPublished[] => {
  const { by, basedOn, effectiveFrom, weights, reportThreshold } = command;
  requireMaintainer(by);
  requireScoringRules(command);
  requireMoment(effectiveFrom, command.now);
  const [max, invalid] = [SCORING_NOTE_MAX_LENGTH, 'SCORING_NOTE_INVALID'] as const;
  const note = requireText(command.note, { max, missing: invalid, tooLong: invalid });
  const latest = latestVersion(state.versions);
  if (basedOn !== latest) throw new DomainError('SCORING_RULES_OUTDATED', { version: latest, basedOn });
  return [
    {
      type: 'ScoringRulesPublished',
      data: { version: latest + 1, effectiveFrom, weights, reportThreshold, note },
    },
  ];
};

/** What rules weigh, whether they are published or tried. */
export const requireScoringRules = (rules: Pick<ScoringRules, 'weights' | 'reportThreshold'>): void => {
  const problem = problemOf(rules);
  if (problem !== undefined) throw new DomainError('SCORING_RULES_INVALID', { problem });
};

const MILLISECONDS_A_DAY = 86_400_000;

/** Null: for all of history. */
export const requireMoment = (effectiveFrom: string | null, now: string): void => {
  if (effectiveFrom === null) return;
  const latest = Date.parse(now) + SCORING_AHEAD_MAX_DAYS * MILLISECONDS_A_DAY;
  if (!isInstant(effectiveFrom) || Date.parse(effectiveFrom) > latest)
    throw new DomainError('SCORING_MOMENT_INVALID');
};

const problemOf = ({
  weights,
  reportThreshold,
}: Pick<ScoringRules, 'weights' | 'reportThreshold'>): string | undefined => {
  if (!Number.isSafeInteger(reportThreshold) || reportThreshold < 1 || reportThreshold > REPORT_THRESHOLD_MAX)
    return `the report threshold must be between 1 and ${REPORT_THRESHOLD_MAX}`;
  for (const kind of FACT_KINDS) {
    // A table from outside may lack a line, whatever its type says.
    const weight = (weights as Partial<typeof weights>)[kind];
    if (!isWeight(weight?.merit) || !isWeight(weight.impact))
      return `the points of ${kind} must be whole numbers between −${WEIGHT_LIMIT} and ${WEIGHT_LIMIT}`;
    if (weight.impact < 0) return `the impact of ${kind} cannot be negative`;
    if (weight.impact !== 0 && KINDS_WITHOUT_IMPACT.includes(kind)) return `${kind} cannot earn impact`;
    if (weight.merit !== 0 && KINDS_WITHOUT_MERIT.includes(kind)) return `${kind} cannot earn merit`;
  }
  return undefined;
};

const WEIGHT_LIMIT = SCORING_WEIGHT_MAX.toLocaleString('en');
const isWeight = (points: number | undefined): points is number =>
  Number.isSafeInteger(points) && Math.abs(points ?? Infinity) <= SCORING_WEIGHT_MAX;

const isInstant = (text: string): boolean => {
  const time = Date.parse(text);
  return !Number.isNaN(time) && new Date(time).toISOString() === text;
};
