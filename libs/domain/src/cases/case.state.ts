import type { Decider } from '../decider.js';
import { unreachable } from '../errors.js';
import type { CaseEvent, VotesInvalidated } from '../events.js';
import { caseStream } from '../stream-ids.js';

export type CaseState =
  | { readonly invalidation: VotesInvalidated['data']; readonly reversed: boolean }
  | undefined;

export const caseDecider: Decider<CaseState, CaseEvent, [caseId: string]> = {
  stream: caseStream,
  initial: undefined,
  evolve: (state, event) => {
    switch (event.type) {
      case 'VotesInvalidated':
        return { invalidation: event.data, reversed: false };
      case 'InvalidationReversed':
        return state && { ...state, reversed: true };
      default:
        return unreachable(event);
    }
  },
};
