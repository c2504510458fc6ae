import { DomainError } from '../errors.js';
import type { FactKind, ScoringRules, Weight } from '../events.js';
import {
  MAX_DELETION_FORFEIT_HOURS,
  MAX_REPORT_THRESHOLD,
  MAX_SCORING_AHEAD_DAYS,
  MAX_SCORING_WEIGHT,
} from '../limits.js';
import { DEFAULT_SCORING_RULES, FACT_KINDS, type Safeguards } from './scoring-rules.js';

/** Allowed sign of points. Zero is always allowed and disables a rule. */
type Sign = 'EARNS' | 'COSTS' | 'NEVER';

/**
 * Signs from the specification. Impact is not lost to others, so facts that others can reverse earn none. Authors can lose that of
 * posts they delete themselves, see `deletionForfeitsWithinHours`. `UPVOTE_CAST` survives a withdrawal and so earns impact but no
 * merit.
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

/** One problem in external rules. */
interface RulesProblem {
  /** Path such as `weights.QUESTION_UPVOTED.merit`. */
  readonly field: string;
  readonly rule: string;
}

export type CheckedRules = Safeguards & Pick<ScoringRules, 'effectiveFrom' | 'weights' | 'reportThreshold'>;
type Input = Readonly<Record<string, unknown>>;
type Refuse = (field: string, rule: string) => void;

interface RulesContext {
  readonly now: string;
  /** Latest published version. If given, the rules must name it in `version`. */
  readonly latest?: number;
}

/** Known fields. Those from `note` on are printed by `scoring show` and ignored here. */
const KEYS: readonly string[] = [
  'version',
  'effectiveFrom',
  'weights',
  'reportThreshold',
  'acceptancePaysOncePerQuestion',
  'deletionForfeitsWithinHours',
  'downvotesNeedMerit',
  'upheldReportsCount',
  'note',
  'state',
  'publishedAt',
  'publishedBy',
  'withdrawnAt',
  'withdrawnBy',
  'withdrawalReason',
];

/** Checks rules from a file, the screen or the API. @returns all problems; the rules are only valid without any */
export function readScoringRules(
  input: Input,
  context: RulesContext,
): { readonly problems: readonly RulesProblem[]; readonly rules: CheckedRules } {
  const problems: RulesProblem[] = [];
  const refuse: Refuse = (field, rule) => void problems.push({ field, rule });
  refuseUnknown(input, KEYS, '', refuse);
  if (context.latest !== undefined) checkVersion(input['version'], context.latest, refuse);
  const rules = {
    effectiveFrom: momentFrom(input['effectiveFrom'], context.now, refuse),
    weights: weightsFrom(input['weights'], refuse),
    reportThreshold: thresholdFrom(input['reportThreshold'], refuse),
    acceptancePaysOncePerQuestion: switchFrom(input, 'acceptancePaysOncePerQuestion', refuse),
    deletionForfeitsWithinHours: hoursFrom(input['deletionForfeitsWithinHours'], refuse),
    downvotesNeedMerit: switchFrom(input, 'downvotesNeedMerit', refuse),
    upheldReportsCount: switchFrom(input, 'upheldReportsCount', refuse),
  };
  return { problems, rules };
}

/** @throws DomainError SCORING_MOMENT_INVALID, or SCORING_RULES_INVALID with all problems */
export function requireScoringRules(input: Input, context: RulesContext): CheckedRules {
  const { problems, rules } = readScoringRules(input, context);
  if (problems.length === 0) return rules;
  if (problems.every(({ field }) => field === 'effectiveFrom'))
    throw new DomainError('SCORING_MOMENT_INVALID');
  const problem = problems.map(({ field, rule }) => `${field} ${rule}`).join('; ');
  throw new DomainError('SCORING_RULES_INVALID', { problem });
}

function refuseUnknown(input: Input, known: readonly string[], prefix: string, refuse: Refuse): void {
  for (const key of Object.keys(input))
    if (!known.includes(key)) refuse(`${prefix}${key}`, `is unknown; known fields are ${known.join(', ')}`);
}

function checkVersion(version: unknown, latest: number, refuse: Refuse): void {
  if (version !== latest)
    refuse(
      'version',
      `must be ${latest}, the latest version, on which the next one is based${typeof version === 'number' ? `; it is ${version}` : ''}`,
    );
}

const isObject = (value: unknown): value is Input =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function weightsFrom(input: unknown, refuse: Refuse): ScoringRules['weights'] {
  if (!isObject(input)) {
    refuse('weights', 'must be an object with the points of every kind');
    return DEFAULT_SCORING_RULES.weights;
  }
  refuseUnknown(input, FACT_KINDS, 'weights.', refuse);
  const weights = FACT_KINDS.map((kind) => [kind, weightFrom(input[kind], kind, refuse)] as const);
  // Has an entry for every kind.
  return Object.fromEntries(weights) as Record<FactKind, Weight>;
}

function weightFrom(input: unknown, kind: FactKind, refuse: Refuse): Weight {
  const path = `weights.${kind}`;
  if (!isObject(input)) {
    refuse(path, 'is missing: it needs merit and impact');
    return { merit: 0, impact: 0 };
  }
  refuseUnknown(input, ['merit', 'impact'], `${path}.`, refuse);
  const pointsOf = (side: keyof Weight): number => {
    const points = input[side];
    const { min, max, rule } = BOUNDS[SIGNS[kind][side]];
    if (isWhole(points) && points >= min && points <= max) return points;
    refuse(`${path}.${side}`, `${rule}; ${foundValue(points)}`);
    return 0;
  };
  return { merit: pointsOf('merit'), impact: pointsOf('impact') };
}

function thresholdFrom(input: unknown, refuse: Refuse): number {
  if (isWhole(input) && input >= 1 && input <= MAX_REPORT_THRESHOLD) return input;
  refuse('reportThreshold', `must be a whole number from 1 to ${MAX_REPORT_THRESHOLD}; ${foundValue(input)}`);
  return 1;
}

/** Missing means off. */
function switchFrom(input: Input, field: keyof Safeguards, refuse: Refuse): boolean {
  const value = input[field];
  if (value === undefined || typeof value === 'boolean') return value ?? false;
  refuse(field, `must be true or false; ${foundValue(value)}`);
  return false;
}

/** Missing means off. */
function hoursFrom(input: unknown, refuse: Refuse): number {
  if (input === undefined) return 0;
  if (isWhole(input) && input >= 0 && input <= MAX_DELETION_FORFEIT_HOURS) return input;
  refuse(
    'deletionForfeitsWithinHours',
    `must be a whole number of hours from 0 (off) to ${MAX_DELETION_FORFEIT_HOURS}; ${foundValue(input)}`,
  );
  return 0;
}

const isWhole = (value: unknown): value is number => Number.isSafeInteger(value);

const foundValue = (value: unknown): string =>
  value === undefined
    ? 'it is missing'
    : `it is ${typeof value === 'number' ? value : JSON.stringify(value)}`;

const MS_PER_DAY = 86_400_000;

/** Null or missing means all of history. */
function momentFrom(input: unknown, now: string, refuse: Refuse): string | null {
  if (input === undefined || input === null) return null;
  const moment = typeof input === 'string' ? instantOf(input) : undefined;
  if (moment === undefined) {
    refuse(
      'effectiveFrom',
      `must be null or a date and time with its offset, such as 2026-09-01T00:00:00Z; ${foundValue(input)}`,
    );
    return null;
  }
  if (Date.parse(moment) > Date.parse(now) + MAX_SCORING_AHEAD_DAYS * MS_PER_DAY)
    refuse(
      'effectiveFrom',
      `must not be more than ${MAX_SCORING_AHEAD_DAYS} days ahead; ${foundValue(input)}`,
    );
  return moment;
}

const INSTANT = /^(?!0000)(\d{4}-\d\d-\d\d)T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/;

/** Converts a date and time with offset to UTC; undefined if malformed or not a calendar day. */
function instantOf(text: string): string | undefined {
  const day = INSTANT.exec(text)?.[1];
  const time = new Date(text);
  if (day === undefined || !isCalendarDay(day) || Number.isNaN(time.getTime())) return undefined;
  // The offset may lead to a year that PostgreSQL does not support.
  const moment = time.toISOString();
  return INSTANT.test(moment) ? moment : undefined;
}

/** Whether the date exists: JavaScript parses 30 February as 2 March. */
export const isCalendarDay = (day: string): boolean => {
  const time = new Date(`${day}T00:00:00.000Z`);
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(day);
};
