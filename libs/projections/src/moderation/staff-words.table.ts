import {
  type Columns,
  type Handler,
  holding,
  type Key,
  type Projected,
  type ProjectedEvent,
  type RowOf,
  type Table,
} from '../projection.js';

/** SQL: what staff wrote in the event of that ordinal about that student; null where they wrote nothing, or the student is erased. */
export const staffWordsOf = (studentId: string, ordinal: string): string =>
  `(select w.texts ->> ${ordinal}::text from read.staff_words w where w.student_id = ${studentId})`;

const COLUMNS = {
  student_id: { type: 'text' },
  is_erased: { type: 'boolean' },
  /** By the ordinal of the event. Staff act on one student a few dozen times. */
  texts: holding<Readonly<Record<string, string>>>('jsonb'),
} as const satisfies Columns;

/**
 * What staff wrote about a student, and nowhere else on the read side: an erasure names nothing but the student. Of whoever is erased
 * nothing is kept any more, whichever comes first.
 */
type StaffWordsRow = RowOf<typeof COLUMNS>;

const writing = <E extends ProjectedEvent>(
  wordsIn: (event: E) => { readonly about: string; readonly text: string | null | undefined },
): Handler<StaffWordsRow, E> => ({
  keys(event) {
    const { about, text } = wordsIn(event);
    return text ? [[about]] : [];
  },
  fold(row, event, [studentId]) {
    const { text } = wordsIn(event);
    if (!text || row?.is_erased) return row;
    return {
      student_id: String(studentId),
      is_erased: false,
      texts: { ...row?.texts, [event.ordinal]: text },
    };
  },
});

type OfStudent = Projected<
  'StudentBlocked' | 'StudentUnblocked' | 'SecondFactorReset' | 'MemberSuspended' | 'SuspensionLifted'
>;
const ofStudent = writing<OfStudent>(({ data }) => ({ about: data.studentId, text: data.reason }));

type Ruling = Projected<'ReportsUpheld' | 'ReportsDismissed' | 'UpholdingReversed'>;
const ofRuling = writing<Ruling>(({ data }) => ({ about: data.postAuthorId, text: data.reason }));

type Deletion = Projected<'QuestionDeleted' | 'AnswerDeleted' | 'CommentDeleted'>;
const ofDeletion = writing<Deletion>(({ data }) => ({ about: data.authorId, text: data.reason }));

export const staffWords: Table<StaffWordsRow> = {
  name: 'staff_words',
  columns: COLUMNS,
  key: ['student_id'],
  on: {
    StudentBlocked: ofStudent,
    StudentUnblocked: ofStudent,
    SecondFactorReset: ofStudent,
    MemberSuspended: ofStudent,
    SuspensionLifted: ofStudent,
    ReportsUpheld: ofRuling,
    ReportsDismissed: ofRuling,
    UpholdingReversed: ofRuling,
    ReportsHandedOver: writing(({ data }) => ({ about: data.postAuthorId, text: data.note })),
    QuestionDeleted: ofDeletion,
    AnswerDeleted: ofDeletion,
    CommentDeleted: ofDeletion,
    StudentErased: {
      keys: ({ data }): readonly Key[] => [[data.studentId]],
      fold: (_, { data }) => ({ student_id: data.studentId, is_erased: true, texts: {} }),
    },
  },
};
