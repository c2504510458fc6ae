import { latestVersion, type ScoringRules } from '@nimo/domain';
import type { BatchEnd, Projection, RowChange } from '../projection.js';
import { affectedStudents, type FactChange } from './affected-students.js';
import { leaderboard, scoreBuckets } from './leaderboard.tables.js';
import { moveScores } from './move-scores.js';
import { beginAnew, noteCasts, ownScores, pendingCasts } from './pending-casts.js';
import { rescoreEverybody } from './rescore-everybody.js';
import { scoreFacts, scoringRules } from './score-facts.table.js';
import { scoringDay, type ScoringDayRow } from './scoring-day.table.js';
import { settleScores } from './settle-scores.js';

type Sql = Parameters<BatchEnd['run']>[1];

const changesNothing = ({ before, after }: FactChange): boolean => !before?.standing && !after?.standing;

/** `hasDay`: whether a day has begun. Before the first nothing is held back: there is no day after which it would count. */
async function rulesAndDay(sql: Sql): Promise<{ versions: readonly ScoringRules[]; hasDay: boolean }> {
  const [row] = await sql(
    `select exists(select from {scoring_day}) as has_day, coalesce(jsonb_agg(rules order by version), '[]') as versions
     from {scoring_rules}`,
  );
  // The one row of an aggregate; the rules are as `scoringRules` folded them.
  return { versions: row?.['versions'] as ScoringRules[], hasDay: row?.['has_day'] === true };
}

/**
 * Two scores of a student come out of it: on the leaderboard that of the facts as they count for others, and in `own_scores` that of
 * all facts, for those in whose facts the two differ. Both follow from the log up to here, however it was cut into batches.
 */
const batchEnd: BatchEnd = {
  tables: [leaderboard, scoreBuckets, ownScores, pendingCasts],
  async run(changes, sql, { events }) {
    // The rows are of the tables that this projection declares under those names.
    const facts = (changes.get(scoreFacts.name) ?? []) as unknown as readonly FactChange[];
    const [day] = (changes.get(scoringDay.name) ?? []) as unknown as readonly RowChange<ScoringDayRow>[];
    const rulesChanged = (changes.get(scoringRules.name) ?? []).length > 0;
    // A cast that stood when the day began, and neither before nor after, counts all the same.
    const students = affectedStudents(day ? facts : facts.filter((change) => !changesNothing(change)));
    if (students.length === 0 && !day && !rulesChanged) return;
    const { versions, hasDay } = await rulesAndDay(sql);
    if (day?.after) await beginAnew(sql, facts, { ordinal: day.after.ordinal, events });
    else if (hasDay) await noteCasts(sql, facts);
    if (rulesChanged) return rescoreEverybody(sql, versions, latestVersion(versions));
    if (day) await settleScores(sql);
    const [first] = events;
    if (first && students.length > 0)
      await moveScores(sql, students, { versions, firstOrdinal: first.ordinal, isDawn: day !== undefined });
  },
};

/** Scores and ranks of students in spaces: facts by folding, scores from the facts at the end of each batch. */
export const leaderboardProjection = {
  name: 'leaderboard',
  purpose: 'Score facts, scores and ranks',
  version: 3,
  tables: [scoreFacts, scoringRules, scoringDay],
  batchEnd,
} as const satisfies Projection;
