import { latestVersion, type ScoringRules } from '@nimo/domain';
import type { BatchEnd, ProjectedEvent, Projection, RowChange } from '../projection.js';
import { type Affected, affectedStudents, type FactChange } from './affected-students.js';
import { leaderboard, scoreBuckets } from './leaderboard.tables.js';
import { moveScores } from './move-scores.js';
import { keptScores } from './read-scores.js';
import { beginAnew, CAST_EVENT_TYPES, noteCasts, ownScores, pendingCasts } from './pending-casts.js';
import { rescoreEverybody } from './rescore-everybody.js';
import { scoreFacts, scoringRules } from './score-facts.table.js';
import { scoringDay, type ScoringDayRow } from './scoring-day.table.js';
import { settleScores } from './settle-scores.js';

type Sql = Parameters<BatchEnd['run']>[1];

const changesNothing = ({ before, after }: FactChange): boolean => !before?.standing && !after?.standing;

async function publishedRules(sql: Sql): Promise<readonly ScoringRules[]> {
  const [row] = await sql(
    `select coalesce(jsonb_agg(rules order by version), '[]') as versions from {scoring_rules}`,
  );
  // The one row of an aggregate; the rules are as `scoringRules` folded them.
  return row?.['versions'] as ScoringRules[];
}

interface Ended {
  readonly facts: readonly FactChange[];
  readonly students: readonly Affected[];
  readonly events: readonly ProjectedEvent[];
  readonly after: number;
}

/** What is read and what is noted is sent together, in this order. */
async function endOfUsual(sql: Sql, { facts, students, after }: Ended): Promise<void> {
  const [versions, , keptOf] = await Promise.all([
    publishedRules(sql),
    noteCasts(sql, facts),
    keptScores(sql, students),
  ]);
  await moveScores(sql, students, { keptOf, versions, after, isDawn: false });
}

/** Of a batch in which a day began or rules were published. */
async function endOfTurning(
  sql: Sql,
  { facts, students, events, after }: Ended,
  {
    day,
    rulesChanged,
  }: { readonly day: RowChange<ScoringDayRow> | undefined; readonly rulesChanged: boolean },
): Promise<void> {
  const versions = await publishedRules(sql);
  if (day?.after) await beginAnew(sql, facts, { ordinal: day.after.ordinal, events });
  else await noteCasts(sql, facts);
  if (rulesChanged) return rescoreEverybody(sql, versions, latestVersion(versions));
  await settleScores(sql);
  if (students.length === 0) return;
  const keptOf = await keptScores(sql, students);
  await moveScores(sql, students, { keptOf, versions, after, isDawn: true });
}

/** What nobody can tell any more when all scores are made: which casts of the last day are held back. */
async function keepCasts(
  sql: Sql,
  { facts, events }: Pick<Ended, 'facts' | 'events'>,
  day: RowChange<ScoringDayRow> | undefined,
): Promise<void> {
  if (day?.after) return beginAnew(sql, facts, { ordinal: day.after.ordinal, events });
  const days = await sql('select 1 from {scoring_day}');
  if (days.length > 0) await noteCasts(sql, facts);
}

/**
 * Two scores of a student come out of it: on the leaderboard that of the facts as they count for others, and in `own_scores` that of
 * all facts, for those in whose facts the two differ. Both follow from the log up to here, however it was cut into batches.
 */
const batchEnd: BatchEnd = {
  tables: [leaderboard, scoreBuckets, ownScores, pendingCasts],
  looksAt: CAST_EVENT_TYPES,
  async run(changes, sql, { events, after, rebuilding }) {
    // The rows are of the tables that this projection declares under those names.
    const facts = (changes.get(scoreFacts.name) ?? []) as unknown as readonly FactChange[];
    const [day] = (changes.get(scoringDay.name) ?? []) as unknown as readonly RowChange<ScoringDayRow>[];
    if (rebuilding) return keepCasts(sql, { facts, events }, day);
    const rulesChanged = (changes.get(scoringRules.name) ?? []).length > 0;
    // A cast that stood when the day began, and neither before nor after, counts all the same.
    const students = affectedStudents(day ? facts : facts.filter((change) => !changesNothing(change)));
    if (day || rulesChanged)
      await endOfTurning(sql, { facts, students, events, after }, { day, rulesChanged });
    else if (students.length > 0) await endOfUsual(sql, { facts, students, events, after });
  },
  async whole(sql) {
    const versions = await publishedRules(sql);
    await rescoreEverybody(sql, versions, latestVersion(versions));
  },
};

/** Scores and ranks of students in spaces: facts by folding, scores from the facts at the end of each batch. */
export const leaderboardProjection = {
  name: 'leaderboard',
  purpose: 'Score facts, scores and ranks',
  // Code before 4 would take a generation for whole that is not.
  version: 4,
  lingers: true,
  tables: [scoreFacts, scoringRules, scoringDay],
  batchEnd,
} as const satisfies Projection;
