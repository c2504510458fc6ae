import type { Decider } from '../decider.js';
import { unreachable } from '../errors.js';
import type { BookmarkEvent } from '../events.js';
import { bookmarkStream } from '../stream-ids.js';

export type BookmarkState = { readonly saved: boolean };

export const bookmarkDecider: Decider<BookmarkState, BookmarkEvent, [questionId: string, studentId: string]> =
  {
    stream: bookmarkStream,
    initial: { saved: false },
    evolve: (_, event) => {
      switch (event.type) {
        case 'QuestionSaved':
          return { saved: true };
        case 'QuestionUnsaved':
          return { saved: false };
        default:
          return unreachable(event);
      }
    },
    snapshot: 'bookmark 1',
  };
