import { auditedAction } from '../audit.js';
import { slice } from '../vocabulary.js';

// Streams: `note-<spaceId>-<studentId>`.

/** A staff note about a student in a space. */
export type StudentNoteWritten = {
  readonly type: 'StudentNoteWritten';
  readonly data: {
    readonly noteId: string;
    readonly spaceId: string;
    /** Subject of the note. */
    readonly studentId: string;
    readonly authorId: string;
    /** Null once the student is erased. */
    readonly text: string | null;
  };
};
export type StudentNoteRemoved = {
  readonly type: 'StudentNoteRemoved';
  readonly data: { readonly noteId: string; readonly spaceId: string; readonly studentId: string };
};
export type NoteEvent = StudentNoteWritten | StudentNoteRemoved;

const note = { noteId: 'note-1', spaceId: 'space-1', studentId: 'student-1' };
/** Leaves the text out, because audit rows outlive an erasure. */
const audit = {
  ...auditedAction(({ spaceId, studentId }: NoteEvent['data']) => ({ spaceId, receiverId: studentId })),
  notForReceiver: true,
} as const;

export const noteEvents = slice<NoteEvent>()({
  streams: ['note-'],
  errors: {
    NOTE_REQUIRED: { category: 'VALIDATION', field: 'text', message: 'Please write a note.' },
    NOTE_TOO_LONG: {
      category: 'VALIDATION',
      field: 'text',
      message: 'Notes can’t be longer than {max} characters.',
    },
    TOO_MANY_NOTES: {
      category: 'CONFLICT',
      message: 'A student can have at most {max} notes. Remove an outdated one first.',
    },
    NOTE_ON_ONESELF: { category: 'FORBIDDEN', message: 'You can’t read or write notes about yourself.' },
  },
  events: {
    StudentNoteWritten: {
      example: { ...note, authorId: 'student-9', text: 'Asks homework questions in bulk' },
      sealed: [{ of: 'studentId', with: 'identity', gone: { text: null } }],
      audit,
    },
    StudentNoteRemoved: { example: note, audit },
  },
});
