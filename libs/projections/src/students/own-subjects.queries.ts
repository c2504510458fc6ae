import type { Queryable } from '../queryable.js';

/** How many of each kind are told of, the most first. */
export const OWN_SUBJECTS_MAX = 5;

export interface OwnSubjectsView {
  /** In which the student asked and answered most. */
  readonly favouriteSubjects: readonly string[];
  /** In which most of the student's own questions stand unsolved. */
  readonly troublingSubjects: readonly string[];
  readonly troublingTopics: readonly string[];
}

interface CountedRow {
  list: keyof OwnSubjectsView;
  id: string;
}

/** What the student's posts, as far as they stand, say of subjects and topics. Of equals the one with the latest post comes first. */
export async function findOwnSubjects(db: Queryable, studentId: string): Promise<OwnSubjectsView> {
  const { rows } = await db.query<CountedRow>({
    name: 'own-subjects',
    text: `
      with own as (
        select q.subject_id, q.topic_id, q.created_at, q.accepted_answer_id is null as is_unsolved
        from read.questions q where q.author_id = $1 and not q.is_removed
        union all
        select q.subject_id, q.topic_id, x.created_at, false
        from read.answers x join read.questions q on q.question_id = x.question_id and not q.is_removed
        where x.author_id = $1 and not x.is_removed
      ), counted as (
        select 'favouriteSubjects' as list, subject_id as id, count(*) as posts, max(created_at) as latest
        from own group by subject_id
        union all
        select 'troublingSubjects', subject_id, count(*), max(created_at) from own where is_unsolved group by subject_id
        union all
        select 'troublingTopics', topic_id, count(*), max(created_at) from own where is_unsolved group by topic_id
      ), ranked as (
        select list, id, row_number() over (partition by list order by posts desc, latest desc, id) as place from counted
      )
      select list, id from ranked where place <= ${OWN_SUBJECTS_MAX} order by list, place`,
    values: [studentId],
  });
  const of = (wanted: CountedRow['list']) => rows.filter(({ list }) => list === wanted).map(({ id }) => id);
  return {
    favouriteSubjects: of('favouriteSubjects'),
    troublingSubjects: of('troublingSubjects'),
    troublingTopics: of('troublingTopics'),
  };
}
