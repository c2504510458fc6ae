import type { Pool } from 'pg';

/** Part of the community that measurements use. */
export interface Cast {
  readonly spaceId: string;
  readonly subjectId: string;
  readonly topic: { readonly topicId: string; readonly subjectId: string; readonly topicName: string };
  readonly students: readonly string[];
  /** From all years. */
  readonly questions: readonly { readonly questionId: string; readonly authorId: string }[];
}

const MAX_QUESTIONS = 4000;
const MAX_STUDENTS = 500;

export async function loadCast(pool: Pool): Promise<Cast> {
  const { rows: topics } = await pool.query<{
    space_id: string;
    subject_id: string;
    topic_id: string;
    topic_name: string;
  }>('select space_id, subject_id, topic_id, topic_name from read.topics order by topic_name limit 1');
  const [topic] = topics;
  if (!topic) throw new Error('the community has no topic');
  // Ordered by hash: evenly spread, and the same in each run.
  const { rows: students } = await pool.query<{ student_id: string }>(
    `select student_id from read.students order by md5(student_id) limit ${MAX_STUDENTS}`,
  );
  const { rows: questions } = await pool.query<{ question_id: string; author_id: string }>(
    `select question_id, author_id from read.questions
     where not is_removed order by md5(question_id) limit ${MAX_QUESTIONS}`,
  );
  return {
    spaceId: topic.space_id,
    subjectId: topic.subject_id,
    topic: { topicId: topic.topic_id, subjectId: topic.subject_id, topicName: topic.topic_name },
    students: students.map((row) => row.student_id),
    questions: questions.map((row) => ({ questionId: row.question_id, authorId: row.author_id })),
  };
}
