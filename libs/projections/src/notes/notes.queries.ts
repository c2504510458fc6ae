import type { Queryable } from '../queryable.js';
import { type AuthorView, findAuthorsByIds } from '../students/students.queries.js';
import type { StudentNote } from './notes.projection.js';

export interface StudentNoteView {
  readonly _id: string;
  readonly text: string;
  readonly writtenAt: string;
  /** Null if erased. */
  readonly author: AuthorView | null;
}

/** Notes on a student in a space, newest first. The caller checks access. */
export async function findNotesOn(
  db: Queryable,
  { studentId, spaceId }: { readonly studentId: string; readonly spaceId: string },
): Promise<StudentNoteView[]> {
  const { rows } = await db.query<{ notes: readonly StudentNote[] }>({
    name: 'notes-on-student',
    text: 'select notes from read.student_notes where student_id = $1',
    values: [studentId],
  });
  const notes = rows
    .flatMap((row) => row.notes)
    .filter((note) => note.spaceId === spaceId)
    .reverse();
  const authors = await findAuthorsByIds(
    db,
    notes.map(({ authorId }) => authorId),
  );
  return notes.map(({ noteId, text, writtenAt }, place) => ({
    _id: noteId,
    text,
    writtenAt,
    author: authors[place] ?? null,
  }));
}
