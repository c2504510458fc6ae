import {
  initialScore,
  isCast,
  latestVersion,
  type Score,
  type ScoreFactKey,
  scoreEntryOf,
  type ScoringRules,
  stepScore,
} from '@nimo/domain';
import type { BatchEnd, RowChange } from '../projection.js';
import { leaderboard, type LeaderboardRow } from './leaderboard.tables.js';
import { type OwnScoreRow, publicFactsSql } from './pending-casts.js';
import { rescoreSql, weightRows } from './rescore.sql.js';
import { factOf, type ScoreFactRow } from './score-facts.table.js';
import { ADD_TO_BUCKETS, bucketSteps, REMOVE_EMPTY_BUCKETS } from './score-buckets.sql.js';

type Sql = Parameters<BatchEnd['run']>[1];
export type FactChange = RowChange<ScoreFactRow>;

/** A student in a space, with what the batch did to that student's facts. */
export interface Affected {
  readonly spaceId: string;
  readonly studentId: string;
  readonly changes: FactChange[];
}

export function affectedStudents(changes: readonly FactChange[]): Affected[] {
  const affected = new Map<string, Affected>();
  for (const change of changes) {
    // The key is the facts' table's: it begins with the space and the student.
    const [spaceId, studentId] = change.key as readonly string[] as readonly [string, string];
    const identity = `${spaceId} ${studentId}`;
    const student = affected.get(identity) ?? { spaceId, studentId, changes: [] };
    affected.set(identity, student);
    student.changes.push(change);
  }
  return [...affected.values()];
}

/** A fact that comes after all others of its student; anything else changes the past, and the past is replayed. */
const isAtTheEnd = ({ before, after }: FactChange, firstOrdinal: number): boolean =>
  !before?.standing && !!after?.standing && after.kind !== 'POST_REPORTED' && after.ordinal >= firstOrdinal;

/** Of casts others see nothing yet. The key is one that `factKeysOf` gave. */
const isForOthers = ({ key }: FactChange): boolean => !isCast({ kind: (key as unknown as ScoreFactKey)[2] });

interface Standing {
  readonly versions: readonly ScoringRules[];
  /** Whether a day has begun. Before the first nothing is held back: there is no day after which it would count. */
  readonly hasDay: boolean;
}

export async function standingOf(sql: Sql): Promise<Standing> {
  const [row] = await sql(
    `select exists(select from {scoring_day}) as has_day, coalesce(jsonb_agg(rules order by version), '[]') as versions
     from {scoring_rules}`,
  );
  // The one row of an aggregate; the rules are as `scoringRules` folded them.
  return { versions: row?.['versions'] as ScoringRules[], hasDay: row?.['has_day'] === true };
}

const scoreOf = (row: LeaderboardRow): Score => ({
  reputations: row.merit,
  commitments: row.impact,
  score: row.score,
  lastOrdinal: row.last_ordinal,
  questionsAsked: row.questions_asked,
  questionsAnswered: row.questions_answered,
  answersAccepted: row.answers_accepted,
});

const rowOf = ({ spaceId, studentId }: Affected, score: Score, version: number): LeaderboardRow => ({
  space_id: spaceId,
  student_id: studentId,
  merit: score.reputations,
  impact: score.commitments,
  score: score.score,
  last_ordinal: score.lastOrdinal,
  questions_asked: score.questionsAsked,
  questions_answered: score.questionsAnswered,
  answers_accepted: score.answersAccepted,
  rules_version: version,
});

/** The student's row after facts at the end, in log order. */
function stepped(
  row: LeaderboardRow | undefined,
  student: Affected,
  versions: readonly ScoringRules[],
): LeaderboardRow | undefined {
  const entries = student.changes
    .flatMap(({ after }) => (after ? [scoreEntryOf(factOf(after), versions)] : []))
    .filter((entry) => entry !== undefined)
    .sort((left, right) => left.ordinal - right.ordinal);
  if (entries.length === 0) return row;
  const score = entries.reduce(stepScore, row ? scoreOf(row) : initialScore);
  return rowOf(student, score, latestVersion(versions));
}

const COLUMNS = Object.keys(leaderboard.columns).join(', ');
const STUDENTS = 'unnest($1::text[], $2::text[]) as k(space_id, student_id)';

type Pair = Pick<LeaderboardRow, 'space_id' | 'student_id'>;
const pairs = (students: readonly Pair[]): [string[], string[]] => [
  students.map((student) => student.space_id),
  students.map((student) => student.student_id),
];
const pairOf = ({ spaceId, studentId }: Affected): Pair => ({ space_id: spaceId, student_id: studentId });
const identityOf = (row: Pair): string => `${row.space_id} ${row.student_id}`;

/** What is kept of a student before the batch, and whether a cast is pending after it. */
type Kept = Pair & {
  readonly seen: LeaderboardRow | null;
  readonly own: OwnScoreRow | null;
  readonly is_pending: boolean;
};

const KEPT = `
  select k.space_id, k.student_id, case when l.student_id is not null then to_jsonb(l) end as seen,
    case when o.student_id is not null then to_jsonb(o) end as own,
    exists(select from {pending_casts} p where p.space_id = k.space_id and p.student_id = k.student_id) as is_pending
  from ${STUDENTS}
  left join lateral (
    select ${COLUMNS} from {leaderboard} l where l.student_id = k.student_id and l.space_id = k.space_id offset 0) l on true
  left join lateral (
    select ${COLUMNS}, has_facts from {own_scores} o where o.student_id = k.student_id and o.space_id = k.space_id offset 0
  ) o on true`;

async function keptOf(sql: Sql, students: readonly Affected[]): Promise<Map<string, Kept>> {
  const rows = (await sql(KEPT, pairs(students.map(pairOf)))) as unknown as Kept[];
  return new Map(rows.map((row) => [identityOf(row), row]));
}

const IN_SCOPE = '(f.space_id, f.student_id) in (select * from unnest($2::text[], $3::text[]))';
const FROM_ALL_FACTS = rescoreSql(IN_SCOPE);
const FROM_PUBLIC_FACTS = rescoreSql('true', publicFactsSql(IN_SCOPE));

/** Rows of students whose past changed, from all their facts or from those that others see. */
async function recomputed(
  sql: Sql,
  statement: string,
  students: readonly Affected[],
  versions: readonly ScoringRules[],
): Promise<Map<string, LeaderboardRow>> {
  if (students.length === 0) return new Map();
  const values = [JSON.stringify(weightRows(versions)), ...pairs(students.map(pairOf))];
  const rows = await sql(statement, values);
  const version = latestVersion(versions);
  return new Map(
    rows
      .map((row) => ({ ...row, rules_version: version }) as LeaderboardRow)
      .map((row) => [identityOf(row), row]),
  );
}

interface RowStep<R extends Pair> {
  readonly before: R | undefined;
  readonly after: R | undefined;
}
type ScoreStep = RowStep<LeaderboardRow>;

const written = <R extends Pair>(steps: readonly RowStep<R>[]): R[] =>
  steps.flatMap(({ before, after }) => (after && after !== before ? [after] : []));
const gone = <R extends Pair>(steps: readonly RowStep<R>[]): R[] =>
  steps.flatMap(({ before, after }) => (before && !after ? [before] : []));

const upsert = (table: string, columns: string): string => `
  insert into {${table}} (${columns})
  select ${columns} from jsonb_populate_recordset(null::{${table}}, $1::jsonb)
  on conflict (student_id, space_id) do update set (${columns}) = row(${columns.replaceAll(/\w+/g, 'excluded.$&')})`;
const remove = (table: string): string =>
  `delete from {${table}} l using ${STUDENTS} where l.student_id = k.student_id and l.space_id = k.space_id`;

async function writeRows<R extends Pair>(
  sql: Sql,
  table: string,
  columns: string,
  steps: readonly RowStep<R>[],
): Promise<void> {
  const [rows, lost] = [written(steps), gone(steps)];
  if (rows.length > 0) await sql(upsert(table, columns), [JSON.stringify(rows)]);
  if (lost.length > 0) await sql(remove(table), pairs(lost));
}

async function writeLeaderboard(sql: Sql, steps: readonly ScoreStep[]): Promise<void> {
  await writeRows(sql, 'leaderboard', COLUMNS, steps);
  const buckets = bucketSteps(steps);
  if (buckets.length === 0) return;
  await sql(ADD_TO_BUCKETS, [JSON.stringify(buckets)]);
  await sql(REMOVE_EMPTY_BUCKETS, [JSON.stringify(buckets.filter(({ students }) => students < 0))]);
}

const ownOf = ({ own, seen }: Pick<Kept, 'own' | 'seen'>): LeaderboardRow | undefined => {
  if (!own) return seen ?? undefined;
  const { has_facts, ...row } = own;
  return has_facts ? row : undefined;
};

/** A row all the same where no fact stands any more: else the leaderboard's would be taken for the student's own. */
const keptAsOwn = (student: Affected, own: LeaderboardRow | undefined, version: number): OwnScoreRow => ({
  ...(own ?? rowOf(student, initialScore, version)),
  has_facts: own !== undefined,
});

export interface Move {
  readonly versions: readonly ScoringRules[];
  /** Of the batch. */
  readonly firstOrdinal: number;
  /** A day began in this batch: some of its casts count for others, some do not. */
  readonly isDawn: boolean;
}

export async function moveScores(
  sql: Sql,
  students: readonly Affected[],
  { versions, firstOrdinal, isDawn }: Move,
): Promise<void> {
  const version = latestVersion(versions);
  const isStepped = ({ changes }: Affected) => changes.every((change) => isAtTheEnd(change, firstOrdinal));
  const forOthers = (student: Affected): Affected => ({
    ...student,
    changes: student.changes.filter(isForOthers),
  });
  const all = await keptOf(sql, students);
  // Every student that was asked for has a row.
  const keptIn = (student: Affected) => all.get(identityOf(pairOf(student))) as Kept;
  const isReplayedForOthers = (student: Affected) =>
    keptIn(student).is_pending && (isDawn || !isStepped(forOthers(student)));
  const replayed = await recomputed(
    sql,
    FROM_ALL_FACTS,
    students.filter((student) => !isStepped(student)),
    versions,
  );
  const replayedForOthers = await recomputed(
    sql,
    FROM_PUBLIC_FACTS,
    students.filter(isReplayedForOthers),
    versions,
  );
  const moves = students.map((student) => {
    const identity = identityOf(pairOf(student));
    const kept = keptIn(student);
    const before = ownOf(kept);
    const own = isStepped(student) ? stepped(before, student, versions) : replayed.get(identity);
    const seen = kept.seen ?? undefined;
    const seenNow = (): LeaderboardRow | undefined => {
      if (!kept.is_pending) return own;
      if (isReplayedForOthers(student)) return replayedForOthers.get(identity);
      return stepped(seen, forOthers(student), versions);
    };
    return {
      seen: { before: seen, after: seenNow() },
      own: {
        before: kept.own ?? undefined,
        after: kept.is_pending ? keptAsOwn(student, own, version) : undefined,
      },
    };
  });
  await writeRows(
    sql,
    'own_scores',
    `${COLUMNS}, has_facts`,
    moves.map(({ own }) => own),
  );
  await writeLeaderboard(
    sql,
    moves.map(({ seen }) => seen).filter(({ before, after }) => before !== after),
  );
}

/** So many at a time: however many voted in a day, they are not in memory all at once. */
const SETTLED_AT_ONCE = 5_000;

/** Everybody's own score is what others see from now on. */
export async function settleAll(sql: Sql): Promise<void> {
  for (;;) {
    const rows = (await sql(
      `with settled as (
         delete from {own_scores} where (student_id, space_id) in (
           select student_id, space_id from {own_scores} limit ${SETTLED_AT_ONCE}) returning *
       )
       select o.space_id, o.student_id, to_jsonb(o) as own, case when l.student_id is not null then to_jsonb(l) end as seen
       from settled o left join {leaderboard} l on l.student_id = o.student_id and l.space_id = o.space_id`,
    )) as unknown as Pick<Kept, 'space_id' | 'student_id' | 'own' | 'seen'>[];
    await writeLeaderboard(
      sql,
      rows.map((row) => ({ before: row.seen ?? undefined, after: ownOf(row) })),
    );
    if (rows.length < SETTLED_AT_ONCE) return;
  }
}
