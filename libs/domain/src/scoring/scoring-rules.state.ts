import type { Decider } from '../decider.js';
import type { ScoringRules, ScoringRulesEvent } from '../events.js';
import { SCORING_RULES_STREAM } from '../stream-ids.js';

/** Every version that was published, in order. */
export type ScoringRulesState = { readonly versions: readonly ScoringRules[] };

export const scoringRulesDecider: Decider<ScoringRulesState, ScoringRulesEvent, []> = {
  stream: () => SCORING_RULES_STREAM,
  initial: { versions: [] },
  evolve: (state, event) => ({
    versions: [...state.versions, event.data],
  }),
};
