import type { Queryable } from '../queryable.js';
import { ALL } from '../totals.js';
import type { SubjectView } from '../spaces/spaces.queries.js';

export interface StatisticsOptions {
  readonly spaceId: string;
  /** First and last day, YYYY-MM-DD in UTC. */
  readonly from: string;
  readonly to: string;
  /** All subjects if empty. */
  readonly subjectIds?: readonly string[] | undefined;
}

export interface WorkloadDayView {
  readonly day: string;
  readonly questions: number;
  readonly answers: number;
}

/** Solved questions of a subject, and the time to the first answer. */
export interface SubjectClarityView {
  readonly subject: SubjectView;
  readonly questions: number;
  readonly solved: number;
  readonly unsolved: number;
  readonly withinHour: number;
  readonly withinDay: number;
  readonly withinWeek: number;
  readonly later: number;
  readonly unanswered: number;
}

const RANGE = `d.space_id = $1 and d.day between $2 and $3 and ($4::text[] is null or d.subject_id = any($4::text[]))`;

const valuesOf = ({ spaceId, from, to, subjectIds }: StatisticsOptions) => [
  spaceId,
  from,
  to,
  subjectIds?.length ? subjectIds : null,
];

/** Days with questions or answers, in order. */
export async function listWorkload(db: Queryable, options: StatisticsOptions): Promise<WorkloadDayView[]> {
  const { rows } = await db.query<WorkloadDayView>({
    name: 'workload',
    text: `select d.day, sum(d.questions)::int as questions, sum(d.answers)::int as answers
           from read.activity_days d where ${RANGE} group by d.day
           having sum(d.questions) > 0 or sum(d.answers) > 0 order by d.day`,
    values: valuesOf(options),
  });
  return rows;
}

type ClarityRow = Omit<SubjectClarityView, 'subject'> & SubjectView;

/** Subjects with questions, lowest solved share first. */
export async function listSubjectClarity(
  db: Queryable,
  options: StatisticsOptions,
): Promise<SubjectClarityView[]> {
  const { rows } = await db.query<ClarityRow>({
    name: 'subject-clarity',
    text: `
      select s.subject_id as "_id", s.subject_name as "subjectName", s.color, c.questions, c.solved,
        c.questions - c.solved as unsolved, c.within_hour as "withinHour", c.within_day as "withinDay",
        c.within_week as "withinWeek", c.later,
        c.questions - c.within_hour - c.within_day - c.within_week - c.later as unanswered
      from (
        select d.subject_id, sum(d.questions)::int as questions, sum(d.solved)::int as solved,
          sum(d.within_hour)::int as within_hour, sum(d.within_day)::int as within_day,
          sum(d.within_week)::int as within_week, sum(d.later)::int as later
        from read.activity_days d where ${RANGE} group by d.subject_id having sum(d.questions) > 0
      ) c join read.subjects s on s.subject_id = c.subject_id
      order by c.solved::float / c.questions, s.subject_name, s.subject_id`,
    values: valuesOf(options),
  });
  return rows.map(({ _id, subjectName, color, ...counts }) => ({
    subject: { _id, subjectName, color },
    ...counts,
  }));
}

export interface SolvedShareView {
  readonly questions: number;
  readonly solved: number;
}

/** All-time share of solved questions. Polled, so it reads a single row per subject. */
export async function findSolvedShare(
  db: Queryable,
  { spaceId, subjectIds }: Pick<StatisticsOptions, 'spaceId' | 'subjectIds'>,
): Promise<SolvedShareView> {
  const { rows } = await db.query<SolvedShareView>({
    name: 'solved-share',
    text: `select coalesce(sum(solved + unsolved), 0)::int as questions, coalesce(sum(solved), 0)::int as solved
           from read.question_totals where space_id = $1 and subject_id = any($2::text[]) and topic_id = $3`,
    values: [spaceId, subjectIds?.length ? subjectIds : [ALL], ALL],
  });
  return rows[0] ?? { questions: 0, solved: 0 };
}
