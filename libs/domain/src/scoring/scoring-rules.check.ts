import { DomainError } from '../errors.js';
import type { FactKind, ScoringRules, Weight } from '../events.js';
import { MAX_REPORT_THRESHOLD, MAX_SCORING_AHEAD_DAYS, MAX_SCORING_WEIGHT } from '../limits.js';
import { DEFAULT_SCORING_RULES, FACT_KINDS } from './scoring-rules.js';

/** Whether points may be given, taken, or neither. Zero is always allowed: it switches a rule off. */
type Sign = 'EARNS' | 'COSTS' | 'NEVER';

/**
 * The signs of the specification. Impact is never lost, so whatever can be taken back earns none. The fact of an upvote outlives its
 * vote, since its impact is earned once; merit goes with the vote, so there is none.
 */
const SIGNS: Readonly<Record<FactKind, Readonly<Record<keyof Weight, Sign>>>> = {
  QUESTION_POSTED: { merit: 'EARNS', impact: 'EARNS' },
  ANSWER_POSTED: { merit: 'EARNS', impact: 'EARNS' },
  COMMENT_POSTED: { merit: 'EARNS', impact: 'EARNS' },
  UPVOTE_CAST: { merit: 'NEVER', impact: 'EARNS' },
  DOWNVOTE_CAST: { merit: 'COSTS', impact: 'NEVER' },
  QUESTION_UPVOTED: { merit: 'EARNS', impact: 'NEVER' },
  QUESTION_DOWNVOTED: { merit: 'COSTS', impact: 'NEVER' },
  ANSWER_UPVOTED: { merit: 'EARNS', impact: 'NEVER' },
  ANSWER_DOWNVOTED: { merit: 'COSTS', impact: 'NEVER' },
  ANSWER_ACCEPTED: { merit: 'EARNS', impact: 'EARNS' },
  ACCEPTED_AN_ANSWER: { merit: 'EARNS', impact: 'EARNS' },
  POST_REPORTED: { merit: 'COSTS', impact: 'NEVER' },
};

const LIMIT = MAX_SCORING_WEIGHT.toLocaleString('en');
const BOUNDS: Readonly<Record<Sign, { readonly min: number; readonly max: number; readonly rule: string }>> =
  {
    EARNS: {
      min: 0,
      max: MAX_SCORING_WEIGHT,
      rule: `must be a whole number from 0 to ${LIMIT}: it can only earn points`,
    },
    COSTS: {
      min: -MAX_SCORING_WEIGHT,
      max: 0,
      rule: `must be a whole number from −${LIMIT} to 0: it can only cost points`,
    },
    NEVER: { min: 0, max: 0, rule: 'must be 0: it neither earns nor costs points' },
  };

/** One rule that rules from outside break. */
interface RulesProblem {
  /** From the top: `weights.QUESTION_UPVOTED.merit`. */
  readonly field: string;
  readonly rule: string;
}

export type CheckedRules = Pick<ScoringRules, 'effectiveFrom' | 'weights' | 'reportThreshold'>;
type Given = Readonly<Record<string, unknown>>;
type Refuse = (field: string, rule: string) => void;

interface RulesContext {
  readonly now: string;
  /** The latest version that stands. With it, `version` has to be there, too: rules are made from that one. */
  readonly latest?: number;
}

/** Fields that may stand in rules; those after the first four are history, which `scoring show` prints and nothing reads. */
const KEYS: readonly string[] = [
  'version',
  'effectiveFrom',
  'weights',
  'reportThreshold',
  'note',
  'state',
  'publishedAt',
  'publishedBy',
  'withdrawnAt',
  'withdrawnBy',
  'withdrawalReason',
];

/** Reads rules from outside, whether from a file, the screen or the API. @returns every problem, or the rules */
export function readScoringRules(
  given: Given,
  context: RulesContext,
): { readonly problems: readonly RulesProblem[]; readonly rules: CheckedRules } {
  const problems: RulesProblem[] = [];
  const refuse: Refuse = (field, rule) => void problems.push({ field, rule });
  refuseUnknown(given, KEYS, '', refuse);
  if (context.latest !== undefined) checkVersion(given['version'], context.latest, refuse);
  const rules = {
    effectiveFrom: momentFrom(given['effectiveFrom'], context.now, refuse),
    weights: weightsFrom(given['weights'], refuse),
    reportThreshold: thresholdFrom(given['reportThreshold'], refuse),
  };
  return { problems, rules };
}

/** @throws DomainError that names every problem */
export function requireScoringRules(given: Given, context: RulesContext): CheckedRules {
  const { problems, rules } = readScoringRules(given, context);
  if (problems.length === 0) return rules;
  if (problems.every(({ field }) => field === 'effectiveFrom'))
    throw new DomainError('SCORING_MOMENT_INVALID');
  const problem = problems.map(({ field, rule }) => `${field} ${rule}`).join('; ');
  throw new DomainError('SCORING_RULES_INVALID', { problem });
}

function refuseUnknown(given: Given, known: readonly string[], place: string, refuse: Refuse): void {
  for (const key of Object.keys(given))
    if (!known.includes(key)) refuse(`${place}${key}`, `is unknown; known are ${known.join(', ')}`);
}

function checkVersion(version: unknown, latest: number, refuse: Refuse): void {
  if (version !== latest)
    refuse(
      'version',
      `must be ${latest}, the latest version, from which the next one is made${typeof version === 'number' ? `; it is ${version}` : ''}`,
    );
}

const isObject = (value: unknown): value is Given =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function weightsFrom(given: unknown, refuse: Refuse): ScoringRules['weights'] {
  if (!isObject(given)) {
    refuse('weights', 'must be an object with the points of every kind');
    return DEFAULT_SCORING_RULES.weights;
  }
  refuseUnknown(given, FACT_KINDS, 'weights.', refuse);
  const lines = FACT_KINDS.map((kind) => [kind, weightFrom(given[kind], kind, refuse)] as const);
  // Every kind is in the list.
  return Object.fromEntries(lines) as Record<FactKind, Weight>;
}

function weightFrom(given: unknown, kind: FactKind, refuse: Refuse): Weight {
  const place = `weights.${kind}`;
  if (!isObject(given)) {
    refuse(place, 'is missing: it needs merit and impact');
    return { merit: 0, impact: 0 };
  }
  refuseUnknown(given, ['merit', 'impact'], `${place}.`, refuse);
  const pointsOf = (side: keyof Weight): number => {
    const points = given[side];
    const { min, max, rule } = BOUNDS[SIGNS[kind][side]];
    if (isWhole(points) && points >= min && points <= max) return points;
    refuse(`${place}.${side}`, `${rule}; ${said(points)}`);
    return 0;
  };
  return { merit: pointsOf('merit'), impact: pointsOf('impact') };
}

function thresholdFrom(given: unknown, refuse: Refuse): number {
  if (isWhole(given) && given >= 1 && given <= MAX_REPORT_THRESHOLD) return given;
  refuse('reportThreshold', `must be a whole number from 1 to ${MAX_REPORT_THRESHOLD}; ${said(given)}`);
  return 1;
}

const isWhole = (value: unknown): value is number => Number.isSafeInteger(value);

const said = (value: unknown): string =>
  value === undefined
    ? 'it is missing'
    : `it is ${typeof value === 'number' ? value : JSON.stringify(value)}`;

const MILLISECONDS_A_DAY = 86_400_000;

/** Null or left out: for all of history. */
function momentFrom(given: unknown, now: string, refuse: Refuse): string | null {
  if (given === undefined || given === null) return null;
  const moment = typeof given === 'string' ? instantOf(given) : undefined;
  if (moment === undefined) {
    refuse(
      'effectiveFrom',
      `must be null or a date and time with its offset, such as 2026-09-01T00:00:00Z; ${said(given)}`,
    );
    return null;
  }
  if (Date.parse(moment) > Date.parse(now) + MAX_SCORING_AHEAD_DAYS * MILLISECONDS_A_DAY)
    refuse('effectiveFrom', `must not be more than ${MAX_SCORING_AHEAD_DAYS} days ahead; ${said(given)}`);
  return moment;
}

const INSTANT = /^(?!0000)(\d{4}-\d\d-\d\d)T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/;

/** A date and time with its offset as ISO 8601 in UTC; undefined where it is none, or no such day exists. */
function instantOf(text: string): string | undefined {
  const day = INSTANT.exec(text)?.[1];
  const time = new Date(text);
  if (day === undefined || !isCalendarDay(day) || Number.isNaN(time.getTime())) return undefined;
  // Its offset may lead to a year that PostgreSQL does not know.
  const moment = time.toISOString();
  return INSTANT.test(moment) ? moment : undefined;
}

/** Whether the calendar has the day: JavaScript reads 30 February as 2 March. */
export const isCalendarDay = (day: string): boolean => {
  const time = new Date(`${day}T00:00:00.000Z`);
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(day);
};
