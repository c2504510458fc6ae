import { unreachable } from '../errors.js';
import type { QuestionSaved, QuestionUnsaved } from '../events.js';

export type BookmarkEvent = QuestionSaved | QuestionUnsaved;
export type BookmarkState = { readonly saved: boolean };

export const initialBookmark: BookmarkState = { saved: false };

export const evolveBookmark = (_: BookmarkState, event: BookmarkEvent): BookmarkState => {
  switch (event.type) {
    case 'QuestionSaved':
      return { saved: true };
    case 'QuestionUnsaved':
      return { saved: false };
    default:
      return unreachable(event);
  }
};
