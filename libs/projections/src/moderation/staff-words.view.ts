/** SQL: what staff wrote in the event of that ordinal about that student; null where they wrote nothing, or the student is erased. */
export const staffWordsOf = (studentId: string, ordinal: string): string =>
  `(select w.texts ->> ${ordinal}::text from read.staff_words w where w.student_id = ${studentId})`;
