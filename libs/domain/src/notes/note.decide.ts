import { isMaintainer, isModeratorOf, requireActive, type ActingStudent } from '../authority.js';
import type { Decider } from '../decider.js';
import { DomainError, unreachable } from '../errors.js';
import type { NoteEvent, StudentNoteRemoved, StudentNoteWritten } from '../events.js';
import { requireText } from '../validation/content.js';

/** Per student and space. */
export const MAX_NOTES = 20;
export const MAX_NOTE_LENGTH = 1000;

/** Authors of the existing notes, by note ID. */
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

interface NoteCommand {
  readonly by: ActingStudent;
  readonly spaceId: string;
  readonly studentId: string;
}

/**
 * Allows moderators of the space and maintainers, except for notes about themselves.
 * @throws DomainError FORBIDDEN, NOTE_ON_ONESELF, STUDENT_BLOCKED, NOT_REGISTERED
 */
export const requireNoteReader = ({ by, spaceId, studentId }: NoteCommand): void => {
  requireActive(by);
  if (!isModeratorOf(by, spaceId) && !isMaintainer(by)) throw new DomainError('FORBIDDEN');
  if (by.studentId === studentId) throw new DomainError('NOTE_ON_ONESELF');
};

export const writeNote = (
  command: NoteCommand & { readonly noteId: string; readonly text: string },
  state: NotesState,
): readonly StudentNoteWritten[] => {
  requireNoteReader(command);
  const { by, noteId, spaceId, studentId } = command;
  const rule = { max: MAX_NOTE_LENGTH, missing: 'NOTE_REQUIRED', tooLong: 'NOTE_TOO_LONG' } as const;
  const text = requireText(command.text, rule);
  if (state.size >= MAX_NOTES) throw new DomainError('TOO_MANY_NOTES', { max: MAX_NOTES });
  return [{ type: 'StudentNoteWritten', data: { noteId, spaceId, studentId, authorId: by.studentId, text } }];
};

/** By the author and maintainers. Idempotent. */
export const removeNote = (
  command: NoteCommand & { readonly noteId: string },
  state: NotesState,
): readonly StudentNoteRemoved[] => {
  requireNoteReader(command);
  const { by, noteId, spaceId, studentId } = command;
  const authorId = state.get(noteId);
  if (authorId === undefined) return [];
  if (authorId !== by.studentId && !isMaintainer(by)) throw new DomainError('FORBIDDEN');
  return [{ type: 'StudentNoteRemoved', data: { noteId, spaceId, studentId } }];
};
