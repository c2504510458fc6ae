import { OWN_ACTION } from '../audit.js';
import { slice } from '../vocabulary.js';

// Streams: `bookmark-<questionId>-<studentId>`.

export type QuestionSaved = {
  readonly type: 'QuestionSaved';
  readonly data: { readonly questionId: string; readonly spaceId: string; readonly studentId: string };
};
export type QuestionUnsaved = {
  readonly type: 'QuestionUnsaved';
  readonly data: { readonly questionId: string; readonly spaceId: string; readonly studentId: string };
};
export type BookmarkEvent = QuestionSaved | QuestionUnsaved;

const bookmark = { questionId: 'question-1', spaceId: 'space-1', studentId: 'student-2' };

export const bookmarkEvents = slice<BookmarkEvent>()({
  streams: ['bookmark-'],
  events: {
    QuestionSaved: {
      example: bookmark,
      audit: OWN_ACTION,
    },
    QuestionUnsaved: {
      example: bookmark,
      audit: OWN_ACTION,
    },
  },
});
