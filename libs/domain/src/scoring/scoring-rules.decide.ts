import type { Decider } from '../decider.js';
import type {
  ScoringRules,
  ScoringRulesEvent,
  ScoringRulesPublished,
  ScoringRulesWithdrawn,
} from '../events.js';
import { SCORING_RULES_STREAM } from '../stream-ids.js';
import { DEFAULT_SCORING_RULES, isAhead, latestVersion } from './scoring-rules.js';
import { type Authority, requireMaintainer } from '../authority.js';
import { DomainError } from '../errors.js';
import { MAX_SCORING_NOTE_LENGTH } from '../limits.js';
import { requireText } from '../validation/content.js';
import { requireScoringRules } from './scoring-rules.check.js';

export type ScoringRulesState = {
  /** Published versions that were not withdrawn, in order. */
  readonly versions: readonly ScoringRules[];
  /** Highest number so far. Numbers of withdrawn versions are not reused. */
  readonly lastNumber: number;
};

export const scoringRulesDecider: Decider<ScoringRulesState, ScoringRulesEvent, []> = {
  stream: () => SCORING_RULES_STREAM,
  initial: { versions: [], lastNumber: DEFAULT_SCORING_RULES.version },
  evolve: (state, { type, data }) =>
    type === 'ScoringRulesPublished'
      ? { versions: [...state.versions, data], lastNumber: data.version }
      : { ...state, versions: state.versions.filter(({ version }) => version !== data.version) },
};

export type PublishScoringRules = {
  readonly by: Authority;
  /** Latest version when these rules were drafted, for optimistic concurrency. */
  readonly basedOn: number;
  readonly now: string;
} & Omit<ScoringRules, 'version'>;

export const publishScoringRules = (
  { by, basedOn, now, ...input }: PublishScoringRules,
  state: ScoringRulesState,
): readonly ScoringRulesPublished[] => {
  requireMaintainer(by);
  const rules = requireScoringRules(input, { now });
  const [max, invalid] = [MAX_SCORING_NOTE_LENGTH, 'SCORING_NOTE_INVALID'] as const;
  const note = requireText(input.note, { max, missing: invalid, tooLong: invalid });
  const latest = latestVersion(state.versions);
  if (basedOn !== latest) throw new DomainError('SCORING_RULES_OUTDATED', { version: latest, basedOn });
  return [
    {
      type: 'ScoringRulesPublished',
      data: { version: state.lastNumber + 1, ...rules, note },
    },
  ];
};

export type WithdrawScoringRules = {
  readonly by: Authority;
  readonly version: number;
  readonly reason: string;
  readonly now: string;
};

/** Only before the version takes effect. Afterwards, publish a new version. */
export const withdrawScoringRules = (
  { by, version, reason: input, now }: WithdrawScoringRules,
  { versions, lastNumber }: ScoringRulesState,
): readonly ScoringRulesWithdrawn[] => {
  requireMaintainer(by);
  const [max, invalid] = [MAX_SCORING_NOTE_LENGTH, 'SCORING_REASON_INVALID'] as const;
  const reason = requireText(input, { max, missing: invalid, tooLong: invalid });
  if (version < 1 || version > lastNumber) throw new DomainError('SCORING_VERSION_NOT_FOUND');
  const rules = versions.find((known) => known.version === version);
  if (!rules || !isAhead(rules, now)) throw new DomainError('SCORING_VERSION_NOT_SCHEDULED', { version });
  return [{ type: 'ScoringRulesWithdrawn', data: { version, reason } }];
};
