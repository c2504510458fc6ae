export type FactKind =
  | 'QUESTION_POSTED'
  | 'ANSWER_POSTED'
  | 'COMMENT_POSTED'
  | 'UPVOTE_CAST'
  | 'DOWNVOTE_CAST'
  | 'QUESTION_UPVOTED'
  | 'QUESTION_DOWNVOTED'
  | 'ANSWER_UPVOTED'
  | 'ANSWER_DOWNVOTED'
  | 'ANSWER_ACCEPTED'
  | 'ACCEPTED_AN_ANSWER'
  | 'POST_REPORTED';

export type Weight = { readonly merit: number; readonly impact: number };

/** Rules against farming points. */
export type Safeguards = {
  /** Only the last acceptance of a question pays, on both sides. */
  readonly acceptancePaysOncePerQuestion: boolean;
  /** A post earns its author nothing if the author deletes it within this many hours. 0 disables the rule. */
  readonly deletionForfeitsWithinHours: number;
  /** A downvote needs enough merit to pay for it. */
  readonly downvotesNeedMerit: boolean;
  /** An upheld round of reports costs the author points below the threshold, too. */
  readonly upheldReportsCount: boolean;
};

/** Safeguards are missing in versions published before they existed, which means off. */
export type ScoringRules = Partial<Safeguards> & {
  readonly version: number;
  /** Applies to facts from this time on; null for all of history. */
  readonly effectiveFrom: string | null;
  readonly weights: Readonly<Record<FactKind, Weight>>;
  /** Distinct reporters of one round that trigger the penalty. */
  readonly reportThreshold: number;
  readonly note: string;
};

export const MERIT_FLOOR = 1;

export const QUESTION_UPVOTED_MERIT = 50;
export const ANSWER_UPVOTED_MERIT = 70;
export const ANSWER_ACCEPTED_MERIT = 100;
export const ACCEPTING_MERIT = 15;
export const QUESTION_DOWNVOTED_MERIT = -50;
export const ANSWER_DOWNVOTED_MERIT = -50;
export const DOWNVOTING_MERIT = -5;
export const REPORTED_MERIT = -200;
export const REPORT_THRESHOLD = 3;

export const QUESTION_IMPACT = 10;
export const ANSWER_IMPACT = 10;
export const COMMENT_IMPACT = 2;
export const UPVOTING_IMPACT = 1;

/** In force until a maintainer publishes others. */
export const DEFAULT_SCORING_RULES: ScoringRules = {
  version: 1,
  effectiveFrom: null,
  weights: {
    QUESTION_POSTED: { merit: 0, impact: QUESTION_IMPACT },
    ANSWER_POSTED: { merit: 0, impact: ANSWER_IMPACT },
    COMMENT_POSTED: { merit: 0, impact: COMMENT_IMPACT },
    UPVOTE_CAST: { merit: 0, impact: UPVOTING_IMPACT },
    DOWNVOTE_CAST: { merit: DOWNVOTING_MERIT, impact: 0 },
    QUESTION_UPVOTED: { merit: QUESTION_UPVOTED_MERIT, impact: 0 },
    QUESTION_DOWNVOTED: { merit: QUESTION_DOWNVOTED_MERIT, impact: 0 },
    ANSWER_UPVOTED: { merit: ANSWER_UPVOTED_MERIT, impact: 0 },
    ANSWER_DOWNVOTED: { merit: ANSWER_DOWNVOTED_MERIT, impact: 0 },
    ANSWER_ACCEPTED: { merit: ANSWER_ACCEPTED_MERIT, impact: 0 },
    ACCEPTED_AN_ANSWER: { merit: ACCEPTING_MERIT, impact: 0 },
    POST_REPORTED: { merit: REPORTED_MERIT, impact: 0 },
  },
  reportThreshold: REPORT_THRESHOLD,
  note: 'Initial rules',
};

export const FACT_KINDS = Object.keys(DEFAULT_SCORING_RULES.weights) as readonly FactKind[];

export const POSTING_KINDS: readonly FactKind[] = ['QUESTION_POSTED', 'ANSWER_POSTED', 'COMMENT_POSTED'];

/** Facts that earn the author of a post nothing once the deletion of the post forfeits its points. Costs stay. */
export const FORFEITED_KINDS: readonly FactKind[] = [
  ...POSTING_KINDS,
  'QUESTION_UPVOTED',
  'ANSWER_UPVOTED',
  'ANSWER_ACCEPTED',
  'ACCEPTED_AN_ANSWER',
];

export const safeguardsOf = ({
  acceptancePaysOncePerQuestion = false,
  deletionForfeitsWithinHours = 0,
  downvotesNeedMerit = false,
  upheldReportsCount = false,
}: Partial<Safeguards>): Safeguards => ({
  acceptancePaysOncePerQuestion,
  deletionForfeitsWithinHours,
  downvotesNeedMerit,
  upheldReportsCount,
});

/** Actions by others on a student's posts. Shown per post and day only, because exact times could identify people. */
export const RECEIVED_KINDS: readonly FactKind[] = [
  'QUESTION_UPVOTED',
  'QUESTION_DOWNVOTED',
  'ANSWER_UPVOTED',
  'ANSWER_DOWNVOTED',
  'POST_REPORTED',
];

const covers = ({ effectiveFrom }: Pick<ScoringRules, 'effectiveFrom'>, occurredAt: string): boolean =>
  effectiveFrom === null || Date.parse(effectiveFrom) <= Date.parse(occurredAt);

/** Highest published version that covers the time, or the default rules. */
export const rulesAt = (versions: readonly ScoringRules[], occurredAt: string): ScoringRules =>
  versions.reduce(
    (chosen, rules) => (rules.version > chosen.version && covers(rules, occurredAt) ? rules : chosen),
    DEFAULT_SCORING_RULES,
  );

/** Whether the rules have yet to take effect. */
export const isAhead = ({ effectiveFrom }: Pick<ScoringRules, 'effectiveFrom'>, now: string): boolean =>
  effectiveFrom !== null && Date.parse(effectiveFrom) > Date.parse(now);

/**
 * - SCHEDULED: takes effect later, unless it is withdrawn or replaced first
 * - IN_FORCE: scores current activity
 * - REPLACED: a later version is in force, or will be before this one takes effect
 * - WITHDRAWN: withdrawn before it took effect
 */
export const RULES_STATES = ['SCHEDULED', 'IN_FORCE', 'REPLACED', 'WITHDRAWN'] as const;
export type RulesState = (typeof RULES_STATES)[number];

/** @param versions all versions that were not withdrawn */
export function stateOfRules(
  rules: Pick<ScoringRules, 'version' | 'effectiveFrom'>,
  versions: readonly ScoringRules[],
  now: string,
): RulesState {
  const { version, effectiveFrom } = rules;
  if (![DEFAULT_SCORING_RULES, ...versions].some((known) => known.version === version)) return 'WITHDRAWN';
  if (rulesAt(versions, now).version === version) return 'IN_FORCE';
  const isNext = effectiveFrom !== null && rulesAt(versions, effectiveFrom).version === version;
  return isNext && isAhead(rules, now) ? 'SCHEDULED' : 'REPLACED';
}

interface PublishedRules extends Pick<ScoringRules, 'version' | 'effectiveFrom'> {
  readonly publishedAt: string | null;
  readonly state: RulesState;
}

/** Whether the rules ever apply: not if they were withdrawn, or replaced before they took effect. */
export function takesEffect(rules: PublishedRules, versions: readonly PublishedRules[]): boolean {
  const { version, effectiveFrom: moment, state } = rules;
  if (state === 'WITHDRAWN') return false;
  return !versions.some(
    (other) =>
      moment !== null &&
      other.version > version &&
      other.state !== 'WITHDRAWN' &&
      other.publishedAt !== null &&
      Date.parse(other.publishedAt) < Date.parse(moment) &&
      covers(other, moment),
  );
}

/** Number of the last version, 1 for the default rules. */
export const latestVersion = (versions: readonly ScoringRules[]): number =>
  (versions.at(-1) ?? DEFAULT_SCORING_RULES).version;
