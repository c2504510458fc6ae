import type { Decider } from '../decider.js';
import type { ScoringRules, ScoringRulesEvent } from '../events.js';
import { SCORING_RULES_STREAM } from '../stream-ids.js';
import { DEFAULT_SCORING_RULES } from './scoring-rules.js';

export type ScoringRulesState = {
  /** Every published version that was not withdrawn, in order. */
  readonly versions: readonly ScoringRules[];
  /** The highest number given so far: that of a withdrawn version is not used again. */
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
