import type { ScoringRules, ScoringRulesPublished } from '../events.js';

export type ScoringRulesEvent = ScoringRulesPublished;
/** Every version that was published, in order. */
export type ScoringRulesState = { readonly versions: readonly ScoringRules[] };

export const initialScoringRules: ScoringRulesState = { versions: [] };

export const evolveScoringRules = (
  state: ScoringRulesState,
  event: ScoringRulesEvent,
): ScoringRulesState => ({
  versions: [...state.versions, event.data],
});
