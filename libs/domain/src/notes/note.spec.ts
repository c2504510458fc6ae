import { describe, it } from '@jest/globals';
import type { ActingStudent } from '../authority.js';
import type { NoteEvent, StudentNoteRemoved, StudentNoteWritten } from '../events.js';
import { newActor, newId, newMaintainer, newModerator } from '../testing/builders.js';
import { given } from '../testing/given-when-then.js';
import { MAX_NOTE_LENGTH, noteDecider, MAX_NOTES, removeNote, writeNote } from './note.decide.js';

const [spaceId, studentId, noteId] = [newId(), newId(), newId()];
const moderator = newModerator(spaceId);
const written = (by = moderator, id = noteId, text = 'Spams'): StudentNoteWritten => ({
  type: 'StudentNoteWritten',
  data: { noteId: id, spaceId, studentId, authorId: by.studentId, text },
});
const removed: StudentNoteRemoved = { type: 'StudentNoteRemoved', data: { noteId, spaceId, studentId } };

const writing = (by: ActingStudent, text = 'Spams', ...past: NoteEvent[]) =>
  given(noteDecider, ...past).when((s) => writeNote({ by, spaceId, studentId, noteId, text }, s));
const removing = (by: ActingStudent, ...past: NoteEvent[]) =>
  given(noteDecider, ...past).when((s) => removeNote({ by, spaceId, studentId, noteId }, s));
const full = Array.from({ length: MAX_NOTES }, () => written(moderator, newId()));

describe('notes about a student', () => {
  it('are written by moderators of the space and maintainers', () => {
    for (const by of [moderator, newModerator(), newMaintainer()]) writing(by).then(written(by));
    for (const by of [newActor(), newModerator(newId())]) writing(by).thenRefused('FORBIDDEN');
    writing({ ...moderator, blocked: true }).thenRefused('STUDENT_BLOCKED');
  });
  it('are never about the author', () => {
    const self = { ...moderator, studentId };
    writing(self).thenRefused('NOTE_ON_ONESELF');
    removing(self, written()).thenRefused('NOTE_ON_ONESELF');
  });
  it('require a text of limited length', () => {
    writing(moderator, ' Spa\u202ems\u0007\n').then(written());
    for (const blank of [' \u200b', '\u0301']) writing(moderator, blank).thenRefused('NOTE_REQUIRED');
    writing(moderator, 'x'.repeat(MAX_NOTE_LENGTH)).then(
      written(moderator, noteId, 'x'.repeat(MAX_NOTE_LENGTH)),
    );
    writing(moderator, 'x'.repeat(MAX_NOTE_LENGTH + 1)).thenRefused('NOTE_TOO_LONG');
  });
  it(`are limited to ${MAX_NOTES} per student and space`, () => {
    writing(moderator, 'Spams', ...full).thenRefused('TOO_MANY_NOTES');
    const gone = { ...removed, data: { ...removed.data, noteId: full[0]?.data.noteId ?? '' } };
    writing(moderator, 'Spams', ...full, gone).then(written());
  });
  it('are removed once, by the author or a maintainer', () => {
    for (const by of [moderator, newMaintainer()]) {
      removing(by, written()).then(removed);
      removing(by, written(), removed).thenNothingHappens();
    }
    removing(newModerator(spaceId), written()).thenRefused('FORBIDDEN');
    removing(moderator).thenNothingHappens();
  });
});
