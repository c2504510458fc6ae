import { unreachable } from '../errors.js';
import type { InvalidationReversed, VotesInvalidated } from '../events.js';

export type CaseEvent = VotesInvalidated | InvalidationReversed;
export type CaseState =
  { readonly invalidation: VotesInvalidated['data']; readonly reversed: boolean } | undefined;

export const initialCase: CaseState = undefined;

export const evolveCase = (state: CaseState, event: CaseEvent): CaseState => {
  switch (event.type) {
    case 'VotesInvalidated':
      return { invalidation: event.data, reversed: false };
    case 'InvalidationReversed':
      return state && { ...state, reversed: true };
    default:
      return unreachable(event);
  }
};
