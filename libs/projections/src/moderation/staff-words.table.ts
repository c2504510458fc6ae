import {
  type Columns,
  type Handler,
  typedColumn,
  type Key,
  type Projected,
  type ProjectedEvent,
  type RowOf,
  type Table,
} from '../projection.js';

/** SQL for the text staff wrote about the student in the event with that ordinal; null if there is none or the student is erased. */
export const staffWordsOf = (studentId: string, ordinal: string): string =>
  `(select w.texts ->> ${ordinal}::text from read.staff_words w where w.student_id = ${studentId})`;

const COLUMNS = {
  student_id: { type: 'text' },
  is_erased: { type: 'boolean' },
  /** Texts by the ordinal of the event; a few dozen per student, and one per post of a removal. */
  texts: typedColumn<Readonly<Record<string, string>>>('jsonb'),
} as const satisfies Columns;

/**
 * Texts staff wrote about a student. No other table has them, since an erasure names only the student. After an erasure, no further
 * texts are stored.
 */
type StaffWordsRow = RowOf<typeof COLUMNS>;

const recordText = <E extends ProjectedEvent>(
  textIn: (event: E) => { readonly about: string; readonly text: string | null | undefined },
): Handler<StaffWordsRow, E> => ({
  keys(event) {
    const { about, text } = textIn(event);
    return text ? [[about]] : [];
  },
  fold(row, event, [studentId]) {
    const { text } = textIn(event);
    if (!text || row?.is_erased) return row;
    return {
      student_id: String(studentId),
      is_erased: false,
      texts: { ...row?.texts, [event.ordinal]: text },
    };
  },
});

type OfStudent = Projected<
  | 'StudentBlocked'
  | 'StudentUnblocked'
  | 'SecondFactorReset'
  | 'MemberSuspended'
  | 'SuspensionLifted'
  | 'EntryRequestRefused'
  | 'MemberRemoved'
  | 'ErasureAsked'
>;
const ofStudent = recordText<OfStudent>(({ data }) => ({ about: data.studentId, text: data.reason }));

type Ruling = Projected<'ReportsUpheld' | 'ReportsDismissed' | 'UpholdingReversed'>;
const ofRuling = recordText<Ruling>(({ data }) => ({ about: data.postAuthorId, text: data.reason }));

const ofRemoval = recordText<Projected<'PostsRemoved' | 'PostsRestored'>>(({ data }) => ({
  about: data.authorId,
  text: data.reason,
}));

type Deletion = Projected<'QuestionDeleted' | 'AnswerDeleted' | 'CommentDeleted'>;
const ofDeletion = recordText<Deletion>(({ data }) => ({ about: data.authorId, text: data.reason }));

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
    EntryRequestRefused: ofStudent,
    MemberRemoved: ofStudent,
    ErasureAsked: ofStudent,
    ReportsUpheld: ofRuling,
    ReportsDismissed: ofRuling,
    UpholdingReversed: ofRuling,
    MemberWarned: recordText(({ data }) => ({ about: data.studentId, text: data.text })),
    ReportsHandedOver: recordText(({ data }) => ({ about: data.postAuthorId, text: data.note })),
    PostsRemoved: ofRemoval,
    PostsRestored: ofRemoval,
    QuestionDeleted: ofDeletion,
    AnswerDeleted: ofDeletion,
    CommentDeleted: ofDeletion,
    StudentErased: {
      keys: ({ data }): readonly Key[] => [[data.studentId]],
      fold: (_, { data }) => ({ student_id: data.studentId, is_erased: true, texts: {} }),
    },
  },
};
