import { isMaintainer, isModeratorOf, requireActive, type ActingStudent } from '../authority.js';
import type { Decider } from '../decider.js';
import { DomainError, unreachable } from '../errors.js';
import type { NoteEvent, StudentNoteRemoved, StudentNoteWritten } from '../events.js';
import { requireText } from '../validation/content.js';

/** Of one student in one space. */
export const MAX_NOTES = 20;
export const MAX_NOTE_LENGTH = 1000;

/** By id, who wrote each that stands. */
export type NotesState = ReadonlyMap<string, string>;

export const noteDecider: Decider<NotesState, NoteEvent, [spaceId: string, studentId: string]> = {
  stream: (spaceId, studentId) => `note-${spaceId}-${studentId}`,
  initial: new Map(),
  evolve: (state, event) => {
    const { noteId } = event.data;
    switch (event.type) {
      case 'StudentNoteWritten':
        return new Map([...state, [noteId, event.data.authorId]]);
      case 'StudentNoteRemoved':
        return new Map([...state].filter(([id]) => id !== noteId));
      default:
        return unreachable(event);
    }
  },
};

interface AboutStudent {
  readonly by: ActingStudent;
  readonly spaceId: string;
  readonly studentId: string;
}

/**
 * Those who moderate the space, and maintainers. Nobody on oneself: it would not be written.
 * @throws DomainError FORBIDDEN, NOTE_ON_ONESELF, STUDENT_BLOCKED, NOT_REGISTERED
 */
export const requireNoteReader = ({ by, spaceId, studentId }: AboutStudent): void => {
  requireActive(by);
  if (!isModeratorOf(by, spaceId) && !isMaintainer(by)) throw new DomainError('FORBIDDEN');
  if (by.studentId === studentId) throw new DomainError('NOTE_ON_ONESELF');
};

export const writeNote = (
  command: AboutStudent & { readonly noteId: string; readonly text: string },
  state: NotesState,
): readonly StudentNoteWritten[] => {
  requireNoteReader(command);
  const { by, noteId, spaceId, studentId } = command;
  const rule = { max: MAX_NOTE_LENGTH, missing: 'NOTE_REQUIRED', tooLong: 'NOTE_TOO_LONG' } as const;
  const text = requireText(command.text, rule);
  if (state.size >= MAX_NOTES) throw new DomainError('TOO_MANY_NOTES', { max: MAX_NOTES });
  return [{ type: 'StudentNoteWritten', data: { noteId, spaceId, studentId, authorId: by.studentId, text } }];
};

/** By whoever wrote it, and maintainers. One that does not stand is removed already. */
export const removeNote = (
  command: AboutStudent & { readonly noteId: string },
  state: NotesState,
): readonly StudentNoteRemoved[] => {
  requireNoteReader(command);
  const { by, noteId, spaceId, studentId } = command;
  const authorId = state.get(noteId);
  if (authorId === undefined) return [];
  if (authorId !== by.studentId && !isMaintainer(by)) throw new DomainError('FORBIDDEN');
  return [{ type: 'StudentNoteRemoved', data: { noteId, spaceId, studentId } }];
};
