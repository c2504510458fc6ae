import { type DomainEvent, fold, type ScoringRules, scoringRulesDecider } from '@nimo/domain';

/** Rule versions that were published and not withdrawn, by the domain's fold. */
export const standingRules = (events: readonly DomainEvent[]): readonly ScoringRules[] =>
  fold(
    scoringRulesDecider,
    events.flatMap((event) =>
      event.type === 'ScoringRulesPublished' || event.type === 'ScoringRulesWithdrawn' ? [event] : [],
    ),
  ).versions;
