import { requireModeratorOf, type ActingStudent } from '../authority.js';
import type { Decider } from '../decider.js';
import { DomainError } from '../errors.js';
import type { PatternVerdict, TriageEvent, VotePatternTriaged } from './triage.events.js';

/** `revision` counts how often the pattern was triaged. */
export type TriageState = { readonly revision: number };

export const triageDecider: Decider<TriageState, TriageEvent, [spaceId: string, patternId: string]> = {
  stream: (spaceId, patternId) => `pattern-${spaceId}-${patternId}`,
  initial: { revision: 0 },
  evolve: ({ revision }) => ({ revision: revision + 1 }),
};

export interface TriagePattern {
  readonly actor: ActingStudent;
  readonly spaceId: string;
  readonly pattern: Pick<VotePatternTriaged['data'], 'patternId' | 'kind' | 'voteCount' | 'studentIds'>;
  readonly verdict: PatternVerdict;
  /** The pattern as shown to the moderator. */
  readonly seen: { readonly revision: number; readonly voteCount: number };
}

/**
 * By moderators of the space who are not part of the pattern.
 * @throws DomainError FORBIDDEN, OWN_VOTES_CASE, PATTERN_TRIAGED if someone else was first, PATTERN_CHANGED
 */
export const triagePattern = (
  { actor, spaceId, pattern, verdict, seen }: TriagePattern,
  { revision }: TriageState,
): readonly VotePatternTriaged[] => {
  requireModeratorOf(actor, spaceId);
  if (pattern.studentIds.includes(actor.studentId)) throw new DomainError('OWN_VOTES_CASE');
  if (seen.revision !== revision) throw new DomainError('PATTERN_TRIAGED');
  if (seen.voteCount !== pattern.voteCount) throw new DomainError('PATTERN_CHANGED');
  return [
    {
      type: 'VotePatternTriaged',
      data: { ...pattern, spaceId, verdict, moderatorId: actor.studentId },
    },
  ];
};
