import {
  type Columns,
  typedColumn,
  type Projected,
  type Projection,
  type RowOf,
  type Table,
} from '../projection.js';

export interface StudentNote {
  readonly noteId: string;
  readonly spaceId: string;
  readonly authorId: string;
  readonly text: string;
  readonly writtenAt: string;
}

const COLUMNS = {
  student_id: { type: 'text' },
  /** Notes in all spaces, oldest first. One row per student, since an erasure names only the student. */
  notes: typedColumn<readonly StudentNote[]>('jsonb'),
} as const satisfies Columns;

type StudentNotesRow = RowOf<typeof COLUMNS>;

const ofStudent = ({
  data,
}: Projected<'StudentNoteWritten' | 'StudentNoteRemoved' | 'StudentErased'>): readonly [string][] => [
  [data.studentId],
];
const without = (row: StudentNotesRow | undefined, removed: string): readonly StudentNote[] =>
  row?.notes.filter(({ noteId }) => noteId !== removed) ?? [];

const studentNotes: Table<StudentNotesRow> = {
  name: 'student_notes',
  columns: COLUMNS,
  key: ['student_id'],
  on: {
    StudentNoteWritten: {
      keys: ofStudent,
      fold: (row, { data, metadata }) => {
        const { noteId, spaceId, studentId, authorId, text } = data;
        if (text === null) return row;
        const note: StudentNote = { noteId, spaceId, authorId, text, writtenAt: metadata.occurredAt };
        return { student_id: studentId, notes: [...without(row, noteId), note] };
      },
    },
    StudentNoteRemoved: {
      keys: ofStudent,
      change: (row, { data }) => {
        const notes = without(row, data.noteId);
        return notes.length === 0 ? undefined : { ...row, notes };
      },
    },
    StudentErased: { keys: ofStudent, change: () => undefined },
  },
};

/** Moderators' notes on students. */
export const notesProjection = {
  name: 'notes',
  purpose: 'Moderators’ notes on students',
  version: 1,
  tables: [studentNotes],
} as const satisfies Projection;
